"""Grades answers to three exercises on scaled dot-product attention.

The public names are imported when they are first used: `grade` (from one person's work to a `Report`), `Settings` (how
to grade), `build_key` and `load_key` (the answer key), `Report`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.grading import grade_paths as grade
    from grader.key.building import build_key
    from grader.key.frozen import load_key
    from grader.report import Report
    from grader.settings import Settings

__version__ = "0.1.0"
__all__ = ["Report", "Settings", "__version__", "build_key", "grade", "load_key"]

_PLACES = {
    "grade": ("grader.grading", "grade_paths"),
    "build_key": ("grader.key.building", "build_key"),
    "load_key": ("grader.key.frozen", "load_key"),
    "Report": ("grader.report", "Report"),
    "Settings": ("grader.settings", "Settings"),
}


def __getattr__(name: str) -> Any:
    """Import a public name: `import grader` alone must cost nothing."""
    if name not in _PLACES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)
