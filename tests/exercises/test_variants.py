"""Right but different submissions are right on every kind of input that the exercises promise."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
VARIANTS = ROOT / "tests" / "variants"
NAMES = sorted({file.parent.name for file in VARIANTS.glob("*/*.py")})
STEMS = ("third_key", "multi_head", "gradient_chain")
SINGLE = {"single_precision", "single_precision_hidden"}
STAGES = ["values matmul", "softmax jacobian", "scale", "scores matmul"]


def import_flat(folders: list[Path]) -> dict[str, ModuleType]:
    """Import the exercise files of flat folders, the first folder that has a file wins, and leave no trace."""
    before = dict(sys.modules)
    path = list(sys.path)
    sys.path[:0] = map(str, folders)
    flat = {file.stem for folder in folders for file in folder.glob("*.py")}
    for stem in flat:
        sys.modules.pop(stem, None)
    try:
        importlib.invalidate_caches()
        return {stem: importlib.import_module(stem) for stem in STEMS}
    finally:
        sys.path[:] = path
        for stem in flat:
            sys.modules.pop(stem, None)
        sys.modules.update({stem: before[stem] for stem in flat if stem in before})


@pytest.fixture(scope="module")
def right() -> dict[str, ModuleType]:
    return import_flat([ROOT / "solutions"])


@pytest.fixture(scope="module", params=NAMES)
def variant(request: pytest.FixtureRequest) -> Iterator[tuple[dict[str, ModuleType], float]]:
    folder = VARIANTS / request.param
    modules = import_flat([folder, VARIANTS / "plain"])
    before = set(sys.modules)
    sys.path.insert(0, str(folder))  # a function may import what lies beside it
    yield modules, 1e-6 if request.param in SINGLE else 1e-10
    sys.path.remove(str(folder))
    for stem in {file.stem for file in folder.glob("*.py")} - before:
        sys.modules.pop(stem, None)


def panels(*shapes: tuple[int, ...]) -> list[tuple[np.ndarray, ...]]:
    """Return the same arrays as floats, read-only, in Fortran order and as integers."""
    rng = np.random.default_rng(20)
    arrays = tuple(np.round(rng.standard_normal(shape), 3) for shape in shapes)
    frozen = tuple(array.copy() for array in arrays)
    for array in frozen:
        array.flags.writeable = False
    fortran = tuple(np.asfortranarray(array) for array in arrays)
    whole = tuple(rng.integers(-3, 4, shape) for shape in shapes)
    return [arrays, frozen, fortran, whole]


def assert_same(function: Callable[..., Any], reference: Callable[..., Any], args: tuple[Any, ...], tol: float) -> None:
    """Call both with fresh arguments: same values within `tol` of the largest, same shapes, arguments untouched."""
    passed = tuple(arg.copy(order="K") if isinstance(arg, np.ndarray) else arg for arg in args)
    for mine, original in zip(passed, args, strict=True):
        if isinstance(original, np.ndarray):
            mine.flags.writeable = original.flags.writeable
    # Some BLAS builds raise floating-point flags on harmless float32 products.
    with np.errstate(all="ignore"):
        got, expected = function(*passed), reference(*args)
    for after, before in zip(passed, args, strict=True):
        assert np.array_equal(after, before) if isinstance(before, np.ndarray) else True
    pairs = zip(got, expected, strict=True) if isinstance(expected, tuple) else [(got, expected)]
    for mine, theirs in pairs:
        assert np.shape(mine) == np.shape(theirs)
        scale = max(1.0, float(np.max(np.abs(theirs))))
        assert np.max(np.abs(mine - np.asarray(theirs))) <= tol * scale


def test_at_least_thirty_variants_say_what_is_different():
    assert len(NAMES) >= 30
    for file in VARIANTS.glob("*/*.py"):
        first = file.read_text(encoding="utf-8").split("\n", 1)[0]
        assert first.startswith('"""')
        assert first.endswith('"""')


def test_softmax_is_right_for_any_axis_and_size(variant, right):
    modules, tol = variant
    mine, reference = modules["third_key"].softmax, right["third_key"].softmax
    for shape, axis in (((1, 1), -1), ((3, 5), -1), ((4, 4), 0), ((6,), -1), ((2, 3, 4), 1), ((2, 3, 4), -1)):
        for (x,) in panels(shape):
            assert_same(mine, reference, (x, axis), tol)
    steep = np.array([[10000.0, 9999.5, 9998.0], [-10000.0, -10000.75, -9999.0], [715.0, 714.5, -10000.0]])
    assert_same(mine, reference, (steep,), tol)


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1), (3, 5, 7, 6), (4, 4, 6, 5), (1, 6, 5, 3), (4, 1, 3, 2), (2, 3, 3, 8), (2, 2000, 4, 2)]
)
def test_attention_is_right_for_any_shape(variant, right, sizes):
    n, m, d_k, d_v = sizes
    modules, tol = variant
    for Q, K, V in panels((n, d_k), (m, d_k), (m, d_v)):
        assert_same(modules["third_key"].attention, right["third_key"].attention, (Q, K, V), tol)


def test_attention_is_right_for_huge_scores(variant, right):
    modules, tol = variant
    Q = np.array([[100.0, 0, 0, 0], [-100.0, 0, 0, 0], [0.5, 0, 1.0, 0]])
    K = np.array([[200.0, 1, 0, 0], [200.0078125, 0, 1, 0], [199.984375, 0, 0, 1], [190.0, 1, 1, 0]])
    V = np.array([[1.0, -2.0], [0.5, 4.0], [3.0, 0.25], [-1.0, 1.0]])
    assert_same(modules["third_key"].attention, right["third_key"].attention, (Q, K, V), tol)
    assert_same(modules["third_key"].attention, right["third_key"].attention, (Q[1:2], K, V), tol)


