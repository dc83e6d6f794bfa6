"""The isolation in force, put together from what a child said about itself before any student code was there.

Nothing here is taken from configuration: a kernel may accept less than it was asked for, and a report that promised
more would mislead an instructor.
"""

from collections.abc import Mapping
from typing import Any

from grader.errors import IsolationError


def assess(hello: Mapping[str, Any], tests: Mapping[str, str]) -> dict[str, Any]:
    """Return the isolation report of a hello and a self-test.

    The level is "full" where Landlock guards files, seccomp guards system calls and the self-test was refused
    everything; otherwise it is "weak". `missing` lists what is not in force. A missing memory limit alone does not
    lower the level, which is about what a child can read and reach.
    """
    said = hello["isolation"]
    missing = [
        *([] if said.get("landlock", {}).get("fs") else ["landlock"]),
        *([] if said.get("seccomp", {}).get("on") else ["seccomp"]),
        *([] if said.get("rlimits", {}).get("memory_mib") is not None else ["memory limit"]),
        *(f"self-test: {name} was {result}" for name, result in tests.items() if result != "refused"),
        *([] if tests else ["self-test"]),
    ]
    return {
        "level": "weak" if set(missing) - {"memory limit"} else "full",
        "engine": hello["engine"],
        "user": said.get("user", ""),
        "landlock": said.get("landlock", {}),
        "seccomp": said.get("seccomp", {}),
        "rlimits": said.get("rlimits", {}),
        "selftest": dict(tests),
        "missing": missing,
    }


def is_disturbed(tests: Mapping[str, str]) -> bool:
    """Return whether a self-test did not come to its end, which says nothing about the system."""
    return "disturbed" in tests.values()


def is_sealed(found: Mapping[str, Any]) -> bool:
    """Return whether a child can neither kill nor stop itself or its parent, so that it was somebody else."""
    tests = found["selftest"]
    return all(tests.get(name) == "refused" for name in ("kill itself", "choose a signal", "signal the parent"))


def hold_to(demand: str | None, found: Mapping[str, Any]) -> None:
    """Raise `IsolationError` if full isolation is demanded and not in force."""
    if demand == "full" and found["level"] != "full":
        missing = ", ".join(found["missing"])
        message = f"full isolation is not available here (missing: {missing}); --isolation weak grades without it"
        raise IsolationError(message)
