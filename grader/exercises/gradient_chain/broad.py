"""The broad probes of exercise 3: each looks into many regions at once, after the small ones have passed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from grader.calls import Smooth
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

_GRADIENT, _DIFFERENCES = "attention_grad_q", "numerical_gradient"


def _jacobian_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, first: Array, second: Array, way: Way, check: str) -> Probe:
        def tolerances(_z: Array) -> tuple[Tolerance, ...]:
            return (Tolerance(scale=1.0),)

        call_id = f"softmax_jacobian/{name}"
        return ask_broadly(call_id, rung, f"softmax_jacobian.{check}", (first,), (second,), tolerances, way)

    many = draw(rng, 17)
    many[3], many[[7, 9]] = 0.0, np.round(many.max() + 0.5, 3)
    ordered = np.array([-1.0, -200.0, -3000.0]) * 1e3
    return (
        probe("many", "three zeros, then 17 logits, the largest twice; slices", np.zeros(3), many, SLICED, "values"),
        probe(
            "scaled",
            "logits from -1e3 to -3e6, then a single tiny one; read-only, single precision",
            ordered,
            np.array([1.5e-6]),
            READONLY_SINGLE,
            "large",
        ),
    )


def _stage_probe(
    function: str, name: str, rung: str, first: tuple[Array, ...], second: tuple[Array, ...] | None, way: Way
) -> Probe:
    def tolerances(one: Array, other: Array) -> tuple[Tolerance, ...]:
        natural = float(np.abs(one).max() * np.abs(other).max())
        return (Tolerance(right=1e-9, floor=1e-3 * min(natural, 1.0)),)

    return ask_broadly(f"{function}/{name}", rung, f"{function}.values", first, second, tolerances, way)


def _huge_rows(rng: np.random.Generator, n: int, width: int) -> Array:
    """Return whole numbers, some beyond 1e6, in rows of which some are alike and one is zero."""
    huge: Array = np.round(repeat_rows(rng, n, width) * 8) * 250_000
    return huge


def _product_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the probes of the two stages that are a matrix product: (n, k) with (m, k), and (n, m) with (m, k)."""
    return (
        _stage_probe(
            "grad_weights",
            "slices",
            "67 queries and one key, integer dO, then 2 queries and 67 keys, integer V, d_v = 65; slices",
            (_huge_rows(rng, 67, 2).astype(np.int64), draw(rng, 1, 2)),
            (draw_equal(rng, 2, 65, 1e-6), _huge_rows(rng, 67, 65).astype(np.int64)),
            SLICED,
        ),
        _stage_probe(
            "grad_weights",
            "scaled",
            "5 queries, 2 equal keys, huge dO and tiny V, d_v = 1; read-only, single precision",
            (draw_sized(rng, 5, 1, 1e6), draw_equal(rng, 2, 1, -1e-6)),
            None,
            READONLY_SINGLE,
        ),
        _stage_probe(
            "grad_queries",
            "slices",
            "67 queries and one key, huge dS, then 2 queries and 67 keys, integer K, d_k = 65; slices",
            (_huge_rows(rng, 67, 1), draw(rng, 1, 2)),
            (draw_equal(rng, 2, 67, 1e-6), _huge_rows(rng, 67, 65).astype(np.int64)),
            SLICED,
        ),
        _stage_probe(
            "grad_queries",
            "scaled",
            "5 queries, 2 equal keys, huge dS and tiny K, d_k = 1; read-only, single precision",
            (draw_sized(rng, 5, 2, 1e6), draw_equal(rng, 2, 1, -1e-6)),
            None,
            READONLY_SINGLE,
        ),
    )


def _score_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    kinds = np.array([[0.25, 0.25, 0.25, 0.25], [1.0, 0, 0, 0], [0.95, 0.02, 0.02, 0.01], [0.5, 0.375, 0.125, 0]])
    dA = _huge_rows(rng, 67, 4)
    dA[5] = 2
    flat = np.round(1 / 67 + draw(rng, 67, scale=1e-3), 4)
    flat[-1] = np.round(1.0 - flat[:-1].sum(), 4)
    return (
        _stage_probe(
            "grad_scores",
            "slices",
            "67 queries, 4 keys, weights equal, certain and between, huge dA, then 67 keys and tiny dA; slices",
            (kinds[np.arange(67) % 4], dA),
            (np.tile(flat, (2, 1)), draw_sized(rng, 2, 67, -1e-6)),
            SLICED,
        ),
        _stage_probe(
            "grad_scores",
            "scaled",
            "2 queries, 2 keys, huge dA, then 3 queries and one key; read-only, single precision",
            (np.array([[0.75, 0.25], [0.5, 0.5]]), draw_equal(rng, 2, 2, 1e6)),
            (np.ones((3, 1)), draw(rng, 3, 1)),
            READONLY_SINGLE,
        ),
    )


