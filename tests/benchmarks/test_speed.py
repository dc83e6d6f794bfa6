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
from grader.frozen import load_key
from grader.grading import GradingOptions, grade_submission, read_asked, start_engine
from grader.judging import judge
from grader.key import build_key
from grader.sandbox import run
from grader.submissions import read_submission

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


@pytest.mark.parametrize("folder", ["assignments", "solutions"])
def test_a_cold_run_takes_no_more_than_three_times_the_import_of_numpy(folder, record_property):
    numpy, grade = interleave(
        process("-c", "import numpy"), process("-m", "grader", folder, "--no-report"), rounds=9
    )
    record_property("seconds", (numpy, grade))
    print(f"\nimport numpy {numpy * 1000:.0f} ms, grade {folder}/ {grade * 1000:.0f} ms: {grade / numpy:.2f} times")
    assert grade <= 3 * numpy


@pytest.mark.parametrize("sample", ["no-scale", "diagonal-jacobian", "softmax-over-queries"])
def test_naming_mistakes_adds_less_than_a_tenth(sample):
    course = find_course()
    key = load_key(course.public_key)
    bare = type(key)(key.seed, key.digest, key.probes, key.answers, {})
    submission = read_submission([ROOT / "tests" / "samples" / sample], read_asked(course))
    with start_engine() as engine:
        whole = lambda: grade_submission(submission, key, engine, GradingOptions())  # noqa: E731
        assert any(check.mistake for exercise in whole().exercises for check in exercise.checks)
        graded, = interleave(whole, rounds=15)
        limits = GradingOptions().limits
        answers = run(engine, submission.program, key.calls([f.name for f in EVERYTHING]), limits)
        exercises = tuple(EXERCISES.values())
        naming, plain = interleave(
            lambda: judge(exercises, key, submission.definitions, answers, EVERYTHING),
            lambda: judge(exercises, bare, submission.definitions, answers, EVERYTHING),
            rounds=25,
        )
    print(f"\n{sample}: graded in {graded * 1000:.0f} ms, of which naming {(naming - plain) * 1000:.2f} ms")
    assert naming - plain < 0.1 * graded


def test_a_key_of_another_seed_with_all_mistakes_is_built_within_two_seconds():
    course = find_course()
    seeds = iter(range(1000, 2000))
    built, = interleave(lambda: build_key(course, next(seeds)), rounds=5)
    print(f"\na key with all mistakes: {built:.2f} s")
    assert built < 2


def test_loading_the_frozen_key_takes_a_fraction_of_building_it():
    course = find_course()
    loaded, built = interleave(
        lambda: load_key(course.public_key), lambda: build_key(course, 1706, mistakes=False), rounds=7
    )
    print(f"\nloading {loaded * 1000:.0f} ms, building without mistakes {built * 1000:.0f} ms")
    assert loaded < 0.5 * built
