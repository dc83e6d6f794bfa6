"""Claims about speed, each a ratio of interleaved medians in one run, so that a busy machine slows both sides alike.

Run with `pytest -m benchmark`.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import find_course
from grader.exercises import EXERCISES
from grader.grading import grade_submission
from grader.judging.judge import judge
from grader.key.building import build_key
from grader.key.frozen import load_key
from grader.sandbox import open_engine, run
from grader.settings import Settings
from grader.submissions import read_submission
from grader.submissions.asking import read_asked

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = [function for exercise in EXERCISES.values() for function in exercise.functions]


def interleave(*actions: Callable[[], object], rounds: int) -> list[float]:
    """Return the median seconds of each action, run by turns after one unmeasured round."""
    seconds: list[list[float]] = [[] for _ in actions]
    for k in range(rounds + 1):
        for action, spent in zip(actions, seconds, strict=True):
            start = time.perf_counter()
            action()
            if k:
                spent.append(time.perf_counter() - start)
    return [statistics.median(spent) for spent in seconds]


def process(*words):
    return lambda: subprocess.run([sys.executable, *map(str, words)], check=False, stdout=-1, stderr=-1, cwd=ROOT)


# Measured: 2.1 to 2.6 for untouched work, which needs pydantic and no numpy, and 3.6 to 4.6 for work that is run, where
# grader and child import numpy once each, on two processors that import it together no faster than one after the other.
@pytest.mark.parametrize(("folder", "times"), [("assignments", 3), ("solutions", 5)])
def test_a_cold_run_takes_a_few_times_the_import_of_numpy(folder, times):
    numpy, grade = interleave(process("-c", "import numpy"), process("-m", "grader", folder, "--no-report"), rounds=9)
    print(f"\nimport numpy {numpy * 1000:.0f} ms, grade {folder}/ {grade * 1000:.0f} ms: {grade / numpy:.2f} times")
    assert grade <= times * numpy


def silence(monkeypatch):
    """Take names, hints and fingerprints out of the judging."""
    monkeypatch.setattr("grader.judging.judge._Names.of", lambda *_: ())
    monkeypatch.setattr("grader.judging.judge.read_fingerprint", lambda check, *_: check)


@pytest.mark.parametrize("sample", ["no-scale", "diagonal-jacobian", "softmax-over-queries"])
def test_diagnosis_adds_less_than_a_tenth(sample):
    course = find_course()
    key = load_key(course.public_key)
    submission = read_submission([ROOT / "tests" / "samples" / sample], read_asked(course))
    exercises = tuple(EXERCISES.values())
    calls = key.calls([function.name for function in EVERYTHING])
    with open_engine() as engine:
        report = grade_submission(submission, key, engine, Settings())
        assert any(check.mistake for exercise in report.exercises for check in exercise.checks)
        answers = run(engine, submission.program, calls, Settings().limits)

        def diagnose():
            return judge(exercises, key, submission.definitions, answers, EVERYTHING)

        def only_judge():
            with pytest.MonkeyPatch.context() as monkeypatch:
                silence(monkeypatch)
                return diagnose()

        whole, diagnosed, bare = interleave(
            lambda: grade_submission(submission, key, engine, Settings()), diagnose, only_judge, rounds=25
        )
    print(f"\n{sample}: graded in {whole * 1000:.0f} ms, of which diagnosis {(diagnosed - bare) * 1000:.1f} ms")
    assert diagnosed - bare < 0.1 * whole


def test_a_key_of_another_seed_with_all_mistakes_is_built_within_two_seconds():
    course = find_course()
    seeds = iter(range(1000, 2000))
    (built,) = interleave(lambda: build_key(course, next(seeds)), rounds=5)
    print(f"\na key with all mistakes: {built:.2f} s")
    assert built < 2


def test_loading_the_frozen_key_takes_a_fraction_of_building_it():
    course = find_course()
    loaded, built = interleave(
        lambda: load_key(course.public_key), lambda: build_key(course, 1706, mistakes=False), rounds=7
    )
    print(f"\nloading {loaded * 1000:.0f} ms, building without mistakes {built * 1000:.0f} ms")
    assert loaded < 0.5 * built
