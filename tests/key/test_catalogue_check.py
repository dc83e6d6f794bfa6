"""A known mistake with only one half is refused when the key is built: its code, its function, the file to mend."""

import pytest

from grader.course import find_course, load_solutions
from grader.errors import CourseError
from grader.exercises import asked_names
from grader.exercises.catalogue import MISTAKES
from grader.exercises.exercise import Mistake
from grader.key.catalogue_check import check_catalogue, find_halves, functions_file, rows_place

ASKED = {"first": ("solve", "split"), "second": ("merge",)}


def row(code, *functions):
    return Mistake(code, "title", functions, "Try.", "Idea.", "formula", "never")


CATALOGUE = {"first": (row("A-01", "solve", "split"), row("A-02", "solve")), "second": (row("B-01", "merge"),)}
TABLES = {"solve": ("A-01", "A-02", "A-01+A-02"), "split": ("A-01",), "merge": ("B-01",)}


def halves(tables=TABLES, **catalogue):
    functions = {name: dict.fromkeys(codes, print) for name, codes in tables.items()}
    return list(find_halves(functions, CATALOGUE | catalogue, ASKED))


def test_mistakes_with_both_halves_pass():
    assert halves() == []


def test_the_mistakes_of_the_course_pass():
    check_catalogue(load_solutions(find_course(), asked_names()).mistakes, MISTAKES, asked_names())


FIRST, SECOND = rows_place("first"), rows_place("second")
PART = ", as a part of A-01+"


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("solve", "A-99", "first.py has a function of A-99 for solve, and the catalogue has no row of A-99."),
        (
            "solve",
            "A-01+A-98",
            f"first.py has a function of A-98 for solve{PART}A-98, and the catalogue has no row of A-98.",
        ),
    ],
)
def test_a_function_without_a_row_is_told(name, code, said):
    found = halves(TABLES | {name: (*TABLES[name], code)})
    assert found == [f"solutions/mistakes/{said} Add the row to {FIRST}."]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("merge", "A-02", "second.py has a function of A-02 for merge, and the row of A-02 does not name merge."),
        (
            "split",
            "A-01+A-02",
            f"first.py has a function of A-02 for split{PART}A-02, and the row of A-02 does not name split.",
        ),
    ],
)
def test_a_function_that_its_row_does_not_name_is_told(name, code, said):
    found = halves(TABLES | {name: (*TABLES[name], code)})
    assert found == [f"solutions/mistakes/{said} Add {name} to the row in {FIRST}."]


def test_a_row_without_its_function_is_told():
    said = f"The row of A-01 in {FIRST} names split, and no function has that mistake."
    assert halves(TABLES | {"split": ()}) == [f"{said} Write A-01 for split in solutions/mistakes/first.py."]


def test_a_row_of_a_function_that_no_exercise_asks_for_is_told():
    assert halves(second=(row("B-01", "merge", "spilt"),)) == [
        f"The row of B-01 names spilt, which no exercise asks for. Mend the row in {SECOND}."
    ]


def test_two_rows_of_one_code_are_told():
    said = "The catalogue has two rows of A-02, for first and for second."
    assert halves(second=(row("A-02", "solve"), row("B-01", "merge"))) == [
        f"{said} Give one of them another code in {SECOND}."
    ]


def test_one_sentence_counts_the_others():
    functions = {"solve": dict.fromkeys(("A-01", "A-02", "A-98", "A-99"), print), "split": {}, "merge": {"B-01": print}}
    with pytest.raises(CourseError, match=r"A-98 for solve.* The same check has 2 more to tell\.$"):
        check_catalogue(functions, CATALOGUE, ASKED)


def test_the_files_to_mend_exist(root):
    for slug in asked_names():
        place = root / rows_place(slug)
        assert place.is_dir() or place.with_suffix(".py").is_file()
        assert (root / functions_file(slug)).is_file()


CHANGES = {
    "a function without a row": ('MISTAKES["dominant_key"]["E1-99"] = len', ("E1-99", "dominant_key", "catalogue")),
    "a row without a function": ('del MISTAKES["dominant_key"]["E1-54"]', ("E1-54", "dominant_key", "no function")),
    "an unknown part": ('COMBINED["softmax"]["E1-10+E1-99"] = len', ("E1-99", "softmax", "E1-10+E1-99")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_command_ends_with_4_and_names_what_is_missing(grade, checkout, change):
    line, words = CHANGES[change]
    with (checkout / "solutions" / "mistakes" / "third_key.py").open("a", encoding="utf-8") as stream:
        stream.write(f"\n{line}\n")
    key = checkout / "grader" / "public_key.npz"
    before = key.read_bytes()
    for command in (["key", "--check"], ["key"]):
        done = grade(*command, cwd=checkout)
        assert done.returncode == 4
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert all(word in done.stderr for word in (*words, "solutions/mistakes/third_key.py", rows_place("third_key")))
    assert key.read_bytes() == before
