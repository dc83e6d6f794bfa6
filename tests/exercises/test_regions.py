"""The regions are stated for every function, and their tests mean what their names say."""

import numpy as np
import pytest

from grader.calls import Smooth
from grader.course import find_course
from grader.exercises import EXERCISES
from grader.exercises.parts import regions_of
from grader.exercises.region import lead, tied
from grader.key.frozen import load_key
from grader.sandbox.shared.calling import Form, lay_out

REGIONS = {slug: regions_of(exercise) for slug, exercise in EXERCISES.items()}
TESTS = {
    (function, region.name): region.holds
    for regions in REGIONS.values()
    for region in (*regions.asked, *regions.not_asked)
    for function in region.functions
}
FEWEST = dict.fromkeys(("third_key", "multi_head", "gradient_chain"), 15)  # a simpler exercise may have fewer
A, B = np.arange(6.0).reshape(2, 3), np.ones((4, 3))


def read(function, *args):
    slug = next(slug for slug, regions in REGIONS.items() if function in regions.parameters)
    return REGIONS[slug].read(function, args)


def holds(function, name, *args):
    return bool(TESTS[function, name](read(function, *args)))


@pytest.mark.parametrize("slug", EXERCISES)
def test_every_function_that_takes_something_has_regions(slug):
    exercise, regions = EXERCISES[slug], REGIONS[slug]
    takes = [f.name for f in exercise.functions if not f.constant and not f.signature.endswith("()")]
    assert set(regions.parameters) == set(takes)
    for function in takes:
        told = exercise.function(function).signature.partition("(")[2].rstrip(")").split(", ")
        named = [parameter.split()[0] for parameter in regions.parameters[function]]
        assert named == [name.partition("=")[0] for name in told]
        assert sum(function in region.functions for region in regions.asked) >= FEWEST.get(slug, 1)
        assert any(function in beyond.functions for beyond in regions.not_asked)


def test_names_are_unique_and_each_reason_is_a_sentence():
    for regions in REGIONS.values():
        names = [(function, region.name) for region in regions.asked for function in region.functions]
        assert len(set(names)) == len(names)
        for beyond in regions.not_asked:
            assert beyond.reason[0].isupper()
            assert beyond.reason.endswith(".")
            assert len(beyond.reason) > 30


def test_every_region_can_be_asked_of_every_call_of_its_functions():
    key = load_key(find_course().public_key)
    for probe in key.probes:
        for slug, regions in REGIONS.items():
            if probe.call.function in regions.parameters and probe.judged:
                arguments = regions.read(probe.call.function, probe.call.args)
                for region in (*regions.asked, *regions.not_asked):
                    if probe.call.function in region.functions:
                        assert bool(region.holds(arguments)) in (True, False), (slug, region.name)


def test_arguments_are_read_by_their_names_and_axes_by_their_symbols():
    a = read("attention", A, B, np.ones((4, 5)))
    assert (a.n, a.m, a.d_k, a.d_v) == (2, 4, 3, 5)
    assert a.Q is A
    assert read("softmax", A).axis is None
    assert read("softmax", A, 1).axis == 1
    assert read("numerical_gradient", Smooth("x"), A, 0.5).h == 0.5


@pytest.mark.parametrize(
    ("name", "x", "held"),
    [
        ("a zero among others", [[0.0, 1.0]], True),
        ("a zero among others", [[0.0, 0.0]], False),
        ("nothing but zeros", [[0.0, 0.0]], True),
        ("of one sign", [[1.0, 2.0]], True),
        ("of one sign", [[1.0, -2.0]], False),
        ("of one sign", [[1.0, 0.0]], False),
        ("positive only", [[1.0, 2.0]], True),
        ("negative only", [[1.0, 2.0]], False),
        ("as small as 1e-6", [[1e-6, -2e-6]], True),
        ("as small as 1e-6", [[0.0, 0.0]], False),
        ("as small as 1e-6", [[1e-6, 1.0]], False),
        ("as large as 1e6", [[1.0, -1e6]], True),
        ("as large as 1e6", [[1.0, -1e4]], False),
        ("a row of zeros among others", [[0.0, 0.0], [1.0, 0.0]], True),
        ("a row of zeros among others", [[0.0, 0.0], [0.0, 0.0]], False),
        ("two rows alike", [[1.0, 2.0], [1.0, 2.0], [3.0, 4.0]], True),
        ("two rows alike", [[1.0, 2.0], [1.0, 2.0]], False),
        ("all rows alike", [[1.0, 2.0], [1.0, 2.0]], True),
        ("all rows alike", [[1.0, 2.0]], False),
    ],
)
def test_what_stands_in_an_array_is_seen(name, x, held):
    array = np.array(x)
    assert holds("attention", f"Q {name}", array, array, array) is held


@pytest.mark.parametrize(
    ("name", "how"),
    [("not contiguous", {"order": "S"}), ("read-only", {"readonly": True}), ("single precision", {"single": True})],
)
def test_how_an_array_comes_is_seen(name, how):
    assert not holds("attention", f"K {name}", A, lay_out(B, Form()), B)
    assert holds("attention", f"K {name}", A, lay_out(B, Form(**how)), B)
    assert not holds("attention", f"K {name}", A, lay_out(B, Form("F")), B)
    assert holds("attention", "K integers", A, B.astype(np.int64), B)


def test_a_lead_and_a_tie_are_of_the_largest_numbers():
    assert lead(np.array([[1.0, 5.0, 3.0]])) == [2.0]
    assert tied(np.array([[5.0, 5.0, 3.0]]))
    assert not tied(np.array([[5.0, 5.0, 5.0]]))
    assert not tied(np.array([[5.0, 3.0, 3.0]]))


def test_what_is_asked_of_attention_is_told_by_raw_scores():
    Q, K = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 3.0], [0.0, 1.0]])
    V = np.ones((3, 1))
    assert holds("attention", "the best key twice", Q, K, V)
    assert not holds("attention", "uniform weights", Q, K, V)
    assert holds("attention", "uniform weights", 0 * Q, K, V)
    assert holds("attention", "weights of exactly 0 and 1", Q, np.array([[0.0, 0], [-2000, 0]]), V[:2])
    weights = np.exp(np.array([0.0, -2000 / np.sqrt(2)]))
    assert weights[1] == 0


def test_several_heads_are_told_from_one():
    X = np.ones((2, 6))
    assert holds("split_heads", "several heads of width 1", X, 6)
    assert not holds("split_heads", "several heads of width 1", X[:, :1], 1)
    assert holds("split_heads", "heads of odd width, > 1", X, 2)
    assert holds("multi_head_attention", "V cannot be shared, K can", X[:, :4], X[:, :4], X, 4)
    assert not holds("multi_head_attention", "K cannot be shared, V can", X[:, :4], X[:, :4], X, 4)


def test_what_the_handout_does_not_promise_is_seen():
    masked = np.array([[-np.inf, 1.0]])
    assert holds("softmax", "NaN or infinity", masked)
    assert holds("attention", "an axis of length zero", A, B[:0], B[:0])
    assert holds("dominant_key", "two keys that share the largest weight", np.array([[0.5, 0.5]]))
    assert not holds("dominant_key", "two keys that share the largest weight", np.ones((2, 1)))
    assert holds("split_heads", "no head, a negative number or a fraction of heads", A, 0)
    assert holds("numerical_gradient", "x in single precision", Smooth("x"), A.astype(np.float32))
    assert holds("attention", "numbers other than float64, float32 and int64", A, B, B.astype(np.float16))
