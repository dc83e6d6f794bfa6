"""The answer key: the right values of the page, two references that agree, and what each seed draws."""

import inspect

import numpy as np
import pytest

from grader.calls import Call, Ref, Smooth
from grader.course import find_course, load_solutions
from grader.errors import CourseError
from grader.exercises import EXERCISES, asked_names
from grader.exercises.gradient_chain.asked import CHAIN_WORDS
from grader.exercises.page import PAGE_K, PAGE_K3, PAGE_Q, PAGE_V, PAGE_V3
from grader.exercises.parts import ladder_of
from grader.exercises.probe import SecondReference
from grader.key.answer_key import Answer, AnswerKey, flatten
from grader.key.building import _cross_check, build_key, draw_probes, evaluate
from grader.key.frozen import load_key
from grader.sandbox.shared.smooth import SMOOTH

# What students were promised, in the order of their files. No other test repeats these numbers: they ask the exercises.
POINTS = {
    "third_key": {"softmax": 6, "attention": 12, "add_key": 4, "third_key": 4, "dominant_key": 4},
    "multi_head": {
        "head_scale": 5, "score_variance": 4, "split_heads": 6, "multi_head_attention": 10, "EXPLANATION": 5,
    },
    "gradient_chain": {
        "CHAIN": 8, "attention_grad_q": 8, "grad_queries": 3, "grad_scores": 6, "grad_weights": 3,
        "numerical_gradient": 5, "softmax_jacobian": 7,
    },
}  # fmt: skip
TOTALS = {"third_key": (30, 0), "multi_head": (25, 5), "gradient_chain": (40, 0)}  # by the grader, by a person


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    return load_key(find_course().public_key)


@pytest.fixture(scope="module")
def solutions():
    return load_solutions(find_course(), asked_names())


def only(answer):
    return answer.items[0]


def test_the_third_key_gives_the_numbers_of_the_course(key):
    output, weights = key.answers["third_key/page"].items
    assert np.abs(weights - [[0.274068619061, 0.274068619061, 0.451862761878]]).max() < 1e-12
    assert np.abs(output - [[0.725931380939, 0.725931380939]]).max() < 1e-12
    assert np.array_equal(PAGE_Q @ PAGE_K3.T / 2, [[0.5, 0.5, 1.0]])
    assert weights[0, 2] == weights.max() < 0.5
    # Without the scale the identical key would have more than half.
    unscaled = np.exp(PAGE_Q @ PAGE_K3.T) / np.exp(PAGE_Q @ PAGE_K3.T).sum()
    assert round(float(unscaled[0, 2]), 3) == 0.576


def test_the_two_keys_of_the_page_share_alike(solutions):
    output, weights = solutions.references["attention"](PAGE_Q, PAGE_K, PAGE_V)
    assert np.array_equal(weights, [[0.5, 0.5]])
    assert np.array_equal(output, [[0.5, 0.5]])


def test_an_identical_key_need_not_win(solutions):
    keys = np.vstack([PAGE_K, PAGE_Q, 3 * PAGE_Q])
    weights = solutions.references["attention"](PAGE_Q, keys, np.eye(4))[1]
    assert np.abs(weights[0, 2:] - [0.104, 0.770]).max() < 5e-4


def test_two_heads_on_the_page_give_the_number_of_the_course(key):
    assert np.abs(only(key.answers["multi_head_attention/page"]) - 0.802224185360).max() < 1e-12
    assert key.answers["multi_head_attention/refuse-values"].raises == "ValueError"


def test_the_gradient_on_the_page_is_the_one_of_the_course(key):
    right = [[0.1745911135, 0.2365118151, -0.2365118151, -0.1745911135]]
    assert np.abs(only(key.answers["attention_grad_q/page"]) - right).max() < 1e-10


def test_numpy_gives_these_numbers_for_the_pages_demonstration():
    rng = np.random.default_rng(0)
    products = [float(rng.standard_normal(d) @ rng.standard_normal(d)) for d in (4, 64, 512)]
    assert [round(product, 3 if abs(product) < 1 else 2) for product in products] == [0.819, -13.70, 24.01]


@pytest.mark.parametrize("slug", POINTS)
def test_points_are_those_of_the_course_for_every_function(slug):
    exercise = EXERCISES[slug]
    given = {
        function.name: sum(check.points for check in exercise.checks if check.function == function.name)
        for function in exercise.functions
    }
    assert list(given.items()) == list(POINTS[slug].items())
    assert (exercise.max_score, exercise.pending_score) == TOTALS[slug]


