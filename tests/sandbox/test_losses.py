"""Why a child was lost, and which call pays. No process is started."""

import signal

import pytest

from grader.calls import Call, Ended, Limits
from grader.sandbox.channel import GoneError, LateError
from grader.sandbox.children import ProcessEnd
from grader.sandbox.limits import MAX_CRASHES, MAX_LEFT_OUT
from grader.sandbox.losses import Charges, Loss, explain
from grader.sandbox.shared.wire import WireError

CRASH, LATE = Loss(Ended.CRASHED, "exit code 3"), Loss(Ended.TIMEOUT, "no result within 2 s")
F = [Call(f"f/{k}", "f") for k in range(9)]


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="signals of POSIX")
@pytest.mark.parametrize(
    ("error", "end", "printed", "ended", "detail"),
    [
        (LateError(), ProcessEnd(), "", Ended.TIMEOUT, "late"),
        (WireError("not a node"), ProcessEnd(0), "", Ended.CRASHED, "wrote to the grader's connection (not a node)"),
        (GoneError("wrote more than 256 MiB to disk"), ProcessEnd(), "", Ended.CRASHED, "256 MiB to disk"),
        (GoneError(), ProcessEnd(), "", Ended.CRASHED, "it closed its connection to the grader"),
        (GoneError(), ProcessEnd(0), "", Ended.CRASHED, "exit code 0"),
        (GoneError(), ProcessEnd(-11), "", Ended.CRASHED, "signal 11 (SIGSEGV)"),
        (GoneError(), ProcessEnd(-40), "", Ended.CRASHED, "signal 40"),
        (GoneError(), ProcessEnd(-24), "", Ended.TIMEOUT, "used up its processor time"),
        (GoneError(), ProcessEnd(-9), "", Ended.MEMORY, "memory limit of 100 MiB (signal 9 (SIGKILL))"),
        (GoneError(), ProcessEnd(1, peak=80), "", Ended.MEMORY, "memory limit of 100 MiB (exit code 1)"),
        (GoneError(), ProcessEnd(0, peak=80), "", Ended.CRASHED, "exit code 0"),
        (GoneError(), ProcessEnd(1, peak=60), "", Ended.CRASHED, "exit code 1"),
        (GoneError(), ProcessEnd(1), "OpenBLAS: Memory allocation still failed", Ended.MEMORY, "exit code 1"),
        (GoneError(), ProcessEnd(1), "std::bad_alloc" + "x" * 3000, Ended.CRASHED, "exit code 1"),
    ],
    ids=str,
)  # fmt: skip
def test_the_reason_follows_from_how_the_conversation_and_the_process_ended(error, end, printed, ended, detail):
    loss = explain(error, end, printed, Limits(memory=100), "late")
    assert loss.ended is ended
    assert detail in loss.detail


def test_a_call_pays_at_once_where_the_lost_child_was_asked_nothing_else():
    assert Charges().charge_call(F[0], CRASH, {"f"})


def test_a_call_is_tried_once_more_where_another_function_may_have_caused_the_crash():
    charges = Charges()
    assert not charges.charge_call(F[0], CRASH, {"g", "f"})
    assert charges.charge_call(F[0], CRASH, {"g", "f"})
    assert not charges.charge_call(F[1], CRASH, {"g", "f"})


def test_a_call_that_ran_out_of_time_is_not_tried_again_and_ends_its_function():
    charges = Charges()
    assert charges.charge_call(F[0], LATE, {"g", "f"})
    assert "ran out of time" in charges.given_up["f"]


def test_a_function_is_given_up_after_so_many_crashes_public_and_hidden_calls_apart():
    charges = Charges()
    for call in F[: MAX_CRASHES - 1]:
        charges.charge_call(call, CRASH, {"f"})
        charges.charge_call(call._replace(id=f"hidden:{call.id}", later=True), CRASH, {"f"})
    assert charges.given_up == {}
    charges.charge_call(F[-1], CRASH, {"f"})
    assert "three of its calls crashed" in charges.given_up["f"]


def test_the_innermost_running_cell_pays_once():
    charges = Charges()
    assert charges.charge_cell([]) is None
    assert charges.charge_cell([4, 7]) == 7
    assert charges.charge_cell([4, 7]) is None
    assert charges.left_out == [7]


def test_a_program_is_given_up_when_too_many_of_its_cells_had_to_be_left_out():
    charges = Charges()
    for number in range(MAX_LEFT_OUT):
        charges.charge_cell([number])
    assert not charges.too_many_left_out
    charges.charge_cell([MAX_LEFT_OUT])
    assert charges.too_many_left_out
