"""Why a child was lost, whose fault that is, and which call pays. No process is started."""

import signal

import pytest

from grader.calls import Call, Ended, Limits
from grader.errors import SandboxError
from grader.sandbox.activity import Doing
from grader.sandbox.channel import GoneError
from grader.sandbox.children import ProcessEnd
from grader.sandbox.clock import LateError, StalledError, processor_limit
from grader.sandbox.limits import ALONE, MAX_CRASHES, MAX_DISTURBED, MAX_LEFT_OUT
from grader.sandbox.losses import Charges, DisturbedError, Evidence, Fault, Loss, find_cause
from grader.sandbox.shared.wire import WireError

CRASH, LATE = Loss(Ended.CRASHED, "exit code 3"), Loss(Ended.TIMEOUT, "it used 2 s of processor time")
KILLED = Loss(Ended.CRASHED, "signal 9 (SIGKILL)", Fault.OURS)
ENDED = Loss(Ended.CRASHED, "signal 15 (SIGTERM)", Fault.UNKNOWN)
F = [Call(f"f/{k}", "f") for k in range(30)]
LIMITS = Limits(memory=100)
LONG = float(processor_limit(LIMITS))
posix = pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="signals of POSIX")


def ending(status, peak=0, computed=0.0):
    return ProcessEnd(status, peak, computed)


@posix
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT])
def test_a_crash_is_the_works_fault_where_no_other_work_can_send_its_signal(number):
    lost = {
        sealed: find_cause(GoneError(), Evidence(ProcessEnd(-number), "", sealed=sealed), LIMITS)
        for sealed in (True, False)
    }
    assert (lost[True].fault, lost[False].fault) == (Fault.WORK, Fault.UNKNOWN)
    assert {(loss.ended, f"signal {number:d}" in loss.detail) for loss in lost.values()} == {(Ended.CRASHED, True)}


