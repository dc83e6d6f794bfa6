"""Right numbers in another container, or with another shape of axes, lose the small share of their form."""

from typing import NamedTuple

import numpy as np
import pytest

from builders import automatic_points
from grader.exercises import EXERCISES
from grader.report import Outcome
from judging.answering import REFERENCES, checks_of, judge_functions, score_of

FULL = automatic_points()
ARRAYS = sorted(
    function.name
    for exercise in EXERCISES.values()
    for function in exercise.functions
    if not function.constant and function.name not in ("head_scale", "score_variance")
)


def changing(name, change):
    """Return the reference with every returned array passed through `change`."""

    def function(*args):
        value = REFERENCES[name](*args)
        return tuple(map(change, value)) if isinstance(value, tuple) else change(value)

    return function


def masked(array):
    return np.ma.masked_array(array, mask=False)


def as_object(array):
    return array.astype(object)


def nested(array):
    return array.tolist()


@pytest.mark.parametrize("change", [nested, as_object, masked])
@pytest.mark.parametrize("name", ARRAYS)
def test_right_numbers_in_another_container_lose_the_form_alone(key, name, change):
    results = judge_functions(key, **{name: changing(name, change)})
    checks = checks_of(results)
    assert checks[f"{name}.form"].outcome is Outcome.FAILED
    assert f"`{name}` returned a" in checks[f"{name}.form"].message
    # What else is lost is what other functions, or the carried verdict, cannot do with it: never its values.
    lost = {check.name for check in checks.values() if check.score < check.max_score} - {"explanation.written"}
    assert lost == {f"{name}.form"}


@pytest.mark.parametrize("name", ["attention", "multi_head_attention", "add_key", "grad_queries"])
def test_a_matrix_loses_the_form_alone(key, name):
    with pytest.warns(PendingDeprecationWarning):
        np.matrix([[1]])
    results = judge_functions(key, **{name: changing(name, np.matrix)})
    assert score_of(results) == FULL - 0.25
    assert "numpy.matrix" in checks_of(results)[f"{name}.form"].message


@pytest.mark.parametrize("change", [np.squeeze, lambda a: a[None], lambda a: a[..., None]])
@pytest.mark.parametrize("name", ["attention", "dominant_key", "grad_weights", "third_key", "grad_queries"])
def test_an_axis_of_length_one_too_many_or_too_few_loses_the_form_alone(key, name, change):
    results = judge_functions(key, **{name: changing(name, change)})
    message = checks_of(results)[f"{name}.form"].message
    assert score_of(results) == FULL - 0.25
    assert "has shape" in message
    assert "is expected" in message


def test_a_number_in_an_array_loses_the_form_alone(key):
    assert score_of(judge_functions(key, head_scale=lambda d, h: np.array([1 / np.sqrt(d / h)]))) == FULL - 0.25
    for kind in (np.float64, np.array, lambda x: x):
        assert score_of(judge_functions(key, head_scale=lambda d, h, kind=kind: kind((d / h) ** -0.5))) == FULL


def test_whole_numbers_are_asked_of_an_index(key):
    results = judge_functions(key, dominant_key=lambda w: w.argmax(-1).astype(float))
    assert score_of(results) == FULL - 0.25
    assert "float64" in checks_of(results)["dominant_key.form"].message
    for kind in (np.int8, np.int32, np.uint16, np.int64):
        assert score_of(judge_functions(key, dominant_key=lambda w, kind=kind: w.argmax(-1).astype(kind))) == FULL


class Pair(NamedTuple):
    output: np.ndarray
    weights: np.ndarray


@pytest.mark.parametrize("pack", [tuple, list, lambda pair: Pair(*pair)])
def test_a_pair_may_be_any_pair(key, pack):
    results = judge_functions(key, attention=lambda Q, K, V: pack(REFERENCES["attention"](Q, K, V)))
    assert score_of(results) == FULL


