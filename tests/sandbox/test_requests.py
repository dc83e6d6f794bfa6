"""Packing calls into frames. Pure; no process is started."""

import numpy as np
import pytest

from grader.calls import Call, Ended, Opaque, Ref, Reply
from grader.sandbox import requests
from grader.sandbox.requests import Packer
from grader.sandbox.shared import wire

CALLS = [Call(str(i), "f", (np.arange(3.0) + i,)) for i in range(4)]


def take(packer, calls, replies=None, *, whole=True):
    """Return the frame, what is left, and what was skipped."""
    pending, skipped = list(calls), []
    frame = packer.take_frame(pending, replies or {}, lambda call, why: skipped.append(call.id), whole=whole)
    return frame, pending, skipped


def test_all_calls_of_a_function_are_packed_once():
    packer = Packer()
    first = take(packer, CALLS)[0]
    again, left, _ = take(packer, CALLS)
    assert again is first
    assert first.calls == tuple(CALLS)
    assert left == []


def test_what_is_left_after_a_crash_is_not_kept():
    packer = Packer()
    part = take(packer, CALLS[1:], whole=False)[0]
    assert take(packer, CALLS[1:], whole=False)[0] is not part
    assert take(packer, CALLS[1:])[0] is not part


def test_two_packers_share_nothing():
    assert take(Packer(), CALLS)[0] is not take(Packer(), CALLS)[0]


def test_equal_calls_that_are_other_objects_are_packed_anew():
    packer = Packer()
    first = take(packer, CALLS)[0]
    others = [Call(call.id, call.function, call.args) for call in CALLS]
    assert take(packer, others)[0] is not first
    assert take(packer, others)[0].content == first.content


def test_calls_that_hold_results_are_packed_with_the_results_of_each_run():
    packer = Packer()
    calls = [Call("b", "g", (Ref("a"),))]
    one = take(packer, calls, {"a": Reply(Ended.RETURNED, 1)})[0]
    two = take(packer, calls, {"a": Reply(Ended.RETURNED, 2)})[0]
    assert one.content != two.content
    frame, left, skipped = take(packer, calls, {"a": Reply(Ended.CRASHED)})
    assert (frame.calls, left, skipped) == ((), [], ["b"])


def test_a_call_on_a_result_of_the_same_frame_waits_for_the_next_one():
    packer = Packer()
    calls = [CALLS[0], Call("later", "f", (Ref("0"),))]
    frame, left, _ = take(packer, calls)
    assert (frame.calls, left) == ((calls[0],), [calls[1]])
    assert take(packer, calls)[0] is not frame


@pytest.mark.parametrize(
    "result",
    [
        {Opaque("int", "too large"): 1},
        [{}] * (wire.MAX_NODES - 1),
        [10**1200] * 900,
        ["\N{GRINNING FACE}" * 500] * 200,
        {"x" * 600: [0.5] * wire.MAX_NODES},
        np.zeros(wire.MAX_BODY // 8),
    ],
    ids=["a key that is no text", "too many items", "long numbers", "long texts", "long keys", "a large array"],
)
def test_a_result_that_cannot_be_passed_on_skips_the_calls_that_need_it(result):
    calls = [Call("plain", "g", (1,)), Call("b", "g", (Ref("a"),)), Call("c", "g", (2, [Ref("a")])), CALLS[0]]
    pending, why, packed = list(calls), {}, []
    while pending:
        frame = Packer().take_frame(
            pending, {"a": Reply(Ended.RETURNED, result)}, lambda call, said: why.update({call.id: said}), whole=False
        )
        packed += [call.id for call in frame.calls]
    assert packed == ["plain", "0"]
    assert {*why} == {"b", "c"}
    assert all("cannot be passed on" in said for said in why.values())


def test_what_fits_into_a_frame_alone_is_packed_alone():
    pending = [Call(name, "g", (Ref("a"),)) for name in "bcd"]
    replies = {"a": Reply(Ended.RETURNED, [{}] * (wire.MAX_NODES // 2))}
    frames = []
    while pending:
        frames.append(Packer().take_frame(pending, replies, lambda *_: pytest.fail("skipped"), whole=False))
    assert [[call.id for call in frame.calls] for frame in frames] == [["b"], ["c"], ["d"]]


def test_arguments_of_our_own_that_do_not_fit_are_a_fault_of_ours():
    with pytest.raises(wire.WireError, match="the arguments of a"):
        take(Packer(), [CALLS[0], Call("a", "f", ({Opaque("x", "y"): 1},))][::-1])


def test_a_group_needs_what_one_of_its_calls_refers_to():
    packer = Packer()
    calls = [CALLS[0], Call("later", "f", (1, [Ref("other")]))]
    assert packer.needs(calls, {"other"})
    assert not packer.needs(calls, {"else"})
    assert not packer.needs(calls, set())
    take(packer, CALLS)
    assert not packer.needs(CALLS, {"other"})


def test_no_more_frames_are_kept_than_bounded():
    packer = Packer()
    for i in range(3 * requests.MOST_KEPT):
        take(packer, [Call(str(i), "f")])
    assert len(packer._kept) <= requests.MOST_KEPT


def test_a_frame_that_was_kept_is_answered_for_every_submission(engine):
    from sandbox.programs import everything, script

    calls = [Call(str(i), "f", (i,)) for i in range(3)]
    for factor in (2, 3):
        replies = everything(engine, script(f"def f(x): return x * {factor}"), *calls).replies
        assert [replies[str(i)].value for i in range(3)] == [0, factor, 2 * factor]
