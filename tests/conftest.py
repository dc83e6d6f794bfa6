"""Fixtures for the tests of every room: the command as a real process, copies of the course, the repository's root."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# A shell without job control starts `pytest &` with Ctrl-C ignored, and every process that a test starts would inherit
# that. Tests of Ctrl-C would then wait for processes that never hear of it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in `tests/benchmarks`, so that nothing is timed unless somebody asks for it."""
    for item in items:
        if "benchmarks" in item.path.relative_to(ROOT).parts:
            item.add_marker(pytest.mark.benchmark)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder that holds `pyproject.toml`."""
    return ROOT


@pytest.fixture
def right_work(tmp_path: Path) -> Path:
    """Return a folder with the model answers, as a person would hand them in."""
    folder = tmp_path / "work"
    folder.mkdir()
    for path in (ROOT / "solutions").glob("*.py"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the repository that a test may break; `python -m grader` in it runs the copy."""
    place = tmp_path / "checkout"
    for part in ("assignments", "solutions", "grader"):
        shutil.copytree(ROOT / part, place / part, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture
def c_locale() -> dict[str, str]:
    """Return the environment of a locale that spells nothing but ASCII; skip where no interpreter starts in it.

    Python 3.11 reads the path file of an editable install in the locale's encoding, so in this locale it stops at once
    where the path of the checkout holds an accent.
    """
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    if not str(ROOT).isascii():
        command = [sys.executable, "-c", ""]
        if subprocess.run(command, env=os.environ | environment, stderr=subprocess.DEVNULL, check=False).returncode:
            pytest.skip("Python cannot read the path of this checkout, which is not ASCII, in the C locale")
    return environment


# These change the output of the command; a test that wants one of them says so.
_NEUTRAL = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8", "GRADE_DEBUG")


@pytest.fixture
def grade(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs `python -m grader` as a person would, in an empty folder unless told otherwise."""

    def run(
        *words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None, seconds: float = 60.0
    ) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name not in _NEUTRAL}
        return subprocess.run(
            [sys.executable, "-m", "grader", *map(str, words)],
            cwd=cwd or tmp_path_factory.mktemp("elsewhere"),
            env=environment | {"PYTHONUTF8": "1"} | (env or {}),
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )

    return run