def test_attention_keeps_earlier_results(variant):
    modules, _ = variant
    first, second = panels((3, 7), (5, 7), (5, 6))[0], panels((3, 7), (5, 7), (5, 6))[3]
    output, weights = modules["third_key"].attention(*first)
    kept = output.copy(), weights.copy()
    modules["third_key"].attention(*second)
    assert np.array_equal(output, kept[0])
    assert np.array_equal(weights, kept[1])


def test_keys_are_added_and_found(variant, right):
    modules, tol = variant
    for K, V, key, value in panels((5, 7), (5, 6), (7,), (6,)):
        assert_same(modules["third_key"].add_key, right["third_key"].add_key, (K, V, key, value), tol)
    whole = np.array([[1, 2]]), np.array([[3]]), np.array([0.5, 1.5]), np.array([0.25])
    assert_same(modules["third_key"].add_key, right["third_key"].add_key, whole, tol)
    assert_same(modules["third_key"].third_key, right["third_key"].third_key, (), tol)
    weights = np.array([[0.3, 0.45, 0.25], [0.2, 0.3, 0.5], [0.9, 0.04, 0.06]])
    for some in (weights, weights[:1], weights[:2]):
        winners = modules["third_key"].dominant_key(some)
        assert winners.dtype.kind == "i"
        assert np.array_equal(winners, right["third_key"].dominant_key(some))


def test_scales_are_right(variant, right):
    modules, tol = variant
    for args in ((4, 1), (4, 2), (64, 8), (15, 3), (100, 4)):
        for name in ("head_scale", "score_variance"):
            assert np.ndim(getattr(modules["multi_head"], name)(*args)) == 0
            assert_same(getattr(modules["multi_head"], name), getattr(right["multi_head"], name), args, tol)


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1, 1), (8, 11, 15, 21, 3), (6, 6, 8, 8, 4), (5, 3, 12, 6, 2), (3, 4, 5, 2, 1)]
)
def test_heads_are_right_for_any_shape(variant, right, sizes):
    n, m, d_k, d_v, num_heads = sizes
    modules, tol = variant
    for Q, K, V in panels((n, d_k), (m, d_k), (m, d_v)):
        assert_same(modules["multi_head"].split_heads, right["multi_head"].split_heads, (Q, num_heads), tol)
        args = (Q, K, V, num_heads)
        assert_same(modules["multi_head"].multi_head_attention, right["multi_head"].multi_head_attention, args, tol)


def test_impossible_heads_are_refused(variant):
    modules, _ = variant
    Q, K, V = panels((2, 6), (3, 6), (3, 4))[0]
    with pytest.raises(ValueError):  # noqa: PT011 (any wording, also NumPy's own)
        modules["multi_head"].split_heads(Q, 4)
    for num_heads in (3, 4):
        with pytest.raises(ValueError):  # noqa: PT011 (any wording, also NumPy's own)
            modules["multi_head"].multi_head_attention(Q, K, V, num_heads)
    assert len(modules["multi_head"].EXPLANATION) > 20


def test_jacobian_is_right(variant, right):
    modules, tol = variant
    logits = [np.array([2.0]), np.array([1.0, 2.0, 3.0]), np.array([1, 2, -1]), np.array([1e4, 9999.5, 9998.0, -1e4])]
    logits[1].flags.writeable = False
    for z in logits:
        assert_same(modules["gradient_chain"].softmax_jacobian, right["gradient_chain"].softmax_jacobian, (z,), tol)


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (3, 5, 7, 6), (4, 4, 6, 5)])
def test_stages_and_chain_are_right(variant, right, sizes):
    n, m, d_k, d_v = sizes
    modules, tol = variant
    mine, reference = modules["gradient_chain"], right["gradient_chain"]
    for Q, K, V, dO, dA in panels((n, d_k), (m, d_k), (m, d_v), (n, d_v), (n, m)):
        weights = right["third_key"].attention(Q, K, V)[1]
        assert_same(mine.grad_weights, reference.grad_weights, (dO, V), tol)
        assert_same(mine.grad_scores, reference.grad_scores, (weights, dA), tol)
        assert_same(mine.grad_queries, reference.grad_queries, (dA, K), tol)
        # Differences in place of a formula are good to about 1e-10.
        assert_same(mine.attention_grad_q, reference.attention_grad_q, (Q, K, V, dO), max(10 * tol, 1e-8))
    stages = [" ".join(stage.lower().replace("-", " ").replace("_", " ").split()) for stage in mine.CHAIN]
    assert sorted(stages) == sorted(STAGES)


def test_differences_are_right(variant):
    modules, _ = variant
    points = [np.array([0.3, -1.2]), np.array([1, 2, -2]), np.array([[0.5, -0.25, 2.0], [1.0, 0.125, -1.5]])]
    points.append(np.asfortranarray(points[2]))
    points[0].flags.writeable = False
    for x in points:
        for f, gradient in ((lambda a: np.sum(np.sin(a)), np.cos), (lambda a: np.sum(a**3), lambda a: 3.0 * a**2)):
            before = x.copy()
            numerical = modules["gradient_chain"].numerical_gradient
            assert np.max(np.abs(numerical(f, x) - gradient(x))) <= 1e-8
            assert np.max(np.abs(numerical(f, x, 1e-3) - gradient(x))) <= 1e-5
            assert np.array_equal(x, before)