def test_swapped_order_is_observed_as_that_and_named(key):
    checks = checks_of(judge_functions(key, attention=lambda Q, K, V: REFERENCES["attention"](Q, K, V)[::-1]))
    assert "in the other order" in checks["attention.weights"].message
    assert checks["attention.weights"].mistake.code == "E1-27"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        (1j, "a complex number"),
        (np.ones(2) * 1j, "a complex array of shape (2,)"),
        ((x for x in ()), "a generator"),
        ("text", "a string"),
        (b"bytes", "bytes"),
        ({}, "a dict of 0"),
        (object(), "an object"),
        (np.array(["a", "b"]), "array of texts"),
        (np.array([None, {}]), "Python objects"),
        ((1, 2, 3), "a tuple"),
        ([], "a list"),
        ([[1, 2], [3]], "a list"),
        (2**70, "an int"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.parametrize("name", ["softmax", "attention", "head_scale", "dominant_key", "attention_grad_q"])
def test_what_holds_no_answer_earns_nothing_and_is_called_by_its_name(key, name, value, words):
    results = judge_functions(key, **{name: lambda *args: value})
    checks = [check for check in checks_of(results).values() if check.function == name]
    assert sum(check.score for check in checks if not check.name.endswith(("form", "unmodified"))) == 0
    form = next(check for check in checks if check.name.endswith("form"))
    assert form.score == 0
    assert words in form.message
    assert "object at 0x" not in form.message


def test_one_of_two_things_is_called_by_its_shape(key):
    checks = checks_of(judge_functions(key, attention=lambda Q, K, V: REFERENCES["attention"](Q, K, V)[0]))
    assert checks["attention.form"].message.startswith("`attention` returned an array of shape (1, 1), not the pair of")
    assert checks["attention.output"].mistake.code == "E1-60"


def test_a_named_mistake_is_not_blamed_for_the_container(key):
    def no_scale(Q, K, V):
        weights = REFERENCES["softmax"](Q @ K.T)
        return [(weights @ V).tolist(), weights.tolist()]

    checks = checks_of(judge_functions(key, attention=no_scale))
    assert checks["attention.weights"].mistake.code == "E1-01"
    assert checks["attention.form"].outcome is Outcome.FAILED
    assert checks["attention.form"].mistake is None


def test_a_named_mistake_about_the_axes_is_named_on_the_form(key):
    squeeze = changing("attention", np.squeeze)
    assert checks_of(judge_functions(key, attention=squeeze))["attention.form"].mistake.code == "E1-61"


def generated(Q, K, V):
    yield Q


@pytest.mark.parametrize(
    ("answer", "experiment"),
    [
        (lambda *_: None, "print the result or return it"),
        (generated, "`yield`"),
        (lambda *_: np.exp, "type(result)"),
        (lambda *_: "text", "type(result)"),
    ],
)
def test_an_answer_of_another_kind_gets_an_experiment(key, answer, experiment):
    check = checks_of(judge_functions(key, attention=answer))["attention.weights"]
    assert check.hints[0] == check.message
    assert experiment in check.hints[1]


def test_right_numbers_of_more_than_double_precision_keep_every_point(key):
    forms = [(probe.call.function, key.answers[probe.id].form) for probe in key.probes if probe.id in key.answers]
    whole = {name for name, form in forms if any(of_integers for _, of_integers in form)}
    assert "dominant_key" in whole
    results = judge_functions(
        key, **{name: changing(name, lambda x: x.astype(np.longdouble)) for name in ARRAYS if name not in whole}
    )
    assert score_of(results) == FULL


def test_wrong_numbers_of_more_than_double_precision_are_shown_as_ordinary_ones(key):
    results = judge_functions(key, softmax=lambda x, axis=-1: np.ones(np.shape(x), np.longdouble))
    wrong = [check for check in checks_of(results).values() if check.function == "softmax" and check.evidence]
    assert wrong
    assert not any("longdouble" in check.model_dump_json() for check in wrong)


@pytest.mark.parametrize(
    "value",
    [
        np.empty((10**8, 0)),
        ["x" * 65_000] + [""] * 19_900,
        [["x" * 2000] * 100] * 9,
        {"k" * 600: ["y" * 60_000] * 99},
    ],
    ids=["a long empty array", "texts of many lengths", "many texts", "texts in a dict"],
)
def test_what_is_huge_without_numbers_is_named_in_few_words(key, value):
    results = judge_functions(key, dominant_key=lambda _weights: value, softmax=lambda *_: value)
    for check in checks_of(results).values():
        assert len(check.model_dump_json()) < 60_000
    assert score_of(results) < FULL
