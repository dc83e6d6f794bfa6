"""Why files are left out of a submission, and what is said about it."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from grader.submissions.labels import enumerate_names

NOISE_FOLDERS = {
    "__MACOSX": "left by macOS",
    "__pycache__": "compiled Python",
    "node_modules": "installed packages",
    "site-packages": "installed packages",
    ".ipynb_checkpoints": "checkpoints of a notebook editor",
}
NOT_PYTHON = "not Python"
CODE = (".py", ".ipynb")
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
ARCHIVE = "an archive, which is not opened; unpack it first"
CANNOT_BE_READ = "cannot be read"  # how a reason begins, which is never a student's word
BROKEN_LINK = "a link that leads nowhere"
CHECKPOINT = "a checkpoint of the notebook beside it"
LEFT_OUT = "not part of the answers"
TOO_LARGE = "too large"
# Left out of the notes: nobody needs to be told.
QUIET = frozenset({*NOISE_FOLDERS.values(), CHECKPOINT, LEFT_OUT, "hidden", "a virtual environment"})


def is_notebook_name(name: str) -> bool:
    """Return whether this is a notebook's name, also with the ending that a browser added (`attention.ipynb.txt`)."""
    return suffix_of(name) == ".ipynb"


def suffix_of(name: str) -> str:
    """Return the ending that says what a file is: ".py", ".ipynb", or another one."""
    suffixes = PurePosixPath(name.casefold()).suffixes
    if len(suffixes) > 1 and suffixes[-1] in {".txt", ".json"} and suffixes[-2] in CODE:
        return suffixes[-2]
    return suffixes[-1] if suffixes else ""


def is_code(name: str) -> bool:
    """Return whether this is the name of a script or a notebook, as far as its ending tells."""
    return suffix_of(name) in CODE


def is_about_size(reason: str) -> bool:
    """Return whether something was not read because there is too much of it."""
    return TOO_LARGE in reason


def explains(name: str, reason: str) -> bool:
    """Return whether a file that was skipped may hold what nobody finds elsewhere."""
    if reason in QUIET or reason == NOT_PYTHON:
        return False
    return reason.startswith(CANNOT_BE_READ) or is_code(name)


def tell_skipped(skipped: Sequence[tuple[str, str]]) -> list[str]:
    """Return notes on what was skipped: one for each reason, none on noise and on Markdown."""
    reasons: dict[str, list[str]] = {}
    for name, reason in skipped:
        if reason not in QUIET and not (reason == NOT_PYTHON and name.lower().endswith(".md")):
            reasons.setdefault(reason, []).append(name)
    verbs = {reason: "was" if len(names) == 1 else "were" for reason, names in reasons.items()}
    return [f"{enumerate_names(names)} {verbs[reason]} skipped: {reason}" for reason, names in reasons.items()]


def tell_nothing(shown: str, paths: Sequence[Path], skipped: Sequence[tuple[str, str]]) -> str:
    """Return the sentence on paths that hold no Python at all."""
    wanted = "a script (.py) or a notebook (.ipynb)"
    if not paths:
        return f"no path was given; give a folder, {wanted}"
    if not skipped:
        return f"{shown} is empty; give a folder with {wanted}"
    reasons = tell_skipped(skipped) or [f"{enumerate_names([name for name, _ in skipped])}: {skipped[0][1]}"]
    return f"{shown} holds nothing to grade ({'; '.join(reasons)}); give {wanted}"


def tell_unreadable(error: Exception) -> str:
    """Return the reason of something that the disk does not give."""
    return f"{CANNOT_BE_READ} ({getattr(error, 'strerror', None) or type(error).__name__})"
