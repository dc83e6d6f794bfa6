"""The ladder of exercise 1: softmax, attention, the added key and the winner."""

from __future__ import annotations

import numpy as np

from grader.calls import Call
from grader.exercises.page import PAGE_K, PAGE_K3, PAGE_Q, PAGE_V, PAGE_V3
from grader.exercises.probe import Array, Ladder, Probe, SecondReference, Tolerance, draw
from grader.exercises.second_reference import attend_blockwise
from grader.exercises.third_key import broad
from grader.exercises.third_key.broad import rows_with_winners
from grader.exercises.third_key.own_calls import OWN_ATTENTION, OWN_KEYS, OWN_QUERIES, OWN_SEVERAL

_ONE = (Tolerance(scale=1.0),)


def _softmax_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str, rung: str, check: str, *args: object, seeded: bool = True, echo: bool = False, readonly: bool = False
    ) -> Probe:
        call = Call(f"softmax/{name}", "softmax", args, echo=echo, readonly=readonly)
        return Probe(call, rung, (check,), _ONE, seeded=seeded)

    rows, large = "softmax.rows", "softmax.large"
    by_hand = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    # Gaps of a half and a quarter at 1e4: single precision holds them exactly, so float32 is right here to 1e-6.
    steep = np.array([[10000.0, 9999.5, 9998.0], [-10000.0, -10000.75, -9999.0], [0.5, 2.0, -1.0]])
    return (
        probe("single", "one score", rows, np.array([[3.0]]), seeded=False),
        probe("hand", "two rows of three small scores", rows, by_hand, seeded=False),
        probe("rectangle", "3 rows of 5 scores", rows, draw(rng, 3, 5)),
        probe("square", "a square matrix that is not symmetric", rows, draw(rng, 4, 4, scale=1.5)),
        probe("integers", "integer scores", "softmax.axes", rng.integers(-3, 4, (3, 4))),
        probe("vector", "one axis", "softmax.axes", draw(rng, 6)),
        probe("columns", "axis=0", "softmax.axes", draw(rng, 3, 5), 0),
        probe("cube", "three axes, the last one", "softmax.axes", draw(rng, 2, 3, 4)),
        probe("middle", "three axes, axis=1", "softmax.axes", draw(rng, 2, 3, 4), 1),
        probe("large", "scores near 1e4 in one row and near -1e4 in another", large, steep[:, rng.permutation(3)]),
        probe("low", "scores near -1e4 only", large, np.array([[-10000.0, -10000.5, -9999.25]]), seeded=False),
        probe("wide", "scores from -1e4 to 1e4 in one row", large, _wide(), seeded=False),
        probe("edge", "scores near 715", large, np.array([[715.0, 714.5, 713.0]]), seeded=False),
        probe("kept", "3 rows of 5 scores", "softmax.unmodified", draw(rng, 3, 5), echo=True),
        probe("readonly", "a read-only array", "softmax.unmodified", draw(rng, 3, 5), readonly=True),
    )


def _wide() -> Array:
    # The smallest score stands first: only the largest one of a row is safe to subtract.
    return np.array([[-10000.0, 10000.0, 9999.5], [0.0, 800.0, -800.0]])


def _attention_tolerances(V: Array) -> tuple[Tolerance, ...]:
    return (Tolerance(scale=float(np.max(np.abs(V)))), Tolerance(scale=1.0))


def _attention_probe(  # noqa: PLR0913 (what a call can be asked, one option each)
    name: str,
    rung: str,
    checks: tuple[str, ...],
    arrays: tuple[Array, Array, Array],
    *,
    again: tuple[Array, Array, Array] | None = None,
    order: str = "C",
    readonly: bool = False,
    echo: bool = False,
    naming: bool = True,
    seeded: bool = True,
    secret: bool = False,
) -> Probe:
    tolerances = _attention_tolerances(arrays[2]) + (_attention_tolerances(again[2]) if again else ())
    call = Call(f"attention/{name}", "attention", arrays, again=again, order=order, readonly=readonly, echo=echo)
    return Probe(call, rung, checks, tolerances, naming=naming, seeded=seeded, secret=secret)


def _panel(rng: np.random.Generator, n: int, m: int, d_k: int, d_v: int) -> tuple[Array, Array, Array]:
    return draw(rng, n, d_k), draw(rng, m, d_k), draw(rng, m, d_v)


