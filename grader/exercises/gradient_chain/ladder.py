"""The ladder of exercise 3: each stage, the whole chain, the student's own work near a point, differences."""

from __future__ import annotations

import numpy as np

from grader.calls import Call, Ref, Smooth
from grader.exercises.gradient_chain import broad
from grader.exercises.gradient_chain.broad import chain_tolerance
from grader.exercises.gradient_chain.own_calls import FIRST_CASE, OWN_CASES, TAYLOR_STEPS, OwnShape, own_id
from grader.exercises.gradient_chain.smooth_gradients import GRADIENTS
from grader.exercises.page import PAGE_K3, PAGE_Q, PAGE_V3
from grader.exercises.probe import Array, Ladder, Probe, Tolerance, draw

_GRADIENT = "attention_grad_q"

FINE_STEP = float(np.finfo(np.float64).eps) ** (1 / 3)
COARSE_STEP = 1e-2


def _jacobian_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str, rung: str, z: Array, check: str = "values", *, seeded: bool = True, echo: bool = False
    ) -> Probe:
        call = Call(f"softmax_jacobian/{name}", "softmax_jacobian", (z,), echo=echo)
        return Probe(call, rung, (f"softmax_jacobian.{check}",), (Tolerance(scale=1.0),), seeded=seeded)

    large = np.array([10000.0, 9999.5, 9998.0, -10000.0])
    return (
        probe("equal", "two equal logits", np.array([2.0, 2.0]), seeded=False),
        probe("counted", "the logits 1, 2, 3", np.array([1.0, 2.0, 3.0]), seeded=False),
        probe("drawn", "five logits", draw(rng, 5)),
        probe("seven", "seven logits", draw(rng, 7, scale=1.5)),
        probe("integers", "integer logits", rng.integers(-2, 3, 4)),
        probe("large", "logits near 1e4", large[rng.permutation(4)], "large"),
        probe("wide", "logits from -1e4 to 1e4", np.array([-10000.0, 10000.0, 9999.5]), "large", seeded=False),
        probe("edge", "logits near 715", np.array([715.0, 714.5, 713.0]), "large", seeded=False),
        probe("kept", "four logits", draw(rng, 4), "unmodified", echo=True),
    )


def _stochastic(rng: np.random.Generator, n: int, m: int) -> Array:
    """Return weights (n, m) of three decimals whose rows sum to one."""
    weights = np.round(0.5 / m + 0.5 * rng.dirichlet(np.ones(m), n), 3)
    weights[:, -1] = np.round(1.0 - weights[:, :-1].sum(axis=1), 3)
    return weights


