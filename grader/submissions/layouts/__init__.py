"""How a tree with the work of many people is laid out. A new layout is a file and a row in `LAYOUTS`.

A layout looks at names only: it says which paths belong to whom, and why each other one belongs to nobody.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from grader.submissions.layouts.entries import Arrangement, Entry
from grader.submissions.layouts.plain import arrange_plain

__all__ = ["LAYOUTS", "Arrangement", "Entry"]

Layout = Callable[[Path, Sequence[Path]], Arrangement]

LAYOUTS: Mapping[str, Layout] = MappingProxyType({"plain": arrange_plain})