def test_parameters_are_those_of_the_references_and_no_asked_for_name(solutions):
    asked = {function.name for exercise in EXERCISES.values() for function in exercise.functions}
    for exercise in EXERCISES.values():
        for function in exercise.functions:
            if function.constant:
                continue
            signature = inspect.signature(solutions.references[function.name])
            promised = function.signature.partition("(")[2].rstrip(")").replace("=", " = ")
            told = ", ".join(
                name if p.default is p.empty else f"{name} = {p.default!r}".replace("1e-05", "1e-5")
                for name, p in signature.parameters.items()
            )
            assert promised == told
            assert not set(signature.parameters) & asked


def test_every_call_can_be_made_with_the_promised_signature(key, solutions):
    for probe in key.probes:
        if not probe.call.constant:
            for args in (args for args in (probe.call.args, probe.call.again) if args is not None):
                inspect.signature(solutions.references[probe.call.function]).bind(*args)


def test_every_judged_probe_has_an_answer_and_limits_for_each_returned_thing(key):
    for probe in key.probes:
        if not probe.judged:
            assert (probe.id in key.answers) == (probe.id == "CHAIN/words")
            continue
        answer = key.answers[probe.id]
        assert answer.raises == probe.raises
        if probe.raises is None:
            assert len(answer.items) == len(probe.tolerances)
            assert all(np.all(np.isfinite(item)) for item in answer.items)
        assert probe.checks


def test_a_call_comes_after_those_it_refers_to(key):
    seen = set()
    for probe in key.probes:
        assert {arg.call for arg in probe.call.args if isinstance(arg, Ref)} <= seen
        seen.add(probe.id)
    assert len(seen) == len(key.probes)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_formula_verdicts_stand_where_softmax_is_not_saturated(seed):
    for probe in draw_probes(EXERCISES["gradient_chain"], seed):
        if probe.call.function == "attention_grad_q":
            for Q, K, *_ in (args for args in (probe.call.args, probe.call.again) if args is not None):
                assert np.max(np.abs(Q @ K.T)) / np.sqrt(Q.shape[1]) <= 10


def differ(one, other):
    pairs = zip(one.call.args, other.call.args, strict=True)
    return any(not np.array_equal(a, b) if isinstance(a, np.ndarray) else a != b for a, b in pairs)


@pytest.mark.parametrize("slug", EXERCISES)
def test_a_seed_draws_the_same_inputs_and_another_one_others(slug):
    one, again, other = (draw_probes(EXERCISES[slug], seed) for seed in (5, 5, 6))
    for a, b, c in zip(one, again, other, strict=True):
        assert a.id == b.id == c.id
        assert not differ(a, b)
        has_input = a.seeded and not all(isinstance(arg, Ref) for arg in a.call.args[:1])
        # Two integers or a permutation of four may be drawn twice; arrays of normal numbers are not.
        drawn = any(isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.size > 6 for x in a.call.args)
        if has_input and drawn and a.id not in ("softmax/large", "attention/large", "attention/low", "attention/edge"):
            assert differ(a, c), a.id
        if not a.seeded:
            assert not differ(a, c)


def test_inputs_can_be_typed(key):
    for probe in key.probes:
        if "/own/" not in probe.id:  # perturbed by a step, or a result
            for value in (*probe.call.args, *(probe.call.again or ())):
                if isinstance(value, np.ndarray):
                    assert all(float(f"{number:.10g}") == number for number in value.flat), probe.id


def test_the_same_seed_gives_the_same_digest_and_changes_give_another():
    course = find_course()
    one, again, other = (build_key(course, seed, mistakes=False) for seed in (5, 5, 6))
    assert one.digest == again.digest != other.digest


def test_every_mistake_is_evaluated_on_every_small_probe(key, solutions):
    for name, table in key.mistakes.items():
        small = {p.id for p in key.probes if p.judged and p.naming and p.call.function == name}
        assert set(table) == set(solutions.mistakes[name])
        assert all(set(answers) == small for answers in table.values())


def wrong_blockwise(size):
    return lambda Q, K, V, block_size: (np.exp(Q @ K.T / np.sqrt(Q.shape[1]))) @ V * 0 + size


