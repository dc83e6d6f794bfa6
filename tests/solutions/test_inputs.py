"""What every reference promises about its arguments, and that the solution files run by themselves."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOLUTIONS = Path(__file__).parents[2] / "solutions"
CALLS = {
    "softmax": ("attention", [(3, 5)]),
    "attention": ("attention", [(3, 6), (5, 6), (5, 4)]),
    "blockwise_attention": ("blockwise", [(3, 6), (5, 6), (5, 4), 2]),
    "add_key": ("third_key", [(5, 6), (5, 4), (6,), (4,)]),
    "dominant_key": ("third_key", [(3, 5)]),
    "split_heads": ("multi_head", [(3, 6), 2]),
    "multi_head_attention": ("multi_head", [(3, 6), (5, 6), (5, 4), 2]),
    "softmax_jacobian": ("gradient_chain", [(5,)]),
    "grad_weights": ("gradient_chain", [(3, 4), (5, 4)]),
    "grad_scores": ("gradient_chain", [(3, 5), (3, 5)]),
    "grad_queries": ("gradient_chain", [(3, 5), (5, 6)]),
    "attention_grad_q": ("gradient_chain", [(3, 6), (5, 6), (5, 4), (3, 4)]),
}


def draw(name):
    rng = np.random.default_rng(7)
    return [rng.integers(-3, 4, each).astype(float) if isinstance(each, tuple) else each for each in CALLS[name][1]]


def arrays(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def lay_out(value, kind):
    if not isinstance(value, np.ndarray):
        return value
    match kind:
        case "fortran":
            return np.asfortranarray(value)
        case "strided":
            return np.repeat(value, 2, axis=-1)[..., ::2]
        case "integer":
            return value.astype(np.int64)
    return value.copy()


@pytest.mark.parametrize("kind", ["readonly", "fortran", "strided", "integer"])
@pytest.mark.parametrize("name", CALLS)
def test_layout_and_type_do_not_change_the_answer_nor_the_call_its_arguments(solutions, name, kind):
    function = getattr(solutions[CALLS[name][0]], name)
    plain = arrays(function(*draw(name)))
    args = [lay_out(value, kind) for value in draw(name)]
    for value in args:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    for found, wanted in zip(arrays(function(*args)), plain, strict=True):
        assert np.allclose(found, wanted, rtol=0, atol=1e-12)
    for value, before in zip(args, draw(name), strict=True):
        assert np.array_equal(value, before)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "dominant_key"])
def test_float32_stays_float32(solutions, name):
    args = [value.astype(np.float32) if isinstance(value, np.ndarray) else value for value in draw(name)]
    for found in arrays(getattr(solutions[CALLS[name][0]], name)(*args)):
        assert found.dtype == np.float32


@pytest.mark.parametrize("stem", ["third_key", "multi_head", "gradient_chain"])
def test_solution_passes_the_checks_at_its_end(stem):
    command = [sys.executable, "-B", "-W", "error", f"{stem}.py"]
    run = subprocess.run(command, cwd=SOLUTIONS, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"{stem}: these checks hold")
