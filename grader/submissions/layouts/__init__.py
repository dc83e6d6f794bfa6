"""How a tree with the work of many people is laid out. A new layout is a file and a row in `LAYOUTS`.

A layout says which paths belong to whom, and why each other one belongs to nobody. It looks at names, and at what the
platform itself wrote beside the work; never into work.
"""

from collections.abc import Mapping
from types import MappingProxyType

from grader.submissions.layouts.blackboard import read_blackboard
from grader.submissions.layouts.brightspace import read_brightspace
from grader.submissions.layouts.canvas import read_canvas
from grader.submissions.layouts.downloads import Download
from grader.submissions.layouts.drive import read_drive
from grader.submissions.layouts.entries import Arrangement, Entry, Layout
from grader.submissions.layouts.github import read_classroom50, read_github
from grader.submissions.layouts.gradescope import read_gradescope
from grader.submissions.layouts.moodle import read_moodle
from grader.submissions.layouts.nbgrader import read_nbgrader
from grader.submissions.layouts.plain import arrange_plain

__all__ = ["LAYOUTS", "Arrangement", "Entry"]

LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "plain": arrange_plain,
        "canvas": Download(read_canvas),
        "moodle": Download(read_moodle),
        "gradescope": Download(read_gradescope),
        "blackboard": Download(read_blackboard),
        "brightspace": Download(read_brightspace),
        "github": Download(read_github),
        "classroom50": Download(read_classroom50),
        "nbgrader": Download(read_nbgrader),
        "drive": Download(read_drive),
    }
)
