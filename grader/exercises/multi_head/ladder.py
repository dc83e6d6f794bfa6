"""The ladder of exercise 2: numbers of one head, the split, heads of every width."""

from __future__ import annotations

import numpy as np

from grader.calls import Call
from grader.exercises.multi_head import broad
from grader.exercises.page import PAGE_K3, PAGE_Q, PAGE_V3
from grader.exercises.probe import Array, Ladder, Probe, SecondReference, Tolerance, draw
from grader.exercises.second_reference import attend_blockwise

_MHA = "multi_head_attention"


def _number_probes(name: str, pairs: tuple[tuple[int, int], ...]) -> tuple[Probe, ...]:
    def probe(d_k: int, num_heads: int) -> Probe:
        call = Call(f"{name}/{d_k}-{num_heads}", name, (d_k, num_heads))
        return Probe(call, f"d_k = {d_k}, num_heads = {num_heads}", (f"{name}.values",), (Tolerance(),), seeded=False)

    return tuple(probe(*pair) for pair in pairs)


def _drawn_number_probe(rng: np.random.Generator, name: str) -> Probe:
    d_k = 4 * int(rng.integers(129, 400))  # more than 512
    call = Call(f"{name}/drawn", name, (d_k, 4))
    return Probe(call, f"d_k = {d_k}, num_heads = 4", (f"{name}.values",), (Tolerance(),))


def _split_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str, rung: str, X: Array, num_heads: int, *, raises: str | None = None, seeded: bool = True
    ) -> Probe:
        call = Call(f"split_heads/{name}", "split_heads", (X, num_heads))
        check = "split_heads.refuses" if raises else "split_heads.values"
        tolerances = (Tolerance(scale=float(np.max(np.abs(X)))),)
        return Probe(call, rung, (check,), tolerances, raises=raises, seeded=seeded)

    counted = np.array([[0.0, 1, 2, 3], [10, 11, 12, 13]])
    return (
        probe("counted", "2 rows of 4 columns, two heads", counted, 2, seeded=False),
        probe("rectangle", "5 rows of 6 columns, three heads", draw(rng, 5, 6), 3),
        probe("square", "6 rows of 6 columns, two heads", draw(rng, 6, 6), 2),
        probe("one-head", "a single column, one head", draw(rng, 3, 1), 1),
        probe("single-columns", "as many heads as columns", draw(rng, 3, 4), 4),
        probe("refuse-four", "6 columns, four heads", draw(rng, 4, 6), 4, raises="ValueError"),
        probe("refuse-five", "12 columns, five heads", draw(rng, 5, 12), 5, raises="ValueError"),
        probe("refuse-eight", "4 columns, eight heads, 24 entries", draw(rng, 6, 4), 8, raises="ValueError"),
    )


def _attention_probe(  # noqa: PLR0913 (what a call can be asked, one option each)
    name: str,
    rung: str,
    check: str,
    arrays: tuple[Array, ...],
    num_heads: int,
    *,
    again: tuple[Array, ...] | None = None,
    raises: str | None = None,
    seeded: bool = True,
    echo: bool = False,
) -> Probe:
    second = None if again is None else (*again, num_heads)
    call = Call(f"{_MHA}/{name}", _MHA, (*arrays, num_heads), again=second, echo=echo)
    tolerances = tuple(Tolerance(scale=float(np.max(np.abs(one[2])))) for one in (arrays, again) if one is not None)
    return Probe(call, rung, (f"{_MHA}.{check}",), tolerances, raises=raises, seeded=seeded)