@pytest.mark.parametrize("function", ["attention", "multi_head_attention", "third_key"])
def test_no_key_is_built_where_the_two_references_disagree(function, solutions):
    args = {"third_key": (), "attention": (PAGE_Q, PAGE_K3, PAGE_V3)}.get(function, (PAGE_Q, PAGE_K3, PAGE_V3, 2))
    call = Call("x/page", function, args)
    answer = evaluate(solutions.references[function], call)
    exercise = next(each for each in EXERCISES.values() if function in {f.name for f in each.functions})
    _cross_check(exercise, call, answer, solutions)
    off = answer._replace(items=(answer.items[0] + 1e-11, *answer.items[1:]))
    with pytest.raises(CourseError, match=r"disagree on x/page.*No key is built"):
        _cross_check(exercise, call, off, solutions)
    nan = answer._replace(items=(answer.items[0] * np.nan, *answer.items[1:]))
    with pytest.raises(CourseError, match="disagree"):
        _cross_check(exercise, call, nan, solutions)


def test_the_second_result_of_a_call_made_twice_is_checked_too(solutions):
    second = (PAGE_Q * 2, PAGE_K3, PAGE_V3)
    call = Call("x/again", "attention", (PAGE_Q, PAGE_K3, PAGE_V3), again=second)
    answer = evaluate(solutions.references["attention"], call)
    _cross_check(EXERCISES["third_key"], call, answer, solutions)
    items = list(answer.items)
    items[2] = items[2] + 1e-9
    with pytest.raises(CourseError):
        _cross_check(EXERCISES["third_key"], call, answer._replace(items=tuple(items)), solutions)


def test_the_right_chain_is_the_solution_s_and_stands_in_the_key_alone(key, solutions):
    assert list(key.answers["CHAIN/words"].words) == solutions.references["CHAIN"]
    assert list(CHAIN_WORDS) != sorted(CHAIN_WORDS, key=lambda word: word not in solutions.references["CHAIN"])


def test_an_exercise_has_to_say_what_checks_each_reference(monkeypatch):
    ladder = ladder_of(EXERCISES["third_key"])
    monkeypatch.setattr(
        "grader.exercises.third_key.ladder.LADDER", ladder._replace(second={"softmax": "", "attention": ""})
    )
    with pytest.raises(CourseError, match=r"third_key does not say which second reference checks add_key.*ladder\.py"):
        build_key(find_course(), 1)


def test_a_second_reference_that_no_solution_defines_is_named(monkeypatch):
    ladder = ladder_of(EXERCISES["third_key"])
    second = {**ladder.second, "softmax": SecondReference("other_softmax", lambda call, f: [])}
    monkeypatch.setattr("grader.exercises.third_key.ladder.LADDER", ladder._replace(second=second))
    with pytest.raises(CourseError, match=r"No file in solutions/ defines other_softmax"):
        build_key(find_course(), 1)


def test_an_answer_tells_what_a_call_changed_and_raised():
    def change(x):
        x += 1
        return x

    array = np.zeros(3)
    assert evaluate(change, Call("x", "f", (array,), echo=True)).changed
    assert not evaluate(change, Call("x", "f", (array,))).changed
    assert np.array_equal(array, np.zeros(3))
    assert evaluate(change, Call("x", "f", (array,), readonly=True)) == Answer(raises="ValueError")
    assert evaluate(lambda x: "text", Call("x", "f", (array,))).raises == "TypeError"
    assert evaluate(lambda x: x * 1j, Call("x", "f", (array,))).raises == "TypeError"


def test_values_are_opened_in_order():
    items = flatten((np.ones(2), ([1, 2], 3.0)))
    assert [item.tolist() for item in items] == [[1, 1], [1, 2], 3]


def test_the_gradients_of_the_smooth_functions_are_their_derivatives():
    rng = np.random.default_rng(3)
    for name, gradient in ladder_of(EXERCISES["gradient_chain"]).gradients.items():
        for shape in ((4,), (2, 3), (1,)):
            x, h = rng.standard_normal(shape), 1e-6
            right = gradient(x)
            for index in np.ndindex(*shape):
                step = np.zeros(shape)
                step[index] = h
                slope = (SMOOTH[name](x + step) - SMOOTH[name](x - step)) / (2 * h)
                assert abs(right[index] - slope) < 1e-8
    assert set(ladder_of(EXERCISES["gradient_chain"]).gradients) == set(SMOOTH)


def test_smooth_arguments_have_a_known_gradient(key):
    names = {arg.name for probe in key.probes for arg in probe.call.args if isinstance(arg, Smooth)}
    assert names == set(SMOOTH)