def _attention_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    values = ("attention.weights", "attention.output")
    inputs, large, kept = ("attention.inputs",), ("attention.large",), ("attention.unmodified",)
    one = np.array([[2.0]]), np.array([[3.0]]), np.array([[5.0]])
    hand = np.array([[2.0, 0, 0, 0]]), np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]]), np.array([[1.0, 0, 3], [0, 2, 4]])
    whole = (rng.integers(-2, 3, (3, 4)), rng.integers(-2, 3, (4, 4)), rng.integers(-4, 5, (4, 3)))
    return (
        _attention_probe("single", "one query, one key", values, one, seeded=False),
        _attention_probe("hand", "one query, two keys, d_k = 4, by hand", values, hand, seeded=False),
        _attention_probe(
            "page",
            "the page's third-key example",
            values,
            (PAGE_Q, PAGE_K3, PAGE_V3),
            seeded=False,
            secret=True,  # its right answer is that of third_key()
        ),
        _attention_probe("rectangle", "3 queries, 5 keys, d_k = 7, d_v = 6", values, _panel(rng, 3, 5, 7, 6)),
        _attention_probe("square", "4 queries, 4 keys, d_k = 6, d_v = 5", values, _panel(rng, 4, 4, 6, 5)),
        _attention_probe("one-query", "one query, 6 keys", values, _panel(rng, 1, 6, 5, 3)),
        _attention_probe("one-key", "4 queries, one key", values, _panel(rng, 4, 1, 3, 2)),
        _attention_probe("wide-values", "d_v larger than d_k", values, _panel(rng, 2, 3, 3, 8)),
        _attention_probe("crowd", "60 keys of nearly equal weight", values, _crowd(rng)),
        _attention_probe("integers", "integer Q, K and V", inputs, whole),
        _attention_probe("fortran", "arrays in Fortran order", inputs, _panel(rng, 3, 4, 5, 2), order="F"),
        _attention_probe(
            "again",
            "two calls, the first result looked at last",
            inputs,
            _panel(rng, 3, 5, 7, 6),
            again=_panel(rng, 3, 5, 7, 6),
        ),
        _attention_probe("many", "2000 keys, one of them dominant", inputs, _many_keys(rng), naming=False),
        _attention_probe("large", "scores near 1e4, nearly tied", large, _steep(rng)),
        _attention_probe("low", "scores near -1e4 only", large, _low(rng)),
        _attention_probe("wide", "scores from -1e4 to 1e4 in one row", large, _span(rng)),
        _attention_probe("edge", "scores near 715", large, _edge(rng)),
        _attention_probe("kept", "3 queries, 5 keys", kept, _panel(rng, 3, 5, 7, 6), echo=True),
        _attention_probe("readonly", "read-only arrays", kept, _panel(rng, 3, 5, 7, 6), readonly=True),
    )


