"""Gives up rights, step by step, and returns what is in force. A step that fails is missing from what is returned.

The order is: another user (where the grader is root), resource limits, Landlock, seccomp. Each later step would make an
earlier one impossible. Landlock and seccomp do not stand for one another. Of 64 attacks, 14 succeeded with resource
limits alone, 5 with either of the two beside them, none with both: Landlock guards files and other processes, seccomp
guards starting processes, sockets, and the modes and owners of files.
"""

import os
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import rlimits

if sys.platform == "linux":
    from ..shared import linux
    from . import grants, identity, landlock, seccomp, selftest

_TESTED = {"memory": 1024, "cpu": 45, "file_size": 64}  # limits of the fork that makes the self-test: any will do


class Prepared(NamedTuple):
    """The parts of the confinement that are made once and used by many children."""

    step: "identity.Step"
    ruleset: "landlock.Ruleset | None"
    filter: "seccomp.Template | None"


def prepare(folder: str, hidden: Iterable[str], *, confine: bool) -> Prepared | None:
    """Return what children can share; `None` on a system that has nothing to confine with.

    Parameters
    ----------
    folder : str
        The only place that children may change. It is given to the user that they become.
    hidden : iterable of str
        Paths that they must not read, although these may lie below a folder of libraries.
    confine : bool
        False leaves out Landlock and seccomp.
    """
    if sys.platform != "linux":
        return None
    step = identity.choose(folder)
    identity.give(step, folder)
    ruleset = None
    if confine:
        readable = [(path, landlock.READ) for path in grants.readable(hidden)]
        ruleset = landlock.build([*readable, (folder, landlock.CHANGE), ("/dev/null", landlock.DEVICE)])
    return Prepared(step, ruleset, seccomp.Template() if confine and seccomp.available() else None)


def enforce(prepared: Prepared | None, limits: dict[str, Any], parent: int) -> dict[str, Any]:
    """Confine this process; return what is in force."""
    if sys.platform != "linux" or prepared is None:
        return {"rlimits": rlimits.apply(limits["memory"], limits["cpu"], limits["file_size"])}
    filter_program = prepared.filter.fill(os.getpid()) if prepared.filter else b""
    took = identity.take(prepared.step)
    # Without seccomp a child can start processes, and those are found by their environment, which must be readable.
    if prepared.filter:
        linux.hide_memory()
    linux.adopt_orphans()
    linux.die_with_parent(parent)
    return {
        "user": prepared.step if took else "root",
        "rlimits": rlimits.apply(limits["memory"], limits["cpu"], limits["file_size"]),
        "landlock": prepared.ruleset.enforce() if prepared.ruleset else {},
        "seccomp": seccomp.enforce(filter_program) if filter_program else {},
    }


def test(prepared: Prepared | None) -> dict[str, str]:
    """Return what came of trying, in a confined fork, what should be refused."""
    if sys.platform != "linux" or prepared is None:
        return {}
    parent = os.getpid()
    return selftest.run(lambda: enforce(prepared, _TESTED, parent))
