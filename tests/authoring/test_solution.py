"""Taking the answer out of a solution: what is kept, what is dropped, what is refused."""

import textwrap

import pytest

from grader.authoring.solution import drop_sections, read_student_file
from grader.errors import CourseError

ASKED = {"first": ("solve", "WORDS"), "second": ("other",)}


def write(folder, **sources):
    for stem, source in sources.items():
        (folder / f"{stem}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    return folder


FIRST = '''\
    """Task."""

    import math

    from base import lent, solve

    __all__ = ["solve"]

    # Given to all.
    GIVEN = 3

    # Choose.
    WORDS = ["right"]


    def aid(x):
        """Stay whole."""
        return x + GIVEN


    def _own(x):
        return lent(x)
'''
BASE = '''\
    """Base."""


    def lent(x):
        return x


    def solve(x: int, y: int = 2) -> int:
        """Solve it.

        Notes
        -----
        The secret.

        Returns
        -------
        int
        """
        # In confidence.
        return x**y
'''


def test_given_things_are_kept_and_own_things_dropped(tmp_path):
    file = read_student_file("first", write(tmp_path, first=FIRST, base=BASE), ASKED)
    assert file.task == "Task."
    assert file.imports == ("import math",)
    assert file.given == (
        "# Given to all.\nGIVEN = 3",
        'def aid(x):\n    """Stay whole."""\n    return x + GIVEN',
    )
    assert "lent" not in repr(file)
    assert "_own" not in repr(file)


def test_a_name_lent_by_another_file_becomes_a_stub_without_its_notes(tmp_path):
    file = read_student_file("first", write(tmp_path, first=FIRST, base=BASE), ASKED)
    assert list(file.answers) == ["solve", "WORDS"]
    assert file.answers["solve"] == (
        "def solve(x: int, y: int = 2) -> int:\n"
        '    """Solve it.\n\n    Returns\n    -------\n    int\n    """\n'
        "    raise NotImplementedError"
    )
    assert file.answers["WORDS"] == "# Choose.\nWORDS = []"


def test_imports_from_an_earlier_exercise_stay(tmp_path):
    second = '"""T."""\nfrom first import solve\n\n\ndef other():\n    """Do."""\n    return solve(1)\n'
    file = read_student_file("second", write(tmp_path, first=FIRST, base=BASE, second=second), ASKED)
    assert file.sibling_imports == ("from first import solve",)
    assert file.answers == {"other": 'def other():\n    """Do."""\n    raise NotImplementedError'}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ('"""T."""\nx = 1\n', "does not define other"),
        ('"""T."""\ndef other(:\n', "cannot be read as Python"),
        ("def other():\n    '''D.'''\n", "has no docstring"),
        ('"""T."""\ndef other():\n    return 1\n', "other needs a docstring"),
        ('"""T."""\n@print\ndef other():\n    """D."""\n', "no decorator"),
        ('"""T."""\nother = 3\n', "not of 'other = 3'"),
        ('"""T."""\ndef other(solve):\n    """D."""\n', "parameter named solve"),
        (None, "cannot be read"),
    ],
)
def test_a_faulty_solution_is_named_in_one_sentence(tmp_path, source, sentence):
    if source is not None:
        (tmp_path / "second.py").write_text(source, encoding="utf-8")
    with pytest.raises(CourseError, match=sentence):
        read_student_file("second", tmp_path, ASKED)


def test_only_notes_and_references_are_dropped():
    docstring = "Do.\n\nNotes\n-----\nSecret.\n\nRaises\n------\nValueError\n\nReferences\n----------\nPaper."
    assert drop_sections(docstring) == "Do.\n\nRaises\n------\nValueError"
    assert drop_sections("Notes on this: none.") == "Notes on this: none."
