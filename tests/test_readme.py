"""The commands that the README tells a reader to type are typed here, on a copy of the checkout."""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from checkout import copy_checkout

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)

needs_bash = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's script")


def lines_of(language: str) -> list[str]:
    return [line for name, body in FENCES if name == language for line in body.splitlines() if line.strip()]


SETUP, TEST, *DEVELOPMENT = lines_of("sh")
GRADE = [
    pytest.param(line, marks=pytest.mark.slow if "selfcheck" in line else ())
    for line in (line.removeprefix("$ ") for line in lines_of("console"))
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the checkout, so that no command typed here changes the real one."""
    return copy_checkout(tmp_path_factory.mktemp("checkout"))


@pytest.fixture
def course(copy):
    """Return the copy with the work of two students in it."""
    for student, sample in (("doe", "no-scale"), ("roe", "right-notebook")):
        shutil.copytree(ROOT / "tests" / "samples" / sample, copy / "submissions" / student)
    shutil.make_archive(str(copy / "submissions"), "zip", copy, "submissions")
    yield copy
    (copy / "submissions.zip").unlink()
    shutil.rmtree(copy / "submissions")


def run(command: list[str], place: Path, seconds: float = 120.0) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=place,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=seconds,
        stdin=subprocess.DEVNULL,
    )


def test_every_shell_line_begins_with_a_known_program():
    assert all(line.startswith("$ grade ") for line in lines_of("console"))
    assert "-m venv .venv" in SETUP
    assert {name for name, _ in FENCES} <= {"sh", "powershell", "console", "text"}


@pytest.mark.parametrize("line", GRADE)
def test_each_grade_command_does_what_its_comment_says(line, course):
    words = shlex.split(line, comments=True)
    promised = re.search(r"# ends with (\d+)", line)
    done = run([sys.executable, "-m", "grader", *words[1:]], course)
    assert done.returncode == (int(promised[1]) if promised else 0), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_windows_lines_are_the_same_commands():
    windows = lines_of("powershell")
    posix = [SETUP, TEST]
    assert [line.replace("\\", "/").replace(".venv/Scripts/", ".venv/bin/") for line in windows] == [
        line.replace("python3 -m venv", "py -m venv").replace(" &&", ";") for line in posix
    ]


def test_the_exit_codes_in_the_table_are_those_of_the_errors():
    from grader import errors

    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert codes == {0, 1, 130} | {kind.exit_code for kind in kinds if issubclass(kind, errors.GraderError)}


def test_each_command_of_the_command_line_is_named():
    from grader.cli import COMMANDS

    assert [name for name in COMMANDS if name != "grade" and f"grade {name}" not in TEXT] == []


def test_links_inside_the_repository_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", TEXT):
        assert (ROOT / target).exists(), target


@needs_bash
def test_ci_runs_exactly_the_test_command_of_the_readme():
    assert run([str(ROOT / ".ci" / "run"), "--print"], ROOT).stdout == f"{TEST}\n"


@needs_bash
def test_ci_runs_the_command_in_a_copy_with_an_environment_of_its_own(copy, tmp_path):
    checkout = tmp_path / "checkout"
    shutil.copytree(copy, checkout)
    readme = checkout / "README.md"
    readme.write_text(TEXT.replace(TEST, "pwd && cat .venv/made-here && false"), encoding="utf-8")
    python = tmp_path / "python"
    # Stands for the interpreter: `-m venv .venv` makes an environment whose python does nothing.
    python.write_text(
        '#!/bin/sh\nmkdir -p "$3/bin" && echo fresh > "$3/made-here" && printf "#!/bin/sh\\n" > "$3/bin/python"\n'
        'chmod +x "$3/bin/python"\n'
    )
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    done = subprocess.run(
        [checkout / ".ci" / "run"],
        env=os.environ | {"PYTHON": str(python), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    where, said = done.stdout.splitlines()[-2:]
    assert said == "fresh"
    assert done.returncode == 1
    assert Path(where) != checkout
    assert not Path(where).exists()
    assert not (checkout / ".venv").exists()


MODULES = {"grade": "grader"}
SMALLER = {"200": "1", "5000": "5"}  # a class of 5 and one seed show as well that the command works


@pytest.mark.slow
@pytest.mark.parametrize("line", DEVELOPMENT)
def test_each_development_command_works(line, copy, tmp_path):
    tool, *words = shlex.split(line, comments=True)
    name = Path(tool).name
    module = [] if name == "python" else ["-m", MODULES.get(name, name)]
    python = sys.executable
    if "pip" in words:  # never into the environment of these tests, which would lead to the copy from then on
        venv.create(tmp_path, with_pip=True)
        python = str(tmp_path / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    command = [python, *module, *(SMALLER.get(word, word) for word in words)]
    if "pytest" in line:
        command += ["--collect-only", "-q", "-p", "no:cacheprovider"]
    done = run(command, copy, seconds=300)
    assert done.returncode == 0, done.stdout + done.stderr
