"""Folders that are no class, and look like one: one level too high, one person's work, or files in one heap.

Read as a class, they would give a row for each file, and nobody's work as a whole. What is looked at are names only.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from grader.errors import UsageError
from grader.files import quote_path
from grader.submissions.labels import enumerate_names
from grader.submissions.names import APPENDED, file_stem, looks_like
from grader.submissions.old_copies import is_old_copy

# What learning platforms write into the names of downloaded files: Moodle "Doe_123_assignsubmission_file_", Canvas
# "doejane_LATE_12345_678901_", Blackboard "Lab 1_doe_attempt_2025-01-31-10-00-00_". Folders with such names are fine.
_PLATFORM = re.compile(r"_assignsubmission_|(?:^|_)\d{3,}_\d{3,}_|_attempt_\d{4}-\d{2}-\d{2}", re.IGNORECASE)
_AT_LEAST = 2  # files of one kind, before they tell anything


class Arranged(Protocol):
    """What is looked at in the entry of a student."""

    @property
    def student(self) -> str:
        """The name that a row would have."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """What would be that student's work."""


def refuse_one_persons(tree: Path, entries: Sequence[Arranged], handed_out: Collection[str]) -> None:
    """Raise `UsageError` where the files of a folder are called like those that students get: one person's work.

    Parameters
    ----------
    tree : Path
        The folder.
    entries : sequence of Arranged
        What would be read as the students.
    handed_out : collection of str
        The stems of the files that students get.
    """
    files = _list_files(entries)
    own = [name for name in files if _former_stem(name) in handed_out]
    folders = sum(len(entry.paths) for entry in entries) - len(files)
    # A stray model answer beside the folders of a class makes it no person's folder.
    alone = not folders or len({_former_stem(name) for name in own}) >= _AT_LEAST
    if own and alone and 2 * len(own) >= len(files):
        message = (
            f"{tree} looks like one person's work, because its files ({enumerate_names(own)}) are called like those "
            f"that students get; grade it with `grade {quote_path(tree)}`, or give `grade batch` the folder that holds "
            "everybody's."
        )
        raise UsageError(message)


def refuse_heap(tree: Path, entries: Sequence[Arranged], handed_out: Collection[str]) -> None:
    """Raise `UsageError` where the files of many people lie in one folder, each named by a person and an exercise.

    Parameters as of `refuse_one_persons`.
    """
    files = _list_files(entries)
    people: Counter[str] = Counter()
    for name in files:
        person = _find_person(name, handed_out)
        people[person] += bool(person)
    marked = [name for name in files if _PLATFORM.search(name)]
    torn = [name for name in files if people[_find_person(name, handed_out)] >= _AT_LEAST]
    shown = marked or torn
    if len(shown) >= _AT_LEAST and 2 * len(shown) >= len(files):
        message = (
            f"{tree} looks like a flat download, because its files are named by a person and an exercise "
            f"({enumerate_names(shown)}); move the files of each person into a folder of their own in {tree}, "
            f"then run `grade batch {quote_path(tree)} --out DIR`."
        )
        raise UsageError(message)


def refuse_wrong_level(tree: Path, place: Path, names: Sequence[str]) -> None:
    """Raise `UsageError` where the one entry of a tree looks like the folder that holds everybody's.

    Parameters
    ----------
    tree, place : Path
        The folder, and the only thing in it.
    names : sequence of str
        The files of that entry, relative to it.
    """
    parts = [name.split("/") for name in names]
    inside = {names[0] for names in parts if len(names) > 1}
    # One person's scripts and that person's old versions of them are no two students.
    inside = {name for name in inside if not is_old_copy(name, ())}
    if place != tree and len(inside) > 1 and all(len(names) > 1 for names in parts):
        message = (
            f"{tree} holds one folder, which has {len(inside)} folders with code in it. Did you mean {place}? "
            f"If it is one person's work, grade it with `grade {place}`."
        )
        raise UsageError(message)


def _list_files(entries: Sequence[Arranged]) -> list[str]:
    return [path.name for entry in entries for path in entry.paths if not path.is_dir()]


def _former_stem(name: str) -> str:
    """Return a file's stem without what a second download or a copy appended: "third_key" for "third_key (1).py"."""
    return re.sub(r"[ -]+", "_", APPENDED.sub("", file_stem(name).casefold()))


def _find_person(name: str, handed_out: Collection[str]) -> str:
    """Return what stands before the exercise in the name of a file: "doe" in "doe_third_key.py"; nothing elsewhere."""
    stem = file_stem(name)
    former = _former_stem(name)
    stems = [wanted for wanted in handed_out if looks_like(stem, wanted) and former != wanted]
    # "doe_multi_head_attention" ends in two of them.
    return former.removesuffix(max(stems, key=len)).strip("_") if stems else ""
