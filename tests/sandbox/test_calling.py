"""One call, as the child and the answer key's builder make it. No process is started."""

import time

import numpy as np
import pytest

from grader.key import building
from grader.sandbox.child import worker
from grader.sandbox.shared import calling
from grader.sandbox.shared.calling import Form, copy_fresh, make_call

A = np.arange(6.0).reshape(2, 3)


def test_the_child_and_the_keys_builder_make_calls_in_the_same_way():
    assert worker.make_call is building.make_call is calling.make_call


def test_a_function_that_writes_into_its_arguments_changes_nothing_but_its_own():
    def clear(a, rows):
        a[:] = 0
        rows[0][:] = 0
        return a

    given = [A.copy()]
    made = make_call(clear, (A, given))
    assert A[1, 2] == given[0][1, 2] == 5
    assert not made.args[0].any()
    assert not made.args[1][0].any()
    assert made.value is made.args[0]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("readonly", [False, True])
def test_copies_have_the_layout_that_was_asked_for_at_any_depth(order, readonly):
    form = Form(order, readonly=readonly)
    for copy in (copy_fresh(A, form), copy_fresh((1, [A]), form)[1][0]):
        assert copy is not A
        assert np.array_equal(copy, A)
        assert copy.flags.writeable != readonly
        assert copy.flags[f"{order}_CONTIGUOUS"]


def test_what_is_no_plain_array_is_passed_on_itself():
    for value in (A.view(np.matrix), "text", 3, print, {"a": A}):
        assert copy_fresh(value, Form(readonly=True)) is value


def test_a_second_call_is_made_before_the_first_result_is_looked_at():
    buffer = np.zeros(2)

    def fill(x):
        buffer[:] = x
        return buffer

    first, second = make_call(fill, (1.0,), (2.0,)).value
    assert first.tolist() == second.tolist() == [2.0, 2.0]


def test_the_arguments_of_the_first_call_come_back_and_not_those_of_the_second():
    made = make_call(lambda x: x.sum(), (A,), (A + 1,))
    assert np.array_equal(made.args[0], A)
    assert made.value == (15.0, 21.0)


def test_what_a_call_tells_numpy_to_do_about_errors_ends_with_it():
    before = np.geterr()
    make_call(lambda: np.seterr(all="raise"), ())
    assert np.geterr() == before


def test_what_the_function_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        make_call(lambda: 1 / 0, ())


def test_seconds_are_those_of_the_calls_and_not_of_the_copies(monkeypatch):
    clock = [0.0]

    def pass_time(seconds):
        clock[0] += seconds

    def copy_slowly(*args, **kwargs):
        pass_time(100.0)
        return np.array(*args, **kwargs)

    monkeypatch.setattr(calling, "_perf_counter", lambda: clock[0])
    monkeypatch.setattr(calling, "_array", copy_slowly)
    assert make_call(lambda x: pass_time(1.0), (A,), (A,)).seconds == 2.0
    assert clock == [202.0]


def test_names_that_student_code_rebinds_are_not_looked_up_again(monkeypatch):
    for module, name in ((np, "array"), (np, "ndarray"), (time, "perf_counter")):
        monkeypatch.setattr(module, name, None)
    made = make_call(lambda x: x, ([A],))
    assert made.value[0] is not A
    assert made.seconds >= 0