def _panel(rng: np.random.Generator, n: int, m: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    return draw(rng, n, d_k), draw(rng, m, d_k), draw(rng, m, d_v)


def _multi_head_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    page = PAGE_Q, PAGE_K3, PAGE_V3
    by_hand = (
        np.array([[2.0, 0, 0, 0], [0, 0, 0, 2]]),
        np.array([[1.0, 0, 0, 0], [0, 0, 0, 1]]),
        np.array([[1.0, 0, 0, 0], [0, 1, 2, 3]]),
    )
    whole = rng.integers(-2, 3, (3, 4)), rng.integers(-2, 3, (3, 4)), rng.integers(-4, 5, (3, 4))
    rows = rng.spawn(1)[0]  # a stream of its own: what else the ladder draws does not depend on it
    return (
        _attention_probe("hand", "two queries, two keys, four columns, two heads", "values", by_hand, 2, seeded=False),
        _attention_probe("one-head", "n = m = 3, d_k = d_v = 4, one head", "values", _panel(rng, 3, 3, 4, 4), 1),
        _attention_probe("two-heads", "n = m = 3, d_k = d_v = 6, two heads", "values", _panel(rng, 3, 3, 6, 6), 2),
        _attention_probe("four-heads", "n = m = 6, d_k = d_v = 8, four heads", "values", _panel(rng, 6, 6, 8, 8), 4),
        _attention_probe(
            "nine-columns", "n = m = 4, d_k = d_v = 18, three heads", "values", _panel(rng, 4, 4, 18, 18), 3
        ),
        _attention_probe("page", "the page's third-key data, two heads", "shapes", page, 2, seeded=False),
        # The next ones differ from equal sizes in one way each, those after them in two.
        _attention_probe("more-keys", "n = 3, m = 5, d_k = d_v = 6, two heads", "shapes", _panel(rows, 3, 5, 6, 6), 2),
        _attention_probe(
            "narrow-values", "n = m = 4, d_k = 12, d_v = 6, two heads", "shapes", _panel(rows, 4, 4, 12, 6), 2
        ),
        _attention_probe(
            "narrow",
            "n = 5, m = 3, d_k = 12, d_v = 6, two heads, then other numbers",
            "shapes",
            _panel(rng, 5, 3, 12, 6),
            2,
            again=_panel(rng, 5, 3, 12, 6),
        ),
        _attention_probe(
            "wide", "n = 8, m = 11, d_k = 15, d_v = 21, three heads", "shapes", _panel(rng, 8, 11, 15, 21), 3
        ),
        _attention_probe("integers", "integer Q, K and V", "large", whole, 2),
        _attention_probe("large", "scores near 1e4, nearly tied", "large", _steep(rng), 2),
        _attention_probe(
            "refuse-values",
            "the page's data, four heads (d_v = 2)",
            "refuses",
            page,
            4,
            raises="ValueError",
            seeded=False,
        ),
        _attention_probe(
            "refuse-keys", "d_k = 6, d_v = 4, four heads", "refuses", _panel(rng, 2, 3, 6, 4), 4, raises="ValueError"
        ),
        _attention_probe(
            "refuse-wide-values",
            "d_k = 8, d_v = 6, four heads",
            "refuses",
            _panel(rng, 2, 3, 8, 6),
            4,
            raises="ValueError",
        ),
        _attention_probe(
            "kept", "n = m = 3, d_k = d_v = 4, two heads", "unmodified", _panel(rng, 3, 3, 4, 4), 2, echo=True
        ),
    )


def _steep(rng: np.random.Generator) -> tuple[Array, ...]:
    # Each head has d_k / num_heads = 4 and dyadic numbers, so the scores near 1e4 are exact in single precision, too.
    Q = np.zeros((3, 8))
    Q[:, 0], Q[:, 4] = (100.0, -100.0, 0.5), (-50.0, 100.0, 1.0)
    K = np.zeros((3, 8))
    K[:, 0], K[:, 4] = (200.0, 200.0078125, 190.0), (199.96875, 200.0, 200.015625)
    # A first key of which both heads think the opposite: a row spans 2e4.
    return Q, np.vstack([-K[:1], K[rng.permutation(3)]]), draw(rng, 4, 4)


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the ladder of the exercise, simplest first for each function."""
    explanation = Call("EXPLANATION/text", "EXPLANATION", constant=True)
    return (
        *_number_probes("head_scale", ((4, 1), (4, 2), (64, 8), (12, 3))),
        _drawn_number_probe(rng, "head_scale"),
        *broad.number_probes("head_scale"),
        *_number_probes("score_variance", ((4, 2), (64, 8), (12, 3))),
        _drawn_number_probe(rng, "score_variance"),
        *broad.number_probes("score_variance"),
        *_split_probes(rng),
        *_multi_head_probes(rng),
        *broad.split_probes(rng),
        *broad.attention_probes(rng),
        Probe(explanation, "your text", ("explanation.written",), seeded=False, judged=False, naming=False),
    )


def _inputs(call: Call) -> list[tuple[Array, Array, Array, int]]:
    times = [args for args in (call.args, call.again) if args is not None]
    return [(Q, K, V, num_heads) for Q, K, V, num_heads in times]


LADDER = Ladder(
    probes,
    second={
        "head_scale": "one line; the handout's formula is the other way to compute it",
        "score_variance": "one line; the handout's formula is the other way to compute it",
        "split_heads": "every output of several heads that is checked twice goes through it",
        _MHA: SecondReference("blockwise_attention", attend_blockwise(_inputs)),
        "EXPLANATION": "a person reads it",
    },
)
