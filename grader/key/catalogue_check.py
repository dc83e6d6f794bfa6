"""A known mistake has two halves: a function in `solutions/mistakes/` and a row in the catalogue. Neither may be alone.

A function without a row would be compared with a student's answer and then have no title to show, and a row without
a function would never be found. Both are faults of the course, so an instructor hears of them when the key is built,
before any student can meet them.
"""

from collections.abc import Iterator, Mapping, Sequence

from grader.errors import CourseError
from grader.exercises.exercise import Mistake

Tables = Mapping[str, Mapping[str, object]]  # asked-for name -> code, or codes joined by "+" -> function


def check_catalogue(
    tables: Tables, catalogue: Mapping[str, Sequence[Mistake]], asked: Mapping[str, Sequence[str]]
) -> None:
    """Raise `CourseError` where a known mistake lacks a half. The message tells the first one, and how many follow.

    Parameters
    ----------
    tables : mapping of str to mapping
        For each asked-for name the functions by code, as `Solutions.mistakes`: "E1-01", or "E1-01+E1-10" for two
        mistakes that come together.
    catalogue : mapping of str to sequence of Mistake
        The rows of each exercise, by its slug.
    asked : mapping of str to sequence of str
        The names that each exercise asks for, by its slug.
    """
    lacking = list(find_halves(tables, catalogue, asked))
    if lacking:
        more = f" The same check has {len(lacking) - 1} more to tell." if len(lacking) > 1 else ""
        raise CourseError(lacking[0] + more)


def find_halves(
    tables: Tables, catalogue: Mapping[str, Sequence[Mistake]], asked: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield a sentence for each half without the other: the code, the function and the file to mend."""
    owners = {name: slug for slug, names in asked.items() for name in names}
    rows: dict[str, tuple[str, Mistake]] = {}
    for slug, mistakes in catalogue.items():
        for row in mistakes:
            if row.code in rows:
                yield (
                    f"The catalogue has two rows of {row.code}, for {rows[row.code][0]} and for {slug}. "
                    f"Give one of them another code in {rows_place(slug)}."
                )
            rows[row.code] = slug, row
    for name, table in tables.items():
        for code in table:
            yield from _check_function(name, code, rows, owners[name])
    for slug, row in rows.values():
        for name in row.functions:
            yield from _check_row(row.code, name, slug, tables, owners)


def rows_place(slug: str) -> str:
    """Return where the catalogue rows of an exercise stand: a module, which may be a folder of several files."""
    return f"grader/exercises/{slug}/mistakes"


def functions_file(slug: str) -> str:
    """Return the file of the known mistakes of an exercise as functions."""
    return f"solutions/mistakes/{slug}.py"


def _check_function(name: str, code: str, rows: Mapping[str, tuple[str, Mistake]], owner: str) -> Iterator[str]:
    parts = code.split("+")
    for part in parts:
        within = f", as a part of {code}" if len(parts) > 1 else ""
        has = f"{functions_file(owner)} has a function of {part} for {name}{within}"
        if part not in rows:
            yield f"{has}, and the catalogue has no row of {part}. Add the row to {rows_place(owner)}."
        elif name not in rows[part][1].functions:
            slug = rows[part][0]
            yield f"{has}, and the row of {part} does not name {name}. Add {name} to the row in {rows_place(slug)}."


def _check_row(code: str, name: str, slug: str, tables: Tables, owners: Mapping[str, str]) -> Iterator[str]:
    if name not in owners:
        yield f"The row of {code} names {name}, which no exercise asks for. Mend the row in {rows_place(slug)}."
    elif code not in tables.get(name, {}):
        yield (
            f"The row of {code} in {rows_place(slug)} names {name}, and no function has that mistake. "
            f"Write {code} for {name} in {functions_file(owners[name])}."
        )
