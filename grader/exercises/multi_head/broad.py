"""The broad probes of exercise 2: each looks into many regions at once, after the small ones have passed."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.exercises.probe import (
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

_MHA = "multi_head_attention"


def number_probes(name: str) -> tuple[Probe, ...]:
    """Return the broad probes of a function of d_k and the number of heads."""

    def tolerances(*_: Any) -> tuple[Tolerance, ...]:
        return (Tolerance(),)

    def probe(first: tuple[int, int], second: tuple[int, int]) -> Probe:
        (d_k, h), (other_d_k, other_h) = first, second
        rung = f"d_k = {d_k}, num_heads = {h}, then d_k = {other_d_k}, num_heads = {other_h}"
        call_id = f"{name}/{d_k}-{h}-{other_d_k}-{other_h}"
        return ask_broadly(call_id, rung, f"{name}.values", first, second, tolerances)._replace(seeded=False)

    return probe((35, 5), (42, 7)), probe((6, 6), (1, 1))


def split_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the broad probes of the split."""

    def probe(name: str, rung: str, first: tuple[Any, ...], second: tuple[Any, ...], way: Way) -> Probe:
        def tolerances(X: Array, _num_heads: int) -> tuple[Tolerance, ...]:
            return (Tolerance(scale=float(np.max(np.abs(X)))),)

        return ask_broadly(f"split_heads/{name}", rung, "split_heads.values", first, second, tolerances, way)

    whole = rng.integers(-4, 5, (67, 15))
    whole[1], whole[-1] = 0, whole[0]
    return (
        probe(
            "slices",
            "67 rows of 15 integers, five heads, then one row of 66 columns, six heads; each array is a slice",
            (whole, 5),
            (draw(rng, 1, 66), 6),
            SLICED,
        ),
        probe(
            "scaled",
            "2 rows of 64 huge numbers, 8 heads, then 7 equal tiny rows of 42, 7 heads; read-only, single precision",
            (draw_sized(rng, 2, 64, 1e6), 8),
            (draw_equal(rng, 7, 42, -1e-6), 7),
            READONLY_SINGLE,
        ),
    )


def attention_probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the broad probes of attention with several heads."""

    def probe(name: str, rung: str, first: tuple[Any, ...], second: tuple[Any, ...], way: Way) -> Probe:
        def tolerances(_Q: Array, _K: Array, V: Array, _num_heads: int) -> tuple[Tolerance, ...]:
            return (Tolerance(scale=float(np.max(np.abs(V)))),)

        return ask_broadly(f"{_MHA}/{name}", rung, f"{_MHA}.shapes", first, second, tolerances, way)

    one, own = draw(rng, 6), draw(rng, 3, 65, scale=0.5)
    K = np.array([one, np.zeros(6), np.round(-one / 2, 3), one])
    return (
        probe(
            "repeats",
            "queries that are the keys, two heads, then Q, K and V that are one, five heads; each array is a slice",
            (K, K, repeat_rows(rng, 4, 10), 2),
            (own, own, own, 5),
            SLICED,
        ),
        probe(
            "flat",
            "queries of zeros and equal keys, 7 heads, then equal queries and one key of zeros, 6 heads; read-only",
            (np.zeros((3, 14)), draw_equal(rng, 3, 14, 1.0), draw_equal(rng, 3, 7, -1.0), 7),
            (draw_equal(rng, 3, 6, -1.0), np.zeros((1, 6)), np.zeros((1, 12)), 6),
            READONLY,
        ),
        probe(
            "scaled",
            "67 huge queries, 2 tiny keys, 8 heads, then tiny queries, 67 huge keys of one column; single precision",
            (*draw_all(rng, (67, 16, 1e6), (2, 16, -1e-6), (2, 16, 1e6)), 8),
            (*draw_all(rng, (2, 1, -1e-6), (67, 1, 1e6), (67, 1, -1e-6)), 1),
            SINGLE,
        ),
    )
