"""Which names say that a file is old, and which version counts then."""

import pytest

from grader.submissions import FunctionState
from grader.submissions.old_copies import is_old_copy

NEW = "def attention(Q, K, V):\n    return Q, K\n"
OLD = "def attention(Q, K, V):\n    return K, Q\n"


@pytest.mark.parametrize(
    "name",
    [
        "old/third_key.py", "Backup/a/third_key.py", "my old versions/x.py", "Copy of third_key.py",
        "third_key - Copy.py", "third_key - Copy (2).py", "third_key_old.py", "old_third_key2.ipynb",
        "third_key.bak.py", "third_key (1).py", "third_key(2).py",
    ],
)  # fmt: skip
def test_a_name_that_says_it_is_old_is_believed(name):
    assert is_old_copy(name, {"third_key.py", name})


@pytest.mark.parametrize(
    "name", ["third_key.py", "golden.py", "threshold.py", "third_key_old_idea.py", "other (1).py", "photocopy.py"]
)
def test_other_names_say_nothing(name):
    assert not is_old_copy(name, {"third_key.py", name})


@pytest.mark.parametrize("name", ["old/third_key.py", "Copy of third_key.py", "third_key (1).py"])
def test_the_other_version_counts_and_a_note_says_so(read, name):
    submission = read({name: OLD, "third_key.py": NEW})
    definition = submission.definitions["attention"]
    assert (definition.state, definition.file, definition.flag) == (FunctionState.DEFINED, "third_key.py", "old-copy")
    assert any(name in note and "third_key.py counts" in note for note in submission.notes)


def test_an_old_copy_counts_where_nothing_else_answers(read):
    definition = read({"old/third_key.py": OLD, "third_key.py": "x = 1\n"}).definitions["attention"]
    assert (definition.state, definition.file, definition.flag) == (FunctionState.DEFINED, "old/third_key.py", "")


def test_two_old_copies_alone_are_a_conflict(read):
    definition = read({"old/a.py": OLD, "backup/a.py": NEW}).definitions["attention"]
    assert (definition.state, definition.flag) == (FunctionState.CONFLICT, "conflict")
