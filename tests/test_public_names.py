"""The few public names of the package, and that naming none of them costs nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import grader
from builders import automatic_points

ROOT = Path(__file__).parents[1]


def test_the_public_names_are_there():
    assert set(grader.__all__) == {"Report", "Settings", "__version__", "build_key", "grade", "load_key"}
    for name in grader.__all__:
        assert getattr(grader, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        grader.nothing  # noqa: B018 (reading the name is the test)


def test_grade_gives_a_report():
    report = grader.grade([ROOT / "solutions"])
    assert isinstance(report, grader.Report)
    assert report.score == automatic_points()


def test_grade_takes_settings():
    report = grader.grade([ROOT / "tests" / "samples" / "right-scripts"], grader.Settings(exercises=("third_key",)))
    assert (report.score, report.max_score) == (30, 30)


def test_importing_the_package_imports_nothing_heavy():
    program = "import sys, grader; print([name for name in ('numpy', 'pydantic', 'click') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