@posix
@pytest.mark.parametrize(
    ("error", "end", "printed", "ended", "detail"),
    [
        (LateError(), ProcessEnd(), "", Ended.TIMEOUT, "late"),
        (WireError("not a node"), ProcessEnd(0), "", Ended.CRASHED, "wrote to the grader's connection (not a node)"),
        (GoneError("wrote more than 256 MiB to disk"), ProcessEnd(), "", Ended.CRASHED, "256 MiB to disk"),
        (GoneError(), ProcessEnd(), "", Ended.CRASHED, "it closed its connection to the grader"),
        (GoneError(), ProcessEnd(0), "", Ended.CRASHED, "exit code 0"),
        (GoneError(), ending(-24, 0, LONG), "", Ended.TIMEOUT, "it used up its processor time"),
        (GoneError(), ending(-9, 0, LONG), "", Ended.TIMEOUT, "it used up its processor time"),
        (GoneError(), ending(0, 0, LONG), "", Ended.CRASHED, "exit code 0"),
        (GoneError(), ProcessEnd(1, peak=80), "", Ended.MEMORY, "memory limit of 100 MiB (exit code 1)"),
        (GoneError(), ProcessEnd(-6, peak=80), "", Ended.MEMORY, "memory limit of 100 MiB (signal 6 (SIGABRT))"),
        (GoneError(), ProcessEnd(0, peak=80), "", Ended.CRASHED, "exit code 0"),
        (GoneError(), ProcessEnd(1, peak=60), "", Ended.CRASHED, "exit code 1"),
        (GoneError(), ProcessEnd(1), "OpenBLAS: Memory allocation still failed", Ended.MEMORY, "exit code 1"),
        (GoneError(), ProcessEnd(1), "std::bad_alloc" + "x" * 3000, Ended.CRASHED, "exit code 1"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("sealed", [True, False])
def test_what_a_child_did_itself_is_the_works_fault(error, end, printed, ended, detail, sealed):
    loss = find_cause(error, Evidence(end, printed, "late", sealed), LIMITS)
    assert (loss.ended, loss.fault) == (ended, Fault.WORK)
    assert detail in loss.detail


@posix
@pytest.mark.parametrize(
    ("error", "end", "sealed", "otherwise"),
    [
        # The kernel kills where memory runs out, a person does, or what started the child ends.
        (GoneError(), ProcessEnd(-9), Fault.OURS, Fault.UNKNOWN),
        (GoneError(), ending(-9, 60, LONG / 2), Fault.OURS, Fault.UNKNOWN),
        (GoneError(), ending(-9, 80), Fault.UNKNOWN, Fault.UNKNOWN),  # near its limit
        (GoneError(), ProcessEnd(known=False), Fault.OURS, Fault.UNKNOWN),
        (GoneError(), ProcessEnd(-15), Fault.UNKNOWN, Fault.UNKNOWN),  # its own, or that of a shell
        (GoneError(), ProcessEnd(-24), Fault.UNKNOWN, Fault.UNKNOWN),
        (GoneError(), ProcessEnd(-40), Fault.UNKNOWN, Fault.UNKNOWN),
        (StalledError(20.0, Doing.STOPPED), ProcessEnd(), Fault.OURS, Fault.UNKNOWN),
        (StalledError(20.0, Doing.COMPUTING), ProcessEnd(), Fault.OURS, Fault.OURS),
        (StalledError(20.0, Doing.ON_DISK), ProcessEnd(), Fault.UNKNOWN, Fault.UNKNOWN),
        (StalledError(20.0, Doing.UNKNOWN), ProcessEnd(), Fault.UNKNOWN, Fault.UNKNOWN),
        (StalledError(20.0, Doing.ASLEEP), ProcessEnd(), Fault.WORK, Fault.WORK),
    ],
    ids=str,
)
def test_what_befell_a_child_is_not_as_far_as_the_system_can_tell(error, end, sealed, otherwise):
    assert find_cause(error, Evidence(end, ""), LIMITS).fault is sealed
    assert find_cause(error, Evidence(end, "", sealed=False), LIMITS).fault is otherwise


@posix
def test_a_child_that_is_killed_near_its_memory_limit_ran_out_of_memory_if_that_comes_back():
    loss = find_cause(GoneError(), Evidence(ending(-9, 80), ""), LIMITS)
    assert (loss.ended, loss.detail) == (
        Ended.MEMORY,
        "needed more than the memory limit of 100 MiB (signal 9 (SIGKILL))",
    )


def test_a_disk_that_somebody_else_filled_is_not_the_works_fault():
    error = GoneError("wrote more than 256 MiB to disk, in files without a name")
    assert find_cause(error, Evidence(ProcessEnd(), ""), LIMITS).fault is Fault.WORK
    assert find_cause(error, Evidence(ProcessEnd(), "", did_it=False), LIMITS).fault is Fault.OURS


@posix
@pytest.mark.parametrize(("machine", "fault"), [(100, Fault.UNKNOWN), (1000, Fault.OURS), (None, Fault.OURS)])
def test_a_child_that_is_killed_while_it_holds_most_of_the_machines_memory_may_have_taken_it(machine, fault):
    loss = find_cause(GoneError(), Evidence(ending(-9, 60), "", machine=machine), LIMITS)
    assert loss.fault is fault
    assert loss.ended is (Ended.MEMORY if fault is Fault.UNKNOWN else Ended.CRASHED)


@pytest.mark.parametrize(("status", "fault"), [(0, Fault.WORK), (1, Fault.UNKNOWN), (3221225477, Fault.UNKNOWN)])
def test_on_windows_an_exit_code_may_be_anybodys_and_no_missing_signal_equals_it(monkeypatch, status, fault):
    monkeypatch.setattr("grader.sandbox.losses.sys.platform", "win32")
    monkeypatch.setattr("grader.sandbox.losses._KILLED", None)
    monkeypatch.setattr("grader.sandbox.losses._USED_UP", None)
    loss = find_cause(GoneError(), Evidence(ending(status), "", sealed=False), LIMITS)
    assert (loss.ended, loss.fault) == (Ended.CRASHED, fault)
    closed = find_cause(GoneError(), Evidence(ending(None, 0, LONG), "", sealed=False), LIMITS)
    assert (closed.ended, closed.fault) == (Ended.CRASHED, Fault.WORK)


def test_a_call_pays_at_once_where_the_lost_child_was_asked_nothing_else():
    assert Charges().charge_call(F[0], CRASH, {"f"}) == CRASH


def test_a_call_is_tried_once_more_where_another_function_may_have_caused_the_crash():
    charges = Charges()
    assert charges.charge_call(F[0], CRASH, {"g", "f"}) is None
    assert charges.charge_call(F[0], CRASH, {"g", "f"}) == CRASH
    assert charges.charge_call(F[1], CRASH, {"g", "f"}) is None


def test_a_call_that_ran_out_of_time_is_not_tried_again_and_ends_its_function():
    charges = Charges()
    assert charges.charge_call(F[0], LATE, {"g", "f"}) == LATE
    assert "ran out of time" in charges.given_up["f"]


def test_a_function_is_given_up_after_so_many_crashes_public_and_hidden_calls_apart():
    charges = Charges()
    for call in F[: MAX_CRASHES - 1]:
        charges.charge_call(call, CRASH, {"f"})
        charges.charge_call(call._replace(id=f"hidden:{call.id}", later=True), CRASH, {"f"})
    assert charges.given_up == {}
    charges.charge_call(F[-1], CRASH, {"f"})
    assert "three of its calls crashed" in charges.given_up["f"]


@pytest.mark.parametrize("loss", [KILLED, ENDED])
def test_after_the_first_loss_without_an_explanation_everything_is_run_anew(loss):
    with pytest.raises(DisturbedError):
        Charges().charge_call(F[0], loss, {"f"})
    with pytest.raises(DisturbedError):
        Charges().charge_cell([3], loss)


@pytest.mark.parametrize("loss", [KILLED, ENDED])
def test_what_is_lost_again_is_tried_alone_at_first_in_a_fresh_child_then_on_a_fresh_engine(loss):
    charges = Charges(anew=True)
    tries = []
    for _ in range(ALONE):
        assert charges.charge_call(F[0], loss, {"f"}) is None
        assert charges.alone == F[0].id
        tries.append(charges.renew)
    assert tries == [False, True, True]


def test_what_only_the_work_can_have_done_each_time_is_paid_for_and_looked_at_by_a_person():
    charges = Charges(anew=True)
    for _ in range(ALONE):
        charges.charge_call(F[0], ENDED, {"f"})
    paid = charges.charge_call(F[0], ENDED, {"f"})
    assert (paid.ended, paid.detail) == (ENDED.ended, ENDED.detail)
    assert paid.flag == "signal 15 (SIGTERM), each of 5 times; the system cannot tell who did that"


def test_what_the_work_cannot_have_done_is_never_paid_for():
    charges = Charges(anew=True)
    for _ in range(ALONE):
        assert charges.charge_call(F[0], KILLED, {"f"}) is None
    with pytest.raises(SandboxError, match=r"lost 5 times, .*SIGKILL.*while `f` was called.*says nothing about"):
        charges.charge_call(F[0], KILLED, {"f"})
    assert charges.given_up == {}


def test_a_machine_on_which_nothing_holds_is_given_up():
    charges = Charges(anew=True)
    for call in F[:MAX_DISTURBED]:
        assert charges.charge_call(call, KILLED, {"f"}) is None
    with pytest.raises(SandboxError):
        charges.charge_call(F[MAX_DISTURBED], KILLED, {"f"})


def test_the_innermost_running_cell_pays_once():
    charges = Charges()
    assert charges.charge_cell([], CRASH) == (None, CRASH)
    assert charges.charge_cell([4, 7], CRASH) == (7, CRASH)
    assert charges.charge_cell([4, 7], CRASH) == (None, CRASH)
    assert charges.left_out == [7]


def test_a_cell_that_was_disturbed_is_run_again_and_only_what_comes_back_is_charged():
    charges = Charges(anew=True)
    for _ in range(ALONE):
        assert charges.charge_cell([4, 7], ENDED) is None
    assert charges.charge_cell([4], KILLED) is None
    number, loss = charges.charge_cell([4, 7], ENDED)
    assert (number, bool(loss.flag)) == (7, True)


def test_a_program_is_given_up_when_too_many_of_its_cells_had_to_be_left_out():
    charges = Charges()
    for number in range(MAX_LEFT_OUT):
        charges.charge_cell([number], CRASH)
    assert not charges.too_many_left_out
    charges.charge_cell([MAX_LEFT_OUT], CRASH)
    assert charges.too_many_left_out