def chain_tolerance(Q: Array, K: Array, V: Array, dO: Array) -> Tolerance:
    """Return how near dQ has to be: zero gradients are as exact as the numbers that they are made of."""
    natural = float(np.abs(dO).max() * np.abs(V).max() * np.abs(K).max()) / math.sqrt(Q.shape[1])
    return Tolerance(right=1e-9, floor=1e-3 * natural)


def _chain_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, first: tuple[Array, ...], second: tuple[Array, ...], way: Way) -> Probe:
        def tolerances(*arrays: Array) -> tuple[Tolerance, ...]:
            # Equal weights and long sums cancel: single precision keeps the digits of the parts, not of what is left.
            usual = chain_tolerance(*arrays)
            return (usual._replace(floor=100 * usual.floor),)

        return ask_broadly(f"{_GRADIENT}/{name}", rung, f"{_GRADIENT}.gradient", first, second, tolerances, way)

    a, own = draw(rng, 3, scale=0.8), draw(rng, 3, 4, scale=0.8)
    K = np.array([a, np.zeros(3), np.round(-a / 2, 3), a])
    # Keys that are alike have no gradient.
    queries, apart = draw_sized(rng, 67, 1, 1.0), np.array([[-0.25], [-1.0], [-0.5]])
    # Raw scores of 12, -3 and 3, of 0, -1 and 3: the first query looks at little but the first key.
    ahead = np.array([[3, 0, 1], [0, -1, 1], [1, 1, 0]]), np.array([[4, 0, 0], [-1, 1, 0]])
    return (
        probe(
            "repeats",
            "queries that are the keys, some alike, some zero, then Q, K and V that are one; each array is a slice",
            (K, K, repeat_rows(rng, 4, 5), repeat_rows(rng, 4, 5)),
            (own, own, own, draw(rng, 3, 4)),
            SLICED,
        ),
        probe(
            "one-sign",
            "2 queries of zeros and 67 negative keys, then equal queries and one key, all else zeros; read-only",
            (np.zeros((2, 2)), *draw_all(rng, (67, 2, -0.5), (67, 2, 1.0), (2, 2, -1.0))),
            (draw_equal(rng, 4, 3, -1.0), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((4, 3))),
            READONLY,
        ),
        probe(
            "scaled",
            "tiny values, huge dO, d_k = 65, d_v = 66, then 67 queries, huge values, tiny dO; single precision",
            (*draw_all(rng, (2, 65, -1.0), (3, 65, 0.25), (3, 66, -1e-6)), np.round(draw(rng, 2, 66) * 1e6)),
            (queries, apart, *draw_all(rng, (3, 2, 1e6), (67, 2, 1e-6))),
            SINGLE,
        ),
        probe(
            "ahead",
            "integers, one key far ahead, then keys, values and dO of which all rows are alike",
            (*ahead, rng.permutation([[-2], [3]]), np.array([[2], [-1], [3]])),
            (
                draw(rng, 3, 4),
                draw_equal(rng, 2, 4, 0.5),
                draw_equal(rng, 2, 2, -1.0),
                draw_equal(rng, 3, 2, 1.0) * [1.0, -2.0],
            ),
            PLAIN,
        ),
    )


def _difference_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    def probe(name: str, rung: str, check: str, first: tuple[Any, ...], second: tuple[Any, ...], way: Way) -> Probe:
        def tolerances(_f: Smooth, _x: Array, h: float | None = None) -> tuple[Tolerance, ...]:
            # The error of central differences at h is near h^2 / 2 of the largest entry; without h, rounding is left.
            return (Tolerance(right=10 * h * h if h is not None and h < 1 else 1e-8, note=None),)

        call_id = f"{_DIFFERENCES}/{name}"
        return ask_broadly(call_id, rung, f"{_DIFFERENCES}.{check}", first, second, tolerances, way)

    sines, cubes = Smooth("sum of sines"), Smooth("cubes and neighbours")
    many = draw(rng, 3, 1, 6)
    many[1, 0, 2] = 0.0
    return (
        probe(
            "whole",
            "an integer x, h = 1e-4, then two tiny entries, h = 1e-3; read-only",
            "integers",
            (sines, rng.integers(-2, 3, 5), 1e-4),
            (sines, draw_sized(rng, 1, 2, 1e-6)[0], 1e-3),
            READONLY,
        ),
        probe(
            "axes",
            "18 entries on three axes, then a single zero without axes, the default h; each array is a slice",
            "values",
            (sines, many),
            (sines, np.zeros(())),
            SLICED,
        ),
        # Where f has 18 digits before the point, a step of 1e-5 leaves six of the twelve that a step of 10 does.
        probe(
            "far",
            "entries near 1e6, h = 10, then entries far below zero, the default h",
            "values",
            (cubes, draw_sized(rng, 1, 3, 1e6)[0], 10.0),
            (sines, draw_sized(rng, 1, 4, -8.0)[0] - 16.5),
            PLAIN,
        ),
    )


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the broad probes of the exercise."""
    return (
        *_jacobian_probes(rng),
        *_product_probes(rng),
        *_score_probes(rng),
        *_chain_probes(rng),
        *_difference_probes(rng),
    )
