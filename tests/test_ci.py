"""The script that CI runs, on a project with a handful of tests: two tiers, and a second try for slow tests alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ".venv/bin/python -m pytest"
SLOW = ".venv/bin/python -m pytest -p xdist -m slow"

README = """\
This runs the tests:

```sh
{default}
```

This runs the slow tier:

```sh
touch prepared
{slow}
```
"""
PROJECT = """\
[tool.pytest.ini_options]
addopts = ["--strict-markers", "-m", "not slow"]
markers = ["slow: in a tier of its own"]
"""
# A test counts its runs in files beside the copies, which are made anew and thrown away.
CASES = '''\
import os
import pytest
from pathlib import Path

def runs(name):
    """Return how often this was asked, this time included."""
    path = Path(os.environ["MEMORY"], name)
    path.write_text(path.read_text() + "x" if path.exists() else "x")
    return len(path.read_text())

def test_fast():
    assert {fast}

@pytest.mark.slow
def test_steady():
    runs("steady")

@pytest.mark.slow
@pytest.mark.parametrize("word", ["a b", "ü'$(exit)"])
def test_slow(word):
    assert Path("prepared").exists()
    {slow}

@pytest.mark.slow
def test_last():
    {last}
'''
# Stands for the interpreter: `-m venv .venv` makes an environment whose python installs nothing and is the tests' own.
PYTHON = f"""\
#!/bin/sh
mkdir -p "$3/bin"
cat >"$3/bin/python" <<'END'
#!/bin/sh
if [ "$2" = pip ]; then exit 0; fi
exec {sys.executable!r} "$@"
END
chmod +x "$3/bin/python"
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's script")


@pytest.fixture
def ci(tmp_path):
    """Return a function that runs the script on a project whose tests behave as the caller says."""
    # With spaces and accents, in the path of the checkout and in that of the copy.
    project, temporary, memory = tmp_path / "Prüfung für Zoë", tmp_path / "à la carte", tmp_path / "memory"
    for folder in (project / ".ci", project / "tests", temporary, memory):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", project / ".ci")
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)

    def run(*, default="true", fast="True", slow="pass", last="pass", command=SLOW, conftest="", **env):
        (project / "README.md").write_text(README.format(default=default, slow=command), encoding="utf-8")
        (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
        (project / "tests" / "conftest.py").write_text(conftest, encoding="utf-8")
        (project / "tests" / "test_all.py").write_text(CASES.format(fast=fast, slow=slow, last=last), encoding="utf-8")
        # Other plugins than xdist would only take their time to be imported.
        own = {"PYTHON": str(python), "TMPDIR": str(temporary), "MEMORY": str(memory)}
        done = subprocess.run(
            [project / ".ci" / "run"],
            env=os.environ | own | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | env,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )
        left = [path.name for path in temporary.iterdir() if not path.name.startswith("pytest-of-")]
        assert left == [], "the copy stays behind"
        return done

    run.asked = lambda name: len((memory / name).read_text()) if (memory / name).exists() else 0
    return run


FIRST_TIME_ONLY = "assert runs(f'slow {len(word)}') > 1, 'fails the first time'"


def test_both_tiers_run_and_say_how_long_they_took(ci):
    done = ci(default=DEFAULT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The default tier took " in done.stdout
    assert done.stdout.endswith(" seconds.\n")
    assert ci.asked("steady") == 1
    assert "alone" not in done.stdout


@pytest.mark.parametrize("workers", ["", " -n 2 --dist loadfile"])
def test_a_slow_test_that_fails_once_passes_alone_and_its_failure_is_shown(ci, workers):
    done = ci(slow=FIRST_TIME_ONLY, command=SLOW + workers)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("AssertionError: fails the first time") >= 2
    assert "These slow tests failed once and passed alone." in done.stdout
    assert "tests/test_all.py::test_slow[a b]\n" in done.stdout
    assert ci.asked("slow 3") == 2
    assert ci.asked("steady") == 1


def test_a_slow_test_that_fails_twice_is_a_failure(ci):
    done = ci(slow=FIRST_TIME_ONLY, last="assert runs('last') > 2")
    assert done.returncode == 1
    assert "Failed twice: tests/test_all.py::test_last\n" in done.stderr
    assert ci.asked("last") == 2


def test_where_the_default_tier_fails_the_slow_one_does_not_run(ci):
    done = ci(default=DEFAULT, fast="False")
    assert done.returncode == 1
    assert ci.asked("steady") == 0


def in_the_slow_tier(body):
    return f"def pytest_collection_modifyitems(config):\n    if config.option.markexpr == 'slow':\n        {body}\n"


@pytest.mark.parametrize(
    ("code", "broken"),
    [
        (2, {"conftest": in_the_slow_tier("raise KeyboardInterrupt")}),
        (3, {"conftest": in_the_slow_tier("raise RuntimeError")}),
        (4, {"command": SLOW + " --no-such-option"}),
        (5, {"command": SLOW + " -k nothing_of_that_name"}),
        (137, {"conftest": in_the_slow_tier("import os; os.kill(os.getpid(), 9)")}),
    ],
)
def test_where_pytest_itself_fails_nothing_is_tried_again(ci, code, broken):
    done = ci(**broken)
    assert done.returncode == code, done.stdout + done.stderr
    assert f"The slow tier could not be run: pytest ended with {code}." in done.stderr
    assert "alone" not in done.stdout


def test_a_failure_whose_name_was_not_kept_is_a_failure(ci):
    done = ci(slow=FIRST_TIME_ONLY, command=SLOW + " -p no:cacheprovider")
    assert done.returncode == 1
    assert "pytest did not keep which" in done.stderr


def test_a_test_that_is_skipped_the_second_time_has_not_passed(ci):
    done = ci(last="assert runs('last') > 1; pytest.skip()")
    assert done.returncode == 1
    assert "Failed, and did not run when it was asked for again: tests/test_all.py::test_last" in done.stderr


def test_options_of_the_caller_hide_no_failure(ci):
    done = ci(slow=FIRST_TIME_ONLY, last="assert False", PYTEST_ADDOPTS="-x")
    assert done.returncode == 1
    assert "Failed twice: tests/test_all.py::test_last\n" in done.stderr


def test_a_worker_that_vanishes_hides_no_failure(ci):
    vanish = "if runs('vanished') == 1: os._exit(0)"
    done = ci(slow=vanish, last="assert False", command=SLOW + " -n 2 --dist loadfile")
    assert done.returncode == 1
    assert "crashed while running" in done.stdout
    assert "Failed twice: tests/test_all.py::test_last\n" in done.stderr
