"""In the child: gives up rights in one order, and returns what came of it. What fails is missing from the report.

Order: another user (where the grader is root), resource limits, Landlock, seccomp. Each later step would make an
earlier one impossible.
"""

import os
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import rlimits

if sys.platform == "linux":
    from ..shared import linux
    from . import grants, identity, landlock, seccomp, selftest

DEFAULT = {"memory": 1024, "cpu": 45, "file_size": 64}


class Plan(NamedTuple):
    """What can be prepared once for many children."""

    step: "identity.Plan"
    ruleset: "landlock.Ruleset | None"
    filter: "seccomp.Template | None"


def prepare(folder: str, hidden: Iterable[str], *, confine: bool) -> Plan | None:
    """Look at this system and make what children can share; `None` where there is nothing to confine with.

    Parameters
    ----------
    folder : str
        The only place that children may change. It is given to whom they become.
    hidden : iterable of str
        What they must not read, although it may lie below a folder of libraries.
    confine : bool
        False leaves out Landlock and seccomp.
    """
    if sys.platform != "linux":
        return None
    step = identity.plan(folder)
    identity.give(step, folder)
    ruleset = None
    if confine:
        readable = [(path, landlock.READ) for path in grants.readable(hidden)]
        ruleset = landlock.build([*readable, (folder, landlock.CHANGE), ("/dev/null", landlock.DEVICE)])
    return Plan(step, ruleset, seccomp.Template() if confine and seccomp.available() else None)


def enforce(plan: Plan | None, limits: dict[str, Any], parent: int) -> dict[str, Any]:
    """Confine this process; return what is in force."""
    if sys.platform != "linux" or plan is None:
        return {"rlimits": rlimits.apply(limits["memory"], limits["cpu"], limits["file_size"])}
    filter_program = plan.filter.fill(os.getpid()) if plan.filter else b""
    took = identity.take(plan.step)
    if plan.filter:  # else what it starts is found by its environment, which must be readable for that
        linux.hide_memory()
    linux.adopt_orphans()
    linux.die_with_parent(parent)
    return {
        "user": plan.step if took else "root",
        "rlimits": rlimits.apply(limits["memory"], limits["cpu"], limits["file_size"]),
        "landlock": plan.ruleset.enforce() if plan.ruleset else {},
        "seccomp": seccomp.enforce(filter_program) if filter_program else {},
    }


def test(plan: Plan | None) -> dict[str, str]:
    """Try in a fork what should be refused; return what came of it."""
    if sys.platform != "linux" or plan is None:
        return {}
    parent = os.getpid()
    return selftest.run(lambda: enforce(plan, DEFAULT, parent))
