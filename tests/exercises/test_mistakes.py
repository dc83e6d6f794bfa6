"""The catalogue of known mistakes and their executables are in step, show themselves, and give nothing away."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.course import Solutions, find_course, load_solutions
from grader.exercises import EXERCISES, asked_names
from grader.exercises.catalogue import MISTAKES
from grader.exercises.exercise import Severity
from grader.exercises.third_key.ladder import PAGE_K3, PAGE_Q, PAGE_V3
from grader.judging.diagnosis import same_answer
from grader.key.answer_key import AnswerKey
from grader.key.building import build_key

CATALOGUE = {mistake.code: mistake for mistakes in MISTAKES.values() for mistake in mistakes}
MUTATING = {
    ("softmax", "E1-26"),
    ("attention", "E1-26"),
    ("multi_head_attention", "E2-31"),
    ("softmax_jacobian", "E3J-18"),
    ("grad_scores", "E3B-33"),
    ("numerical_gradient", "FD-05"),
    ("numerical_gradient", "FD-13"),
}
# What a hint may not hold: roots, powers, products, transposes, the keyword that mends broadcasting, a quotient.
FORMULA = re.compile(
    r"sqrt|\*\*|\^|\bd_k\b|\bd_v\b|keepdims|@|\.T\b|\w\s*/\s*\w|\s\*\s|outer|diag\(|eye\(|\.max\(|\.sum\("
)
SERIES = {"third_key": r"E1-\d\d", "multi_head": r"E2-\d\d", "gradient_chain": r"E3J-\d\d|E3B-\d\d|FD-\d\d"}


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    return build_key(find_course(), 11)


@pytest.fixture(scope="module")
def solutions() -> Solutions:
    return load_solutions(find_course(), asked_names())


def test_each_code_has_an_executable_for_each_of_its_functions_and_the_reverse(solutions):
    described = {(name, mistake.code) for mistake in CATALOGUE.values() for name in mistake.functions}
    executable = {(name, code) for name, table in solutions.mistakes.items() for code in table if "+" not in code}
    assert described == executable


@pytest.mark.parametrize("slug", MISTAKES)
def test_codes_are_unique_sorted_and_of_their_exercise(slug):
    codes = [mistake.code for mistake in MISTAKES[slug]]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(SERIES.get(slug, r"[A-Z0-9]+-\d\d"), code) for code in codes)
    asked = {function.name for function in EXERCISES[slug].functions}
    assert all(set(mistake.functions) <= asked for mistake in MISTAKES[slug])


@pytest.mark.parametrize("code", CATALOGUE)
def test_record_is_complete_and_in_plain_words(code):
    mistake = CATALOGUE[code]
    assert mistake.title[0].islower() or mistake.title.startswith(("Q", "K", "V"))
    assert not mistake.title.endswith(".")
    assert len(mistake.title) <= 75
    for sentence in (mistake.experiment, mistake.idea):
        assert sentence[0].isupper()
        assert sentence[-1] in ".?"
        assert "!" not in sentence
    assert mistake.formula
    assert mistake.invisible
    assert all(source.startswith("https://") for source in mistake.sources)


@pytest.mark.parametrize("code", CATALOGUE)
def test_hints_hold_no_formula(code):
    mistake = CATALOGUE[code]
    for text in (mistake.title, mistake.experiment, mistake.idea):
        assert not FORMULA.search(text), text


@pytest.mark.parametrize(
    "leak", ["divide by sqrt(d_k)", "use keepdims=True", "s * (1 - s)", "Q @ K.T", "x - x.max(axis=1)"]
)
def test_a_formula_in_a_hint_would_be_seen(leak):
    assert FORMULA.search(leak)


def test_two_hints_read_as_the_handout_promises():
    assert CATALOGUE["E1-10"].experiment == "Which axis runs over the keys being chosen from?"
    assert CATALOGUE["E1-14"].experiment == (
        "Print np.exp(1000.). What can be subtracted from all scores of a row without changing softmax?"
    )


def test_aliases_are_symmetric_and_share_a_function():
    for mistake in CATALOGUE.values():
        for other in mistake.aliases:
            assert mistake.code in CATALOGUE[other].aliases
            assert set(mistake.functions) & set(CATALOGUE[other].functions)


def test_every_mistake_shows_itself_on_a_probe(key):
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    hidden = [
        f"{code} in {name}"
        for name, table in key.mistakes.items()
        for code, answers in table.items()
        if all(same_answer(answer, key.answers[probe], tolerances[probe]) for probe, answer in answers.items())
    ]
    assert hidden == []


def test_mistakes_of_one_function_differ_from_each_other_unless_they_are_aliases(key):
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    for name, table in key.mistakes.items():
        singles = {code: answers for code, answers in table.items() if "+" not in code}
        for one, first in singles.items():
            alike = {
                other
                for other, second in singles.items()
                if other != one and all(same_answer(first[probe], second[probe], tolerances[probe]) for probe in first)
            }
            assert alike <= CATALOGUE[one].aliases, f"{one} in {name}"


def test_notes_stay_within_the_note_band(key):
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    for mistake in CATALOGUE.values():
        if mistake.severity is Severity.NOTE:
            for name in mistake.functions:
                for probe, answer in key.mistakes[name][mistake.code].items():
                    assert same_answer(answer, key.answers[probe], tolerances[probe], 1e-5), (
                        f"{mistake.code} on {probe}"
                    )


def test_only_mistakes_about_the_input_change_it(key):
    changed = {
        (name, code)
        for name, table in key.mistakes.items()
        for code, answers in table.items()
        if any(answer.changed for answer in answers.values())
    }
    assert changed == MUTATING


def test_combined_mistakes_are_made_of_different_known_ones(solutions):
    combined = [(name, code) for name, table in solutions.mistakes.items() for code in table if "+" in code]
    assert {name for name, _ in combined} == {"softmax", "attention", "multi_head_attention", "attention_grad_q"}
    for name, code in combined:
        parts = code.split("+")
        assert parts == sorted(set(parts))
        assert all(name in CATALOGUE[part].functions for part in parts)


def test_combined_mistakes_differ_from_each_of_their_parts(key):
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    for name, table in key.mistakes.items():
        for code, answers in table.items():
            for part in code.split("+") if "+" in code else ():
                apart = any(not same_answer(answers[probe], table[part][probe], tolerances[probe]) for probe in answers)
                assert apart, f"{code} in {name} is the same as {part}"


@pytest.mark.parametrize(("keys", "right"), [(2, 29), (3, 12)])
def test_the_page_hides_most_of_the_mistakes(solutions, keys, right):
    Q, K, V = PAGE_Q, PAGE_K3[:keys], PAGE_V3[:keys]
    expected = solutions.references["attention"](Q, K, V)[0]
    from_research = {
        code: f for code, f in solutions.mistakes["attention"].items() if code <= "E1-40" and "+" not in code
    }
    assert sum(_gives(f, expected, Q, K, V) for f in from_research.values()) == right


def _gives(function: Callable[..., Any], expected: np.ndarray, *arrays: np.ndarray) -> bool:
    """Whether a mistake gives the right output here; raising or another shape is not right."""
    try:
        value = function(*(array.copy() for array in arrays))
    except ValueError:
        return False
    output = np.asarray(value[0] if isinstance(value, tuple) else value)
    return output.shape == expected.shape and float(np.max(np.abs(output - expected))) < 1e-12


def test_without_a_scale_the_identical_key_gets_more_than_half(solutions):
    third_key = solutions.mistakes["third_key"]
    assert third_key["E1-01"]()[1][0, 2] == pytest.approx(0.576117, abs=1e-6)
    assert third_key["E1-02"]()[1][0, 2] < 0.5


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("softmax", ("E1-65", "E1-66", "E1-67", "E1-69")),
        ("attention", ("E1-65", "E1-66", "E1-67", "E1-69")),
        ("multi_head_attention", ("E2-45", "E2-46", "E2-47", "E2-51")),
        ("softmax_jacobian", ("E3J-21", "E3J-22", "E3J-23", "E3J-24")),
    ],
)
def test_a_wrong_shift_or_a_clip_shows_on_large_scores_only(key, name, codes):
    probes = {probe.id: probe for probe in key.probes}
    for code in codes:
        for probe, answer in key.mistakes[name][code].items():
            if not same_answer(answer, key.answers[probe], probes[probe].tolerances):
                assert probes[probe].extreme, f"{code} on {probe}"


def test_the_order_of_the_keys_changes_the_weights_and_not_the_output(solutions):
    output, weights = solutions.references["third_key"]()
    in_front = solutions.mistakes["third_key"]["E1-49"]()
    assert in_front[0] == pytest.approx(output)
    assert in_front[1] == pytest.approx(np.roll(weights, 1))


def test_answers_kept_by_shape_start_empty_whenever_the_file_is_loaded():
    first, second = (load_solutions(find_course(), asked_names()).mistakes["softmax"]["E1-47"] for _ in range(2))
    ones, steep = np.array([1.0, 1.0]), np.array([0.0, 9.0])
    assert np.array_equal(first(ones), first(steep))
    assert not np.array_equal(first(steep), second(steep))
