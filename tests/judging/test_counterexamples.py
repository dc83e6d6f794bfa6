"""A counterexample is Python that runs alone and shows what the report says."""

import numpy as np
import pytest

from grader.calls import Ended, Reply
from grader.exercises import EXERCISES
from grader.judging.counterexamples import make_counterexample, parameters, write_array, write_smooth
from grader.judging.verdicts import judge_probe
from grader.sandbox.shared.smooth import SMOOTH
from judging.answering import REFERENCES, checks_of, judge_functions

FUNCTIONS = {function.name: function for exercise in EXERCISES.values() for function in exercise.functions}


def run_alone(shown, functions):
    space = {}
    exec(shown.inputs, space)
    return eval(shown.call, space | functions)


def spell(value):
    """Return the arrays of a value, in order."""
    return [np.asarray(value)] if not isinstance(value, tuple) else [a for part in value for a in spell(part)]


def test_every_judged_probe_can_be_typed_and_gives_what_the_key_says(key):
    for probe in key.probes:
        if not probe.judged:
            continue
        function, answer = FUNCTIONS[probe.call.function], key.answers[probe.id]
        values = (*probe.call.args, *(probe.call.again or ()), *answer.items)
        if any(np.size(value) > 200 for value in values if isinstance(value, np.ndarray)):
            continue
        verdict = judge_probe(probe, function, Reply(Ended.RETURNED, None), answer)
        shown = make_counterexample(verdict, function, answer)
        assert shown.rung == probe.rung
        if probe.raises:
            assert shown.expected == "raises ValueError"
            with pytest.raises(ValueError):  # noqa: PT011 (the type is the promise)
                run_alone(shown, REFERENCES)
            continue
        mine, told = spell(run_alone(shown, REFERENCES)), spell(eval(shown.expected, {"np": np}))
        rough = probe.call.function == "numerical_gradient" or probe.call.single
        tolerance = 1e-5 if rough else 1e-8
        for a, b in zip(mine, told, strict=True):
            assert a.shape == b.shape
            assert np.max(np.abs(a - b), initial=0) <= tolerance * max(1, np.max(np.abs(b), initial=0))


def test_memory_order_and_read_only_arrays_are_part_of_the_inputs(key):
    def picky(Q, K, V):
        output, weights = REFERENCES["attention"](Q, K, V)
        return (output, weights) if Q.flags.c_contiguous and len(Q) * len(K) < 100 else (output + 1, weights)

    shown = checks_of(judge_functions(key, attention=picky))["attention.inputs"].counterexample
    assert "np.asfortranarray" in shown.inputs

    def writing(x, axis=-1):
        x += 0.0
        return REFERENCES["softmax"](x, axis)

    shown = checks_of(judge_functions(key, softmax=writing))["softmax.unmodified"].counterexample
    with pytest.raises(ValueError, match="read-only"):
        run_alone(shown, {"softmax": writing})


@pytest.mark.parametrize("name", sorted(SMOOTH))
def test_the_smooth_functions_are_written_as_they_are(name):
    f = eval(write_smooth(name), {"np": np})
    rng = np.random.default_rng(1)
    for x in (rng.standard_normal(4), rng.standard_normal((2, 3)), np.arange(-2, 2)):
        assert f(x) == pytest.approx(SMOOTH[name](x), rel=1e-14)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[1.0, -0.125], [3e-300, 1e300]]), np.array([1, 2]), np.array([True]), np.empty((0, 3)),
        np.array(2.5), np.array([np.nan, np.inf, -np.inf]), np.arange(24.0).reshape(2, 3, 4),
    ],
)  # fmt: skip
def test_an_array_is_written_exactly(array):
    back = eval(write_array(array), {"np": np})
    assert back.shape == array.shape
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")


def test_a_signature_names_its_parameters():
    assert parameters("softmax(x, axis=-1)") == ["x", "axis"]
    assert parameters("third_key()") == []
    assert all(parameters(function.signature) for function in FUNCTIONS.values() if "(" in function.signature[:-2])


def test_what_a_student_returned_is_written_without_python_noise(key):
    odd = [np.ones(2), object(), np.ma.masked_array([1.0])]
    check = checks_of(judge_functions(key, softmax=lambda x, axis=-1: odd))["softmax.rows"]
    assert check.counterexample.student == (
        "[np.array([1.0, 1.0]), object: not an array or a plain Python value, numpy.MaskedArray: np.array([1.0])]"
    )


def test_a_huge_result_is_not_printed(key):
    check = checks_of(judge_functions(key, softmax=lambda x, axis=-1: np.ones((300, 300))))["softmax.rows"]
    assert check.counterexample.student == "an array of shape (300, 300)"
    assert check.evidence is None
    check = checks_of(judge_functions(key, softmax=lambda x, axis=-1: "x" * 50_000))["softmax.rows"]
    assert len(check.counterexample.student) < 2100


def test_a_call_that_never_took_place_shows_no_example(key):
    def unwritten(Q, K, V):
        raise NotImplementedError

    check = checks_of(judge_functions(key, attention=None))["attention.weights"]
    assert check.counterexample is None