def _steep(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    # d_k = 4 and dyadic numbers: the scores 1e4, 1e4 + 25/64, 1e4 - 25/32 are exact in single precision, too.
    Q = np.array([[100.0, 0, 0, 0], [-100.0, 0, 0, 0], [0.5, 0, 1.0, 0]])
    K = np.array([[200.0, 1, 0, 0], [200.0078125, 0, 1, 0], [199.984375, 0, 0, 1], [190.0, 1, 1, 0]])
    shuffled = rng.permutation(4)
    return Q, K[shuffled], draw(rng, 4, 3)


def _low(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    Q = np.array([[-100.0, 0, 0, 0], [-50.0, 0, 0, 0]])
    K = np.array([[200.0, 1, 0, 0], [200.015625, 0, 1, 0], [199.96875, 0, 0, 1]])
    return Q, K[rng.permutation(3)], draw(rng, 3, 2)


def _span(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    # Scores -1e4, 1e4 and 1e4 - 25/64: the smallest one first, all exact in single precision. For the last query one
    # key is so far ahead that the others get nothing.
    Q = np.array([[100.0, 0, 0, 0], [8.0, 1.0, 0, 0], [0, 0, 0, 5000.0]])
    K = np.array([[-200.0, 0, 1, 0], [200.0, 0, 0, 1], [199.9921875, 1, 0, 0]])
    return Q, K, draw(rng, 3, 2)


def _edge(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    # exp overflows from 709.8 on; a fixed shift by ten only helps as far as 719.
    Q = np.array([[10.0, 0, 0, 0]])
    K = np.array([[143.0, 1, 0, 0], [142.875, 0, 1, 0], [142.75, 0, 0, 1]])
    return Q, K[rng.permutation(3)], draw(rng, 3, 2)


def _many_keys(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Return two queries and 2000 keys; one key takes a third of the first query's weight, all others far less.

    The second query is perpendicular to the first, so that the heavy key scores next to nothing with it: where one
    key takes all the weight, 1e-8 added to each of 2000 exponentials is beyond the note band.
    """
    Q, K, V = _panel(rng, 2, 2000, 4, 2)
    Q[1] = Q[0, [1, 0, 3, 2]] * [1, -1, 1, -1]
    crowd = float(np.sum(np.exp(K @ Q[0] / 2)))
    K[int(rng.integers(2000))] = np.round(Q[0] * 2 * np.log(crowd / 2) / (Q[0] @ Q[0]), 3)
    return Q, K, V


def _crowd(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    # Weights near 1/60: rounding them before use does not cancel.
    return draw(rng, 1, 2, scale=0.1), draw(rng, 60, 2, scale=0.1), np.round(1 + draw(rng, 60, 1, scale=0.1), 3)


def _add_key_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str,
        rung: str,
        check: str,
        arrays: tuple[Array, ...],
        *,
        seeded: bool = True,
        echo: bool = False,
        readonly: bool = False,
    ) -> Probe:
        scales = (float(np.max(np.abs(arrays[i]))) for i in (0, 1))
        tolerances = tuple(Tolerance(scale=max(scale, 1.0)) for scale in scales)
        call = Call(f"add_key/{name}", "add_key", arrays, echo=echo, readonly=readonly)
        return Probe(call, rung, (check,), tolerances, seeded=seeded)

    def arrays(m: int, d_k: int, d_v: int) -> tuple[Array, ...]:
        return draw(rng, m, d_k), draw(rng, m, d_v), draw(rng, d_k), draw(rng, d_v)

    page = PAGE_K, PAGE_V, PAGE_Q[0], np.array([1.0, 1.0])
    whole = rng.integers(-4, 5, (2, 3)), rng.integers(-4, 5, (2, 2)), draw(rng, 3), draw(rng, 2)
    return (
        probe("page", "the page's two keys", "add_key.values", page, seeded=False),
        probe("rectangle", "5 keys, d_k = 7, d_v = 6", "add_key.values", arrays(5, 7, 6)),
        probe("one-key", "one key", "add_key.values", arrays(1, 2, 3)),
        probe("integers", "integer K and V, fractional key and value", "add_key.values", whole),
        probe("kept", "4 keys", "add_key.unmodified", arrays(4, 3, 2), echo=True),
        probe("readonly", "read-only arrays", "add_key.unmodified", arrays(4, 3, 2), readonly=True),
    )


def _third_key_probes() -> tuple[Probe, ...]:
    tolerances = (Tolerance(scale=1.0), Tolerance(scale=1.0))
    asked = Probe(
        Call("third_key/page", "third_key"), "the page's example", ("third_key.values",), tolerances, seeded=False
    )

    def own(name: str, Q: Array, K: Array) -> Probe:
        call = Call(name, "attention", (Q, K, PAGE_V3))
        return Probe(call, "the page's example", seeded=False, judged=False, naming=False, when_wrong=("third_key",))

    several = np.vstack([PAGE_Q, PAGE_K])
    return (
        asked,
        own(OWN_ATTENTION, PAGE_Q, PAGE_K3),
        own(OWN_SEVERAL, several, PAGE_K3),
        own(OWN_QUERIES, several[::-1].copy(), PAGE_K3),
        own(OWN_KEYS, several, PAGE_K3[::-1].copy()),
    )


def _dominant_key_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, weights: Array, *, seeded: bool = True) -> Probe:
        call = Call(f"dominant_key/{name}", "dominant_key", (weights,))
        return Probe(call, rung, ("dominant_key.values",), (Tolerance(right=0.0, note=None, scale=1.0),), seeded=seeded)

    half = np.array([[0.4, 0.35, 0.25], [0.3, 0.26, 0.44]])
    return (
        probe("hand", "one query, the second of three keys wins", np.array([[0.3, 0.45, 0.25]]), seeded=False),
        probe("half", "two queries, no weight above one half", half, seeded=False),
        probe("rectangle", "4 queries, 7 keys", rows_with_winners(rng, 4, 7)),
        probe("tall", "9 queries, 3 keys", rows_with_winners(rng, 9, 3)),
    )


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the ladder of the exercise, simplest first for each function; the broad probes come last."""
    return (
        *_softmax_probes(rng),
        *_attention_probes(rng),
        *_add_key_probes(rng),
        *_third_key_probes(),
        *_dominant_key_probes(rng),
        *broad.probes(rng),
    )


def _third_key_inputs(_call: Call) -> list[tuple[Array, Array, Array, int]]:
    return [(PAGE_Q, PAGE_K3, PAGE_V3, 1)]


def _attention_inputs(call: Call) -> list[tuple[Array, Array, Array, int]]:
    return [(*args[:3], 1) for args in (call.args, call.again) if args is not None]


_NO_SECOND = "a second way to write it would be the same line"

LADDER = Ladder(
    probes,
    second={
        "softmax": "every attention output that is checked twice goes through it",
        "attention": SecondReference("blockwise_attention", attend_blockwise(_attention_inputs)),
        "third_key": SecondReference("blockwise_attention", attend_blockwise(_third_key_inputs)),
        "add_key": _NO_SECOND,
        "dominant_key": _NO_SECOND,
    },
)
