"""Recognise a tree's layout by its names, or say why that cannot be told."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.layouts.downloads import Download
from grader.submissions.layouts.entries import Arrangement, Layout

AUTO = "auto"
PLAIN = "plain"
_MOST_FIT = 0.5  # of the names: what is less may be a student's own way of naming files
UNSURE = "layout-unsure: some names here look like those of a platform, and most do not"


@dataclass(frozen=True)
class Recognised:
    """The layout of a tree, and a sentence for the instructor where not every name fits."""

    layout: str
    arrangement: Arrangement
    doubt: str = ""


def recognise(
    layouts: Mapping[str, Layout], tree: Path, leave_out: Sequence[Path], handed_out: Collection[str]
) -> Recognised:
    """Arrange a tree by the layout whose names it has.

    Parameters
    ----------
    layouts : mapping of str to Layout
        The registry.
    tree : Path
        A folder.
    leave_out : sequence of Path
        Folders in it that are no work.
    handed_out : collection of str
        The stems of the files that students get.

    Returns
    -------
    Recognised
        "plain" where fewer than half of the names are a platform's.

    Raises
    ------
    UsageError
        Two layouts fit equally well; or the tree cannot be read.
    """
    downloads = {name: layout for name, layout in layouts.items() if isinstance(layout, Download)}
    fitting = {name: layout.measure(tree, leave_out, handed_out) for name, layout in downloads.items()}
    most = max(fitting.values(), default=0.0)
    best = [name for name, part in fitting.items() if part == most and part > 0]
    if most < _MOST_FIT:
        arrangement = layouts[PLAIN](tree, leave_out, handed_out)
        if not best:
            return Recognised(PLAIN, arrangement)
        entries = tuple(replace(entry, flags=(*entry.flags, UNSURE)) for entry in arrangement.entries)
        doubt = f"some names look like {' or '.join(best)}; `--layout` decides"
        return Recognised(PLAIN, replace(arrangement, entries=entries), doubt)
    if len(best) > 1:
        choices = " or ".join(f"--layout {name}" for name in best)
        message = f"the names in {tree} fit {' and '.join(best)} equally well. Say which it is with {choices}."
        raise UsageError(message)
    doubt = "" if most == 1 else "some names do not fit, and their rows say so"
    return Recognised(best[0], layouts[best[0]](tree, leave_out, handed_out), doubt)
