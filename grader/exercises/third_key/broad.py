"""The broad probes of exercise 1: each looks into many regions at once, after the small ones have passed."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.exercises.probe import (
    PLAIN,
    READONLY,
    READONLY_SINGLE,
    SINGLE,
    SLICED,
    Array,
    Probe,
    Tolerance,
    Way,
    ask_broadly,
    draw,
    draw_all,
    draw_equal,
    draw_sized,
    repeat_rows,
)


def _softmax_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(
        name: str,
        rung: str,
        first: tuple[Any, ...],
        second: tuple[Any, ...] | None,
        way: Way = PLAIN,
        check: str = "axes",
    ) -> Probe:
        def tolerances(*_: Any) -> tuple[Tolerance, ...]:
            return (Tolerance(scale=1.0),)

        return ask_broadly(f"softmax/{name}", rung, f"softmax.{check}", first, second, tolerances, way)

    mixed = np.vstack([repeat_rows(rng, 3, 3), [1.5, 1.5, -0.5]])
    alike = draw_equal(rng, 6, 2, 1.0).reshape(2, 3, 2)
    ahead = draw(rng, 521)
    ahead[rng.integers(521)] += 60.0
    return (
        probe(
            "rows-alike",
            "axis=1 with rows alike, then axis=-2 with positive scores; read-only",
            (mixed, 1),
            (draw_sized(rng, 3, 4, 1.0), -2),
            READONLY,
        ),
        probe(
            "slices",
            "three axes, axis=0, then axis=2 with zeros only; each array is a slice of a larger one",
            (draw_sized(rng, 6, 2, -1.0).reshape(2, 3, 2), 0),
            (np.zeros((2, 2, 3)), 2),
            SLICED,
        ),
        probe(
            "narrow",
            "three axes, axis=-3 with tiny scores, then axis=-1 with rows alike; single precision",
            (draw_sized(rng, 6, 2, 1e-6).reshape(2, 3, 2), -3),
            (alike, -1),
            SINGLE,
        ),
        probe("long", "67 scores, axis=0, then three axes, axis=-2", (draw(rng, 67), 0), (draw(rng, 3, 2, 2), -2)),
        probe("four-axes", "four axes, axis=1", (draw(rng, 2, 3, 1, 2), 1), None),
        probe(
            "far-ahead",
            "521 rows of scores near 1e6 with axis=-1, then one row of 521 scores",
            (np.round(draw(rng, 521, 2) * 1e6), -1),
            (ahead, -1),
            check="large",
        ),
    )


def _attention_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, first: tuple[Array, ...], second: tuple[Array, ...], way: Way) -> Probe:
        def tolerances(_Q: Array, _K: Array, V: Array) -> tuple[Tolerance, ...]:
            return Tolerance(scale=float(np.max(np.abs(V)))), Tolerance(scale=1.0)

        return ask_broadly(f"attention/{name}", rung, "attention.inputs", first, second, tolerances, way)

    a, few = draw(rng, 3), draw(rng, 3, 4)
    K = np.array([a, np.zeros(3), np.round(-a / 2, 3), a])
    return (
        probe(
            "repeats",
            "queries that are the keys, some alike, some zero; then Q, K and V that are one; each a slice",
            (K, K, repeat_rows(rng, 4, 5)),
            (few, few, few),
            SLICED,
        ),
        probe(
            "flat",
            "queries of zeros and equal keys and values, then equal queries, keys and values of zeros; read-only",
            (np.zeros((2, 4)), draw_equal(rng, 3, 4, 1), draw_equal(rng, 3, 4, -1)),
            (draw_equal(rng, 4, 2, -1), np.zeros((3, 2)), np.zeros((3, 2))),
            READONLY,
        ),
        probe(
            "scaled",
            "521 huge queries and 3 tiny keys, then tiny queries and huge keys with d_k = 65; single precision",
            draw_all(rng, (521, 2, 1e6), (3, 2, -1e-6), (3, 3, 1e6)),
            draw_all(rng, (2, 65, -1e-6), (3, 65, 1e6), (3, 66, -1e-6)),
            SINGLE,
        ),
    )


def _add_key_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, first: tuple[Array, ...], second: tuple[Array, ...], way: Way) -> Probe:
        def tolerances(K: Array, V: Array, key: Array, value: Array) -> tuple[Tolerance, ...]:
            pairs = (K, key), (V, value)
            return tuple(Tolerance(scale=float(max(np.max(np.abs(x)) for x in pair))) for pair in pairs)

        return ask_broadly(f"add_key/{name}", rung, "add_key.values", first, second, tolerances, way)

    whole = rng.integers(-4, 5, (67, 1)), rng.integers(-4, 5, (67, 1))
    key, value = draw(rng, 65), draw(rng, 64)
    key[0] = value[1] = 0.0
    return (
        probe(
            "slices",
            "67 integer keys, one of them again, then two equal keys with d_k = 65; each array is a slice",
            (*whole, whole[0][5], whole[1][6]),
            (draw_equal(rng, 2, 65, 1), draw_equal(rng, 2, 64, -1), key, value),
            SLICED,
        ),
        probe(
            "scaled",
            "tiny K and huge V, then huge K and tiny V; read-only, single precision",
            (
                draw_sized(rng, 3, 3, 1e-6),
                draw_sized(rng, 3, 4, 1e6),
                draw_sized(rng, 1, 3, 1e6)[0],
                draw_sized(rng, 1, 4, -1e-6)[0],
            ),
            (
                draw_sized(rng, 2, 2, 1e6),
                draw_sized(rng, 2, 1, 1e-6),
                draw_sized(rng, 1, 2, -1e-6)[0],
                draw_sized(rng, 1, 1, 1e6)[0],
            ),
            READONLY_SINGLE,
        ),
    )


def _dominant_key_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, first: Array, second: Array, way: Way) -> Probe:
        def tolerances(_weights: Array) -> tuple[Tolerance, ...]:
            return (Tolerance(right=0.0, note=None, scale=1.0),)

        return ask_broadly(f"dominant_key/{name}", rung, "dominant_key.values", (first,), (second,), tolerances, way)

    first_wins = np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0], [0.9375, 0.0625, 0, 0], [0.265, 0.245, 0.245, 0.245]])
    return (
        probe(
            "slices",
            "67 queries and 2 keys, then 3 queries and 67 keys; each array is a slice",
            rows_with_winners(rng, 67, 2),
            rows_with_winners(rng, 3, 67),
            SLICED,
        ),
        probe(
            "certain",
            "weights of 0 and 1 and nearly equal ones, then a single key; read-only, single precision",
            first_wins,
            np.ones((3, 1)),
            READONLY_SINGLE,
        )._replace(seeded=False),
    )


def rows_with_winners(rng: np.random.Generator, n: int, m: int) -> Array:
    """Return weights (n, m) without ties, whose winners are not all the same key and never only the last."""
    weights = np.empty((n, m))
    winners = (np.arange(n) + int(rng.integers(m))) % m
    for i, winner in enumerate(winners):
        parts = rng.permutation(m) + 1.0
        row = np.round(parts / (2 * parts.sum()), 3)
        row[winner] = row.max() + 0.05
        weights[i] = row / row.sum()
    return np.round(weights, 6)


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the broad probes of the exercise."""
    return (
        *_softmax_probes(rng),
        *_attention_probes(rng),
        *_add_key_probes(rng),
        *_dominant_key_probes(rng),
    )
