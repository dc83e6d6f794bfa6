"""Whatever a child can send is judged: a value that nobody thought of is a wrong answer, never a fault of ours.

The values are made of the nodes that the wire lets through, so they are also those of forged frames, which no honest
function could return: marks as keys of dicts, raw bytes, a mark within a mark.
"""

import random
from pathlib import Path

import numpy as np
import pytest

from builders import automatic_points
from grader import grading
from grader.calls import Ended, Opaque, Run, StudentError, Wrapped
from grader.course import find_course
from grader.exercises import asked_names
from grader.feedback import FORMATS, View
from grader.report import Report, dump_report
from grader.sandbox.requests import Packer
from grader.sandbox.shared import wire
from grader.settings import Settings
from grader.submissions import read_submission
from grader.submissions.asking import read_asked
from judging.answering import REFERENCES, answer

NAMES = [name for names in asked_names().values() for name in names]
PASSED_ON = ("attention_grad_q", "grad_scores", "grad_queries", "softmax_jacobian")
SAMPLE = Path(__file__).parents[1] / "samples" / "right-scripts"
DEEPEST = 4
MARKS = {"opaque": Opaque, "wrapped": Wrapped}
ARRAYS = (
    np.zeros((0, 3)),
    np.zeros((10**9, 0)),
    np.array(1e308),
    np.full((2, 2), np.nan),
    np.array([[np.inf, -np.inf]]),
    np.array([True, False]),
    np.array([2**64 - 1], "u8"),
    np.array([1 + 2j, np.nan], "c8"),
    np.zeros((1,) * 30),
    np.array([1e-320, -0.0], ">f8"),
    np.float16([6e4, 1.0]),
    np.int8([[-128]]),
    np.zeros((3, 4)),
    np.ones((3, 3)) / 3,
)
SCALARS = (
    None,
    [["x" * 2000] * 100] * 100,
    True,
    0,
    -1,
    10**1200,
    0.0,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "scores",
    "x" * 600,
    "\ud800",
)
TEXTS = ("", "value", "seq", "a" * 600, "\n\x1b[2J", "é")


def node(chance, depth=0):
    """Return a value, made of whatever may travel."""

    def inner(_=None):
        return node(chance, depth + 1)

    def some(most):
        return range(chance.randrange(most))

    key = (1, 1.5, None, True, (2, "x"), wire.Special("opaque", "int", "large"))
    container = ("numpy.matrix", "masked", "numpy.ndarray of dtype object")
    kinds = (
        lambda: chance.choice(SCALARS),
        lambda: chance.choice(ARRAYS),
        lambda: [*map(inner, some(4))],
        lambda: tuple(map(inner, some(4))),
        lambda: {chance.choice(TEXTS): inner() for _ in some(3)},
        lambda: {chance.choice(key): inner()},
        lambda: chance.choice([b"", b"\0\xff", complex(1, float("nan"))]),
        lambda: wire.Special("opaque", chance.choice(TEXTS), chance.choice(TEXTS)),
        lambda: wire.Special("wrapped", chance.choice(container), inner()),
    )
    return chance.choice(kinds if depth < DEEPEST else kinds[:2])()


def travelled(value):
    """Return a value as it arrives; what does not fit into a frame arrives as nothing."""
    try:
        frame = wire.pack({"value": value})
        head, _ = wire.sizes(frame[: wire.PREFIX.size])
        start = wire.PREFIX.size
        return wire.unpack(frame[start : start + head], frame[start + head :], MARKS)["value"]
    except wire.WireError:
        return None


def spoil_numbers(chance, array):
    """Return an array of the same shape, of another type or with some odd numbers in it."""
    if not isinstance(array, np.ndarray) or not array.size:
        return array
    with np.errstate(all="ignore"):
        spoilt = array.astype(chance.choice([*"?bBlLefdFD", ">f8"]))
        for _ in range(chance.randrange(3)):
            odd = (
                chance.choice([7, 0, 1]) if spoilt.dtype.kind in "biu" else chance.choice([np.nan, np.inf, 1e300, -0.0])
            )
            place = chance.choice([chance.randrange(spoilt.size), slice(None)])
            spoilt.flat[place] = np.asarray(odd).astype(spoilt.dtype)
    return spoilt


def spoil(chance, reply):
    """Return what a child may say instead of a reply."""
    error = StudentError(chance.choice(["ValueError", "", "é"]), chance.choice(TEXTS), line=chance.choice([None, 0, 7]))
    match chance.randrange(8):
        case 0:
            return reply._replace(ended=chance.choice([*Ended]), error=chance.choice([None, error]))
        case 1:
            return reply._replace(echo=chance.choice([None, (), (travelled(node(chance)),), (1, 2, 3, 4)]))
        case 2 if isinstance(reply.value, tuple):
            kinds = (lambda x: x, lambda x: spoil_numbers(chance, x), lambda _: travelled(node(chance)))
            return reply._replace(value=tuple(chance.choice(kinds)(x) for x in reply.value))
        case 3 | 4:
            return reply._replace(value=spoil_numbers(chance, reply.value))
        case 5:
            return reply._replace(value=(travelled(node(chance)), travelled(node(chance))))
        case _:
            return reply._replace(value=travelled(node(chance)))


def grade_spoilt(key, work, honest, seed):
    """Spoil some replies, or all of them; grade, and write what a person reads. Return the score."""
    chance = random.Random(seed)
    share = chance.choice([0.02, 0.2, 1.0])
    replies = {name: spoil(chance, reply) if chance.random() < share else reply for name, reply in honest.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "run", lambda *_: Run(replies))
        report = grading.grade_submission(work, key, None, Settings())
    assert report.status == "graded", f"{report.error} (seed {seed})"
    for form in FORMATS.values():
        assert form(report.for_student(), View(hints=3))
    assert Report.model_validate_json(dump_report(report)) == report
    pass_on(key, replies)
    return report.score


def pass_on(key, replies):
    """Pack each call that holds an earlier result: it is packed, or skipped with a reason."""
    pending, skipped = [call for call in key.calls(NAMES) if call.function in PASSED_ON], {}
    packed = []
    asked = {call.id for call in pending}
    while pending:
        frame = Packer().take_frame(pending, replies, lambda call, why: skipped.update({call.id: why}), whole=False)
        packed += [call.id for call in frame.calls]
    assert {*packed} | {*skipped} == asked
    assert len(packed) + len(skipped) == len(asked)
    assert all(skipped.values())


def check(key, seeds):
    course = find_course()
    work = read_submission([SAMPLE], read_asked(course))
    honest = answer(REFERENCES, key).replies
    scores = [grade_spoilt(key, work, honest, seed) for seed in seeds]
    assert all(0 <= score <= automatic_points() for score in scores)
    assert min(scores) < 10
    assert max(scores) > 60


def test_no_value_is_a_fault_of_ours(key):
    check(key, range(12))


@pytest.mark.slow
def test_a_thousand_rounds_of_values_are_no_fault_of_ours(key):
    check(key, range(12, 1000))
