"""Which files say by their name that they are old: a copy, a backup, or a second download beside the first."""

import re
from collections.abc import Collection

from grader.submissions.names import ENDING

# Whole words only: `threshold.py`, `golden.py` and `photocopy.py` say nothing of the kind.
_OLD_WORDS = frozenset(
    {"old", "older", "backup", "backups", "bak", "archive", "outdated", "deprecated", "copy", "copies"}
)
_OLD_WORDS |= {"kopie", "copie", "copia"}  # what other languages' systems write before or after the name
_WORD = re.compile(r"[^\W\d_]+")
_NUMBERED = re.compile(r"(.*?)[ _-]*\(\d+\)")


def is_old_copy(name: str, names: Collection[str]) -> bool:
    """Return whether a file is an old copy, as far as its name tells.

    Parameters
    ----------
    name : str
        The file's name in the submission, with its folders: "old/third_key.py", "Copy of third_key.py".
    names : collection of str
        The names of all files: "third_key (1).py" is a copy only beside "third_key.py".
    """
    stem = ENDING.sub("", name)
    *folders, own = (_WORD.findall(part.casefold()) for part in stem.split("/"))
    # Of a file's own words the first and the last one: "third_key_old_idea" may be about an old idea.
    if not _OLD_WORDS.isdisjoint([*own[:1], *own[-1:], *(word for folder in folders for word in folder)]):
        return True
    ending = ENDING.search(name)
    numbered = _NUMBERED.fullmatch(stem)
    return numbered is not None and ending is not None and f"{numbered[1]}{ending[0]}" in names
