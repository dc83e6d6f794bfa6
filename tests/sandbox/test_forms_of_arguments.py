"""An array comes to a function in the type and the place in memory that a call asks for."""

import numpy as np
import pytest

from grader.sandbox.shared.calling import Form, lay_out
from sandbox.programs import value

A = np.arange(6.0).reshape(2, 3)
FLAGS = """
def f(x):
    return x.flags.c_contiguous, x.flags.f_contiguous, x.flags.writeable, str(x.dtype), x.tolist()
"""


@pytest.mark.parametrize("order", ["C", "F", "S"])
@pytest.mark.parametrize("array", [A, A.astype(np.int64), A[0], A[:, :1], np.array(2.5), np.empty((0, 3))])
def test_a_copy_is_equal_and_not_the_same_memory(array, order):
    copy = lay_out(array, Form(order))
    assert np.array_equal(copy, array)
    assert copy.shape == array.shape
    assert copy.dtype == array.dtype
    assert not np.shares_memory(copy, array)
    assert copy.flags.writeable


def test_a_slice_has_gaps():
    for array in (A, A[0], A[:, :1], A.astype(np.int64)):
        copy = lay_out(array, Form("S"))
        assert not copy.flags.c_contiguous
        assert not copy.flags.f_contiguous
    assert lay_out(A, Form("F")).flags.f_contiguous
    assert lay_out(A[:, ::2], Form()).flags.c_contiguous


def test_single_precision_is_for_floating_numbers():
    assert lay_out(A, Form(single=True)).dtype == np.float32
    assert lay_out(A.astype(np.int64), Form(single=True)).dtype == np.int64
    assert A.dtype == np.float64


@pytest.mark.parametrize("order", ["C", "F", "S"])
def test_a_read_only_copy_refuses_to_be_written_to(order):
    with pytest.raises(ValueError, match="read-only"):
        lay_out(A, Form(order, readonly=True))[0, 0] = 1.0


def test_a_student_gets_what_was_asked_for(engine):
    assert value(engine, FLAGS, A) == (True, False, True, "float64", A.tolist())
    assert value(engine, FLAGS, A, order="S") == (False, False, True, "float64", A.tolist())
    assert value(engine, FLAGS, A, order="S", readonly=True, single=True)[1:4] == (False, False, "float32")
    assert value(engine, FLAGS, A.astype(np.int64), single=True)[3] == "int64"
