"""How much memory there is at all: for the machine, or for the control group that the grader runs in (Linux)."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

_MIB = 1 << 20
_MEMINFO, _OWN_GROUPS, _GROUPS = Path("/proc/meminfo"), Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")


def total() -> int | None:
    """Return the MiB that this process and its children can have together; `None` where the system does not tell."""
    told = [*_read_machine(), *_read_groups()]
    return min(told) if told else None


def _read_machine() -> Iterator[int]:
    try:
        words = _MEMINFO.read_text(encoding="ascii").split()
        yield int(words[words.index("MemTotal:") + 1]) >> 10
    except (OSError, ValueError, IndexError):
        return


def _read_groups() -> Iterator[int]:
    """Yield the limits of the groups of this process, and of those around them: a container is one."""
    try:
        lines = _OWN_GROUPS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, path = line.split(":", 2)
        if kinds == "":  # the second version has one tree for everything
            yield from _read_limits(_GROUPS, path, "memory.max")
        elif "memory" in kinds.split(","):
            yield from _read_limits(_GROUPS / "memory", path, "memory.limit_in_bytes")


def _read_limits(tree: Path, path: str, name: str) -> Iterator[int]:
    inner = tree / path.lstrip("/")
    for folder in (inner, *inner.parents):
        with contextlib.suppress(OSError, ValueError):  # where there is no limit, it says "max", or nearly 2^63
            yield int((folder / name).read_text(encoding="ascii")) // _MIB
        if folder == tree:
            return
