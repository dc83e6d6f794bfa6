"""Eight people's work, end to end: marks and names as `tests/samples/truth.json` has them."""

import json
import shutil
from pathlib import Path

import pytest

from builders import automatic_points, written_points
from grader.exercises.catalogue import CATALOGUE
from grader.grading import grade_paths
from grader.report import Outcome, dump_report
from grader.sandbox import open_engine
from grader.settings import Settings

SAMPLES = Path(__file__).parent / "samples"
TRUTH = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))

# Points that each sample loses, by exercise: values of `attention` (11.5), of `multi_head_attention` (8), large scores
# of `attention` (2), the Jacobian without its form (6.75) and the chain (7.5), differences without their form (4.75).
LOST = {
    "right-scripts": {},
    "right-notebook": {},
    "no-scale": {"third_key": 11.5},
    "root-of-model-width": {"multi_head": 8},
    "diagonal-jacobian": {"gradient_chain": 6.75 + 7.5},
    "unstable-softmax": {"third_key": 2},
    "softmax-over-queries": {"third_key": 11.5, "multi_head": 8},
    "forward-difference": {"gradient_chain": 4.75},
}
SECOND = {"diagonal-jacobian": {"gradient_chain": "E3J-01"}}


@pytest.fixture(scope="module")
def engine():
    with open_engine() as made:
        yield made


@pytest.fixture(scope="module")
def reports(engine):
    return {name: grade_paths([SAMPLES / name], engine=engine) for name in TRUTH}


def answered(report, name):
    """Return the exercises that the sample is about: one that was added later is missing from all of them."""
    return [exercise for exercise in report.exercises if exercise.slug in TRUTH[name]]


def lost_in(report, name):
    lost = {exercise.slug: exercise.max_score - exercise.score for exercise in answered(report, name)}
    assert set(lost) == set(TRUTH[name])
    return {slug: points for slug, points in lost.items() if points}


def codes_of(exercise):
    checks = [check for check in exercise.checks if check.score < check.max_score]
    return {mistake.code for check in checks for mistake in (check.mistake, *check.further_mistakes) if mistake}


def test_every_sample_has_a_truth_and_its_losses():
    assert set(TRUTH) == set(LOST) == {path.name for path in SAMPLES.iterdir() if path.is_dir()}


@pytest.mark.parametrize("name", LOST)
def test_each_exercise_loses_what_is_stated(reports, name):
    report = reports[name]
    assert report.status == "graded"
    assert lost_in(report, name) == LOST[name]
    assert report.score == sum(exercise.score for exercise in report.exercises)
    assert (report.max_score, report.pending_score) == (automatic_points(), written_points())


@pytest.mark.parametrize("name", LOST)
def test_right_exercises_have_full_marks_and_wrong_ones_the_name_of_their_mistake(reports, name):
    for exercise in answered(reports[name], name):
        truth = TRUTH[name][exercise.slug]
        if truth == "right":
            assert exercise.score == exercise.max_score
            assert exercise.outcome is Outcome.PASSED
            assert codes_of(exercise) == set()
        else:
            allowed = {truth, *CATALOGUE[truth].aliases}
            second = SECOND.get(name, {}).get(exercise.slug)
            assert codes_of(exercise) & allowed
            assert codes_of(exercise) <= allowed | ({second} if second else set())
            assert exercise.score < exercise.max_score


def test_a_missing_scale_loses_the_values_of_attention_and_nothing_further_on(reports):
    third, heads, chain, *_ = reports["no-scale"].exercises
    lost = {check.name for check in third.checks if check.score < check.max_score}
    assert lost == {"attention.weights", "attention.output", "attention.inputs", "attention.large"}
    assert heads.score == heads.max_score
    assert chain.score == chain.max_score
    whole = next(check for check in chain.checks if check.name == "attention_grad_q.gradient")
    assert (whole.evidence.formula, whole.evidence.consistency, whole.evidence.carried) == (False, False, True)
    assert "inherits E1-01" in whole.message
    page = next(check for check in third.checks if check.name == "third_key.values")
    assert "inherits E1-01" in page.message


def test_a_hidden_seed_judges_the_samples_alike(engine):
    for name in ("right-scripts", "no-scale", "softmax-over-queries"):
        assert lost_in(grade_paths([SAMPLES / name], Settings(seed=11), engine=engine), name) == LOST[name]


def comparable(report):
    """Return the exercises without seconds and places in files."""
    record = json.loads(dump_report(report))["exercises"]
    for exercise in record:
        for check in exercise["checks"]:
            check["seconds"] = check["location"] = None
    return record


def as_notebook(paths, target):
    cells = []
    for path in paths:
        source = path.read_text(encoding="utf-8")
        cells.append({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None})
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    target.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.mark.parametrize("name", ["right-scripts", "no-scale", "unstable-softmax"])
def test_the_same_code_in_a_notebook_is_judged_alike(engine, reports, tmp_path, name):
    order = ("third_key.py", "multi_head.py", "gradient_chain.py")
    as_notebook([SAMPLES / name / file for file in order], tmp_path / "attention.ipynb")
    assert comparable(grade_paths([tmp_path / "attention.ipynb"], engine=engine)) == comparable(reports[name])


def test_the_same_work_with_the_same_key_gives_the_same_bytes(engine, tmp_path):
    shutil.copytree(SAMPLES / "no-scale", tmp_path / "work")
    first, second = (dump_report(grade_paths([tmp_path / "work"], engine=engine)) for _ in range(2))
    assert without_times(first) == without_times(second)


def without_times(text):
    return [line for line in text.splitlines() if not line.strip().startswith(('"seconds"', '"created_at"'))]


def test_other_seeds_give_other_inputs_and_another_key(engine):
    choices = [Settings(exercises=("third_key",), seed=seed) for seed in (3, 4)]
    reports = [grade_paths([SAMPLES / "no-scale"], settings, engine=engine) for settings in choices]
    shown = [
        next(check for check in report.exercises[0].checks if check.name == "attention.inputs").counterexample.inputs
        for report in reports
    ]
    assert shown[0] != shown[1]
    assert reports[0].key_digest != reports[1].key_digest
    assert [report.seed for report in reports] == [3, 4]
