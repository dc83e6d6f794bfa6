"""The wheel holds what it should, and grades from anywhere."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from checkout import PROJECT, copy_checkout

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the checkout, with the build backend alone: no network, no isolation."""
    place = tmp_path_factory.mktemp("build")
    copy_checkout(place / "checkout")
    # Bytecode and a notebook's checkpoints lie about in a checkout that is worked in.
    subprocess.run([sys.executable, "-m", "compileall", "-q", place / "checkout" / "grader"], check=True)
    code = f"import hatchling.build; print(hatchling.build.build_wheel({str(place)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=place / "checkout", capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return place / done.stdout.strip().splitlines()[-1]


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_grader_the_stubs_and_the_public_key(wheel):
    names = names_in(wheel)
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "grader").rglob("*.py")}
    course = {f"grader/_course/assignments/{path.name}" for path in (ROOT / "assignments").iterdir() if path.is_file()}
    assert sources | course | {"grader/public_key.npz", "grader/py.typed"} <= names


def test_the_wheel_holds_no_solution_no_test_and_no_rubbish(wheel):
    names = {name for name in names_in(wheel) if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in names} == {"grader"}
    assert not [name for name in names if "solutions" in name or "tests" in name or "__pycache__" in name]
    solution = (ROOT / "solutions" / "attention.py").read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        assert all(archive.read(name) != solution for name in names)


def test_the_wheel_installs_the_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "grade = grader.__main__:main" in archive.read(points).decode()


def test_each_dependency_is_imported_somewhere_and_each_import_is_declared():
    declared = {line.split(">")[0] for line in PROJECT["project"]["dependencies"]}
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "grader").rglob("*.py"))
    imported = {
        name
        for name in ("click", "nbformat", "numpy", "pydantic", "rich", "jinja2", "IPython")
        if f"import {name}" in text or f"from {name}" in text
    }
    assert imported == declared


@pytest.mark.slow
def test_an_installed_wheel_grades_in_a_folder_of_its_own_without_solutions(wheel, tmp_path):
    venv.create(tmp_path / "environment", with_pip=True)
    scripts = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "-q", wheel], check=True, timeout=300)
    elsewhere = tmp_path / "a folder of its own"
    elsewhere.mkdir()
    shutil.copytree(ROOT / "solutions", elsewhere / "work", ignore=shutil.ignore_patterns("mistakes", "__pycache__"))
    shutil.copytree(ROOT / "solutions", elsewhere / "checkout" / "solutions")
    shutil.copytree(ROOT / "assignments", elsewhere / "untouched")

    def grade(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [scripts / "grade", *words], cwd=elsewhere, capture_output=True, text=True, check=False, timeout=120
        )

    assert grade("work").returncode == 0
    assert (elsewhere / "report.json").is_file()
    # The known mistakes of a checkout lie beside its solutions, whichever course is in force.
    assert grade("checkout/solutions", "--no-report").returncode == 0
    assert grade("checkout", "--no-report").returncode == 0
    assert grade("untouched", "--no-report").returncode == 1
    for words in (["work", "--seed", "3"], ["stubs", "--check"], ["key", "--check"]):
        done = grade(*words)
        assert done.returncode == 4, done.stderr
        assert "--course DIR" in done.stderr
        assert done.stderr.count("\n") == 1
    doctor = grade("doctor")
    assert doctor.returncode == 0
    assert "none here" in doctor.stdout
    assert grade("work", "--seed", "3", "--course", str(ROOT), "--no-report").returncode == 0
