"""Both engines, started once for the whole folder."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import open_engine

LINUX = sys.platform == "linux"


# What this system uses is tried each time, the other engine in the slow tier.
OTHER = pytest.param("spawn", marks=pytest.mark.slow if LINUX else ())


@pytest.fixture(scope="session", params=[OTHER, "zygote"])
def engine(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return an engine; every test that takes it runs over both."""
    if request.param == "zygote" and not LINUX:
        pytest.skip("the zygote needs Linux")
    with open_engine(request.param) as made:
        yield made


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make all temporary folders of new engines appear here."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants() -> set[int]:
    """Return the living descendants of this process."""
    parents = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and alive(int(path.name)):
            try:
                parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found
