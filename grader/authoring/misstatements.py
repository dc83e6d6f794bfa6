"""Find each title, number of points and signature that a document of the course states wrongly.

The records in `grader.exercises` are the one truth. Scripts and notebook take their headers from the solutions'
docstrings; those, the handout and the README are prose, which people write. So none of it is generated: each title and
number that stands in it is compared, and an instructor who changes the points of a check is told every line to mend.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.solution import read_solution
from grader.exercises.exercise import Exercise
from grader.feedback.figures import count, points

HANDOUT = "README.md"

_NUMBER = r"\d+(?:\.\d+)?"
_WORTH = re.compile(rf"`(\w+)`\s+\({_NUMBER}\s+points?\)")  # `softmax` (6 points)
_SHARE = re.compile(rf"\(({_NUMBER}) points?\)")
_SECTION = re.compile(r"^## .*$", re.MULTILINE)
_NUMBERED = re.compile(r"## Exercise (\d+)\b")
_FILE_ROW = re.compile(r"^\| `(\w+)\.py` \|.*$", re.MULTILINE)  # | `third_key.py` | 1. A third key | 30 |
_NAME_ROW = re.compile(rf"^\| (`(\w+)[^`]*` \| {_NUMBER}) \|", re.MULTILINE)  # | `softmax(x, axis=-1)` | 6 | ...
_RUBRIC_ROW = re.compile(rf"^\|[^|\n]*\| *({_NUMBER}) *\|$", re.MULTILINE)  # | what is looked for | 2 |
_TOTALS = re.compile(rf"{_NUMBER}\s+points:\s+{_NUMBER}\s+are\s+given\s+automatically,\s+{_NUMBER}\s+by\s+a\s+person")
_FULL_MARKS = re.compile(rf"model\s+answers:\s+{_NUMBER}\s+of\s+{_NUMBER}")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
# "The other two exercises" are a part of them.
_HOW_MANY = re.compile(rf"(?<!other )\b(?:{'|'.join(_WORDS)})\s+exercises\b")


@dataclass(frozen=True, order=True)
class Misstatement:
    """A line of a document that says something else than the exercises; `found` is empty where nothing is said."""

    document: str
    line: int
    found: str
    right: str

    def __str__(self) -> str:
        """Return the place, what stands there and what is right."""
        place = f"{self.document}:{self.line}"
        if not self.found:
            return f'{place}: this is missing: "{self.right}"'
        return f'{place}: "{self.found}" stands here; "{self.right}" is right'


@dataclass(frozen=True)
class Document:
    """A file that people read, or a part of it that begins on line `first`."""

    name: str
    text: str
    first: int = 1

    def at(self, offset: int) -> int:
        """Return the number of the line of the character at `offset`."""
        return self.first + self.text.count("\n", 0, offset)

    def compare(self, found: re.Match[str], right: str, group: int = 0) -> Iterator[Misstatement]:
        """Yield a misstatement where something else than `right` stands; line breaks count as spaces."""
        stated = " ".join(found[group].split())
        if stated != right:
            yield Misstatement(self.name, self.at(found.start(group)), stated, right)


def find_misstatements(solutions: Path, assignments: Path, exercises: Mapping[str, Exercise]) -> list[Misstatement]:
    """Compare the solutions' docstrings, the handout and the README with the exercises.

    Parameters
    ----------
    solutions, assignments : Path
        Folders of the course. A README beside them is read where there is one.
    exercises : mapping of str to Exercise
        By slug; their order gives their numbers.

    Returns
    -------
    list of Misstatement
        File by file, in the order of the lines.

    Raises
    ------
    CourseError
        Where a solution cannot be read.
    """
    found: list[Misstatement] = []
    for number, exercise in enumerate(exercises.values(), 1):
        found += sorted(_check_solution(solutions / f"{exercise.slug}.py", number, exercise))
    found += sorted(_check_handout(assignments / HANDOUT, exercises))
    found += sorted(_check_readme(solutions.parent / "README.md", exercises))
    return found


def _worth(exercise: Exercise, name: str) -> float:
    return sum(check.points for check in exercise.checks if check.function == name)


def _check_solution(path: Path, number: int, exercise: Exercise) -> Iterator[Misstatement]:
    source, tree = read_solution(path)
    end = tree.body[0].end_lineno or 1
    task = Document(f"solutions/{path.name}", ast.get_docstring(tree, clean=False) or "", tree.body[0].lineno)
    title = task.text.partition("\n")[0]
    right = f"Exercise {number}: {exercise.title} ({count(exercise.max_score + exercise.pending_score, 'point')})."
    if title != right:
        yield Misstatement(task.name, task.first, title, right)
    rights = {f.name: f"`{f.name}` ({count(_worth(exercise, f.name), 'point')})" for f in exercise.functions}
    stated = list(_WORTH.finditer(task.text))
    for match in stated:
        yield from task.compare(match, rights.get(match[1], "no points, because nobody asks for that name"))
    for name in rights.keys() - {match[1] for match in stated}:
        yield Misstatement(task.name, end, "", rights[name])
    for function in exercise.functions:
        yield from _check_shares(Document(task.name, source), function.name, _worth(exercise, function.name))


def _check_shares(file: Document, name: str, whole: float) -> Iterator[Misstatement]:
    """Add up the points that the comment above a constant gives for its parts, if it gives any."""
    above = re.search(rf"((?:^#.*\n)+){name} = ", file.text, re.MULTILINE)
    shares = _SHARE.findall(above[1]) if above else []
    if above and shares and _total(shares) != points(whole):
        yield Misstatement(file.name, file.at(above.start()), " + ".join(shares), points(whole))


def _check_handout(path: Path, exercises: Mapping[str, Exercise]) -> Iterator[Misstatement]:
    name = f"assignments/{path.name}"
    if not path.is_file():
        yield Misstatement(name, 1, "", "the handout")
        return
    handout = Document(name, path.read_text(encoding="utf-8"))
    yield from _check_how_many(handout, exercises)
    automatic = sum(exercise.max_score for exercise in exercises.values())
    written = sum(exercise.pending_score for exercise in exercises.values())
    shares = f"{points(automatic)} are given automatically, {points(written)} by a person"
    right = f"{points(automatic + written)} points: {shares}"
    if not (totals := _TOTALS.search(handout.text)):
        yield Misstatement(name, 1, "", right)
    else:
        yield from handout.compare(totals, right)
    yield from _check_files(handout, exercises)
    yield from _check_sections(handout, exercises)


def _check_files(handout: Document, exercises: Mapping[str, Exercise]) -> Iterator[Misstatement]:
    """Compare the table of all exercises, a row for each student file."""
    rows = list(_FILE_ROW.finditer(handout.text))
    rights = {
        slug: f"| `{slug}.py` | {number}. {exercise.title} | {_split_total(exercise)} |"
        for number, (slug, exercise) in enumerate(exercises.items(), 1)
    }
    for row in rows:
        yield from handout.compare(row, rights.get(row[1], "no row, because there is no such exercise"))
    for slug in rights.keys() - {row[1] for row in rows}:
        yield Misstatement(handout.name, handout.at(rows[-1].start()) if rows else 1, "", rights[slug])


def _check_sections(handout: Document, exercises: Mapping[str, Exercise]) -> Iterator[Misstatement]:
    """Compare the heading of each exercise, and the tables below it."""
    headings = list(_SECTION.finditer(handout.text))
    ends = [heading.start() for heading in headings[1:]] + [len(handout.text)]
    sections = {
        int(numbered[1]): (heading, end)
        for heading, end in zip(headings, ends, strict=True)
        if (numbered := _NUMBERED.match(heading[0]))
    }
    below = max((end for _, end in sections.values()), default=0)
    for number, exercise in enumerate(exercises.values(), 1):
        right = f"## Exercise {number}: {exercise.title} ({_split_total(exercise)})"
        if number not in sections:
            yield Misstatement(handout.name, handout.at(below), "", right)
            continue
        heading, end = sections.pop(number)
        yield from handout.compare(heading, right)
        section = Document(handout.name, handout.text[heading.start() : end], handout.at(heading.start()))
        yield from _check_names(section, exercise)
        yield from _check_rubric(section, exercise)
    for heading, _ in sections.values():
        yield from handout.compare(heading, "no section, because there is no such exercise")


def _check_names(section: Document, exercise: Exercise) -> Iterator[Misstatement]:
    rows = list(_NAME_ROW.finditer(section.text))
    rights = {f.name: f"`{f.signature}` | {points(_worth(exercise, f.name))}" for f in exercise.functions}
    for row in rows:
        yield from section.compare(row, rights.get(row[2], "no row, because nobody asks for that name"), 1)
    for name in rights.keys() - {row[2] for row in rows}:
        yield Misstatement(section.name, section.at(rows[-1].start()) if rows else section.first, "", rights[name])


def _check_rubric(section: Document, exercise: Exercise) -> Iterator[Misstatement]:
    """Add up the points of the rubric by which a person marks."""
    rows = list(_RUBRIC_ROW.finditer(section.text))
    shares = [row[1] for row in rows]
    if _total(shares) != points(exercise.pending_score):
        line = section.at(rows[0].start()) if rows else section.first
        right = f"a rubric of {count(exercise.pending_score, 'point')}"
        yield Misstatement(section.name, line, " + ".join(shares), right)


def _check_readme(path: Path, exercises: Mapping[str, Exercise]) -> Iterator[Misstatement]:
    if not path.is_file():
        return
    readme = Document(path.name, path.read_text(encoding="utf-8"))
    yield from _check_how_many(readme, exercises)
    full = points(sum(exercise.max_score for exercise in exercises.values()))
    for match in _FULL_MARKS.finditer(readme.text):
        yield from readme.compare(match, f"model answers: {full} of {full}")


def _check_how_many(document: Document, exercises: Mapping[str, Exercise]) -> Iterator[Misstatement]:
    words = dict(enumerate(_WORDS, 2))
    right = f"{words.get(len(exercises), len(exercises))} exercises"
    for match in _HOW_MANY.finditer(document.text):
        yield from document.compare(match, right)


def _split_total(exercise: Exercise) -> str:
    """Return the points as the handout shows them: `30`, or `25 + 5` where a person gives the second number."""
    written = exercise.pending_score
    return points(exercise.max_score) + (f" + {points(written)}" if written else "")


def _total(shares: list[str]) -> str:
    return points(sum(map(float, shares)))