def _stage_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        function: str,
        name: str,
        rung: str,
        *args: Array,
        check: str = "values",
        seeded: bool = True,
        echo: bool = False,
    ) -> Probe:
        call = Call(f"{function}/{name}", function, args, echo=echo)
        return Probe(call, rung, (f"{function}.{check}",), (Tolerance(right=1e-9, floor=1e-3),), seeded=seeded)

    by_hand = np.array([[1.0, -2.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    half = np.array([[0.5, 0.25, 0.25]]), np.array([[2.0, 0.0, -4.0]])
    dS = np.array([[1.0, -3.0, 2.0]]), np.array([[1.0, 0, 2, 0], [0, 1, 0, 0], [0, 0, 1, 5]])
    return (
        probe("grad_weights", "hand", "one query, three keys, by hand", *by_hand, seeded=False),
        probe("grad_weights", "rectangle", "3 queries, 5 keys, d_v = 6", draw(rng, 3, 6), draw(rng, 5, 6)),
        probe("grad_weights", "square", "4 queries, 4 keys, d_v = 4", draw(rng, 4, 4), draw(rng, 4, 4)),
        probe("grad_scores", "hand", "one query, three keys, by hand", *half, seeded=False),
        probe("grad_scores", "rectangle", "3 queries, 5 keys", _stochastic(rng, 3, 5), draw(rng, 3, 5)),
        probe("grad_scores", "square", "4 queries, 4 keys", _stochastic(rng, 4, 4), draw(rng, 4, 4)),
        probe(
            "grad_scores",
            "kept",
            "2 queries, 3 keys",
            _stochastic(rng, 2, 3),
            draw(rng, 2, 3),
            check="unmodified",
            echo=True,
        ),
        probe("grad_queries", "hand", "one query, three keys, d_k = 4, by hand", *dS, seeded=False),
        probe("grad_queries", "rectangle", "3 queries, 5 keys, d_k = 7", draw(rng, 3, 5), draw(rng, 5, 7)),
        probe("grad_queries", "square", "4 queries, 4 keys, d_k = 4", draw(rng, 4, 4), draw(rng, 4, 4)),
    )


def _chain_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str, rung: str, *arrays: Array, check: str = "gradient", seeded: bool = True, echo: bool = False
    ) -> Probe:
        call = Call(f"{_GRADIENT}/{name}", _GRADIENT, arrays, echo=echo)
        return Probe(call, rung, (f"attention_grad_q.{check}",), (chain_tolerance(*arrays),), seeded=seeded)

    def twice(name: str, rung: str, first: tuple[Array, ...], second: tuple[Array, ...]) -> Probe:
        call = Call(f"{_GRADIENT}/{name}", _GRADIENT, first, again=second)
        tolerances = chain_tolerance(*first), chain_tolerance(*second)
        return Probe(call, rung, ("attention_grad_q.gradient",), tolerances)

    def panel(n: int, m: int, d_k: int, d_v: int) -> tuple[Array, ...]:
        # Scores stay well below 10: further out softmax saturates and every gradient looks like zero.
        return draw(rng, n, d_k, scale=0.8), draw(rng, m, d_k, scale=0.8), draw(rng, m, d_v), draw(rng, n, d_v)

    page = PAGE_Q, PAGE_K3, PAGE_V3, np.array([[1.0, -2.0]])
    rectangle, square = panel(3, 5, 7, 6), panel(4, 4, 6, 5)
    return (
        probe("page", "the page's third-key data, dO = (1, -2)", *page, seeded=False),
        probe("rectangle", "3 queries, 5 keys, d_k = 7, d_v = 6", *rectangle),
        twice("square", "4 queries, 4 keys, d_k = 6, d_v = 5, then other numbers", square, panel(4, 4, 6, 5)),
        probe("kept", "2 queries, 4 keys, d_k = 2, d_v = 3", *panel(2, 4, 2, 3), check="unmodified", echo=True),
    )


def _own_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the calls for the verdicts that need no reference: moved inputs, and the student's own stages."""
    # Streams of their own: what else the ladder draws does not depend on these cases.
    streams = rng.spawn(len(OWN_CASES))
    cases = zip(OWN_CASES.items(), streams, strict=True)
    return tuple(probe for (case, shape), stream in cases for probe in _own_case(case, shape, stream))


def _own_case(case: str, shape: OwnShape, rng: np.random.Generator) -> tuple[Probe, ...]:
    n, m, d_k, d_v = shape
    Q, K, V, dO = draw(rng, n, d_k), draw(rng, m, d_k), draw(rng, m, d_v), draw(rng, n, d_v)
    # One direction tells as much as every entry of Q by itself: a wrong dQ is perpendicular to it by chance only.
    direction = draw(rng, n, d_k)

    def call(name: str, function: str, *args: object) -> Probe:
        rung = f"{n} {'query' if n == 1 else 'queries'}, {m} keys"
        probe = Probe(Call(own_id(case, name), function, args), rung, judged=False, naming=False)
        # The first case shows everybody the three verdicts; the others decide about points.
        return probe if case == FIRST_CASE else probe._replace(when_wrong=("attention", _GRADIENT))

    steps = tuple(
        call(f"{kind}/{side}", "attention", Q + sign * h * direction, K, V)
        for kind, h in (("fine", FINE_STEP), ("coarse", COARSE_STEP))
        for side, sign in (("up", 1.0), ("down", -1.0))
    )
    taylor = tuple(call(f"taylor/{k}", "attention", Q + t * direction, K, V) for k, t in enumerate(TAYLOR_STEPS))
    # With one query, weights that sum to 1 over the queries are 1 whatever it is: there nothing has to follow Q and K.
    turned = (
        (call("queries", "attention", Q[::-1].copy(), K, V), call("keys", "attention", Q, K[::-1].copy(), V))
        if n > 1
        else ()
    )
    return (
        call("forward", "attention", Q, K, V),
        *steps,
        *(taylor if case == FIRST_CASE else ()),
        *turned,
        call("dA", "grad_weights", dO, V),
        call("dS", "grad_scores", Ref(own_id(case, "forward"), 1), Ref(own_id(case, "dA"))),
        call("carried", "grad_queries", Ref(own_id(case, "dS")), K),
        call("dQ", _GRADIENT, Q, K, V, dO),
    )


def _moving(rng: np.random.Generator, *shape: int) -> Array:
    """Return numbers that are not the same after a step of 1e-3 ahead, two back and one ahead: the sums round."""
    numbers = np.round(rng.uniform(0.5, 4.0, 256), 3)
    moving: Array = numbers[numbers + 1e-3 - 2e-3 + 1e-3 != numbers][: int(np.prod(shape))]
    return moving.reshape(shape)


def _difference_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    name = "numerical_gradient"
    # The error of central differences at h = 1e-3 is near 5e-7 of the largest entry, of forward ones 1.6e-4.
    wide, narrow = Tolerance(right=1e-5, note=None), Tolerance(right=1e-8, note=None)

    def probe(case: str, rung: str, check: str, tolerance: Tolerance, *args: object, echo: bool = False) -> Probe:
        return Probe(Call(f"{name}/{case}", name, args, echo=echo), rung, (f"{name}.{check}",), (tolerance,))

    names = tuple(GRADIENTS)
    points = tuple(draw(rng, 4) for _ in names)
    given = tuple(
        probe(f"given-{k}", f"{smooth}, h = 1e-3", "values", wide, Smooth(smooth), x, 1e-3)
        for k, (smooth, x) in enumerate(zip(names, points, strict=True))
    )
    return (
        *given,
        probe(
            "matrix", f"{names[0]} of a 2 x 3 array, h = 1e-3", "values", wide, Smooth(names[0]), draw(rng, 2, 3), 1e-3
        ),
        probe("default", f"{names[0]}, the default h", "values", narrow, Smooth(names[0]), draw(rng, 5)),
        probe("integers", f"{names[0]}, an integer x", "integers", narrow, Smooth(names[0]), rng.integers(-2, 3, 4)),
        probe(
            "kept", f"{names[0]}, h = 1e-3", "unmodified", wide, Smooth(names[0]), _moving(rng, 3, 4), 1e-3, echo=True
        ),
    )


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the ladder of the exercise, simplest first for each function, the broad probes last.

    A call comes after those it refers to.
    """
    call = Call("CHAIN/words", "CHAIN", constant=True)
    chain = Probe(call, "your list", ("chain.order",), seeded=False, judged=False, naming=False)
    return (
        chain,
        *_jacobian_probes(rng),
        *_stage_probes(rng),
        *_chain_probes(rng),
        *_own_probes(rng),
        *_difference_probes(rng),
        *broad.probes(rng),
    )


LADDER = Ladder(
    probes,
    gradients=GRADIENTS,
    second={
        "CHAIN": "a list of words",
        "attention_grad_q": "tests hold the reference against central differences of attention",
        "grad_queries": "a link of attention_grad_q",
        "grad_scores": "a link of attention_grad_q",
        "grad_weights": "a link of attention_grad_q",
        "numerical_gradient": "its right answers are exact derivatives, not the reference's differences",
        "softmax_jacobian": "tests hold the reference against central differences of softmax",
    },
)
