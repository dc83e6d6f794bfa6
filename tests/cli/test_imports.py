"""What a command imports, from a real process: heavy libraries only where they are used."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

HEAVY = {"numpy", "pydantic", "nbformat", "rich", "jinja2", "IPython", "jsonschema"}


def imported(words, cwd):
    """Return the top-level modules that `grade WORDS` imports in its own process."""
    code = (
        "import sys; from grader.cli import run; code = run(sys.argv[1:]); "
        "print('\\nMODULES', *sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.rpartition("MODULES")[2].split())


@pytest.mark.parametrize(
    "words", [["--help"], [], ["grade", "--help"], ["doctor", "--help"], ["nonsense"], ["key", "-h"]]
)
def test_help_and_mistyped_words_import_nothing_heavy(words, tmp_path):
    assert imported(words, tmp_path) & HEAVY == set()


def test_version_imports_nothing_heavy(tmp_path):
    assert imported(["--version"], tmp_path) & HEAVY == set()


def test_grading_a_script_imports_numpy_and_pydantic_only(right_work, tmp_path):
    assert imported([right_work, "--exercise", "third_key"], tmp_path) & HEAVY == {"numpy", "pydantic"}


def test_untouched_work_needs_no_numpy(tmp_path):
    assert imported([ROOT / "assignments", "--no-report"], tmp_path) & HEAVY == {"pydantic"}


def test_grading_never_imports_solutions_where_the_public_key_is_used(right_work, tmp_path):
    assert imported([right_work], tmp_path) & {"attention", "blockwise", "third_key", "solutions"} == set()


def test_the_schema_needs_no_numpy(tmp_path):
    assert imported(["schema"], tmp_path) & HEAVY == {"pydantic"}
