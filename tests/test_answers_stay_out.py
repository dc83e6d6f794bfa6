"""Nothing that a submission can reach holds an expected value of the key or a module of the grader."""

import json
import sys
import textwrap

import numpy as np
import pytest

from grader.calls import Limits
from grader.course import find_course
from grader.grading import grade_submission
from grader.key.building import build_key
from grader.key.frozen import load_key
from grader.report import Outcome
from grader.sandbox import ENGINES, open_engine
from grader.settings import Settings
from grader.submissions import read_submission
from grader.submissions.asking import read_asked

# Told from inside the child, by way of an exception's text. The needle is split, so that the search does not find it.
SEARCH = '''
import gc, os, sys
import numpy as np

NEEDLES = [bytes.fromhex(half)[::-1] for half in {needles!r}]
NAMES = ("grader", "solutions", "public_key", "multi_head_reference")


def texts():
    """Yield what holds bytes or text anywhere: live objects, frames, modules, the environment, descriptors."""
    seen = set()
    queue = [*gc.get_objects(), *map(vars, [m for m in list(sys.modules.values()) if hasattr(m, "__dict__")])]
    frame = sys._getframe()
    while frame is not None:
        queue += [frame.f_locals, frame.f_globals, frame.f_code.co_consts]
        frame = frame.f_back
    queue += [dict(os.environ), sys.argv, sys.path]
    mine = {{id(NEEDLES)}} | set(map(id, NEEDLES))
    while queue:
        thing = queue.pop()
        if id(thing) in seen or id(thing) in mine:
            continue
        seen.add(id(thing))
        kind = type(thing)
        if kind is np.ndarray and thing.dtype.kind == "f":
            yield thing.tobytes()
        elif kind is float:
            yield np.float64(thing).tobytes()
        elif kind in (bytes, bytearray):
            yield bytes(thing)
        elif kind is dict:
            queue += [*thing.keys(), *thing.values()]
        elif kind in (list, tuple, set, frozenset) and len(thing) < 100_000:
            queue += list(thing)


def find():
    found = [k for text in texts() for k, needle in enumerate(NEEDLES) if needle in text]
    modules = [name for name in sys.modules if name.split(".")[0] in ("grader", "solutions", "_grader_sandbox")]
    files = []
    for fd in range(3, 64):
        try:
            where = os.readlink("/proc/self/fd/%d" % fd)
        except OSError:
            continue
        if any(name in where for name in NAMES):
            files.append("descriptor")
    folders = [entry for entry in sys.path if entry]
    for entry in folders:
        for name in ("grader/public_key.npz", "solutions/third_key.py", "third_key.py", "grader/key.py"):
            try:
                with open(os.path.join(entry, name), "rb") as stream:
                    files.append(name if stream.read(1) else "")
            except OSError:
                continue
    for name in ("grader", "grader.key", "solutions", "grader.sandbox.child.worker"):
        try:
            __import__(name)
            modules.append("imported " + name)
        except ImportError:
            pass
    return {{"found": found, "modules": modules, "files": files, "control": control()}}


def control():
    """Count what the same search finds of something that is certainly there."""
    global hidden_away
    hidden_away = np.array([0.123456789, 0.987654321])
    return sum(hidden_away.tobytes() in text for text in texts() if len(text) == 16) > 0


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    weights = softmax(Q @ K.T)
    return weights @ V, weights


def dominant_key(weights):  # asked last: all calls about attention have been made by then
    raise RuntimeError("REPORT" + __import__("json").dumps(find()))
'''


@pytest.fixture(scope="module")
def hidden():
    return build_key(find_course(), 20_011)


@pytest.mark.parametrize("name", ENGINES)
def test_nothing_that_a_submission_can_reach_holds_an_expected_value(hidden, tmp_path, name):
    if name == "zygote" and sys.platform != "linux":
        pytest.skip("the zygote needs Linux")
    # Interior numbers of answers that do not follow from any one input; as they stand in memory, turned round.
    right = ("attention/rectangle", "attention/again", "attention/square", "multi_head_attention/wide")
    needles = [hidden.answers[probe].items[0].astype(np.float64).tobytes()[8:24][::-1].hex() for probe in right]
    needles += [hidden.answers["attention_grad_q/rectangle"].items[0].tobytes()[8:24][::-1].hex()]
    needles += [hidden.mistakes["attention"]["E1-01"]["attention/rectangle"].items[0].tobytes()[8:24][::-1].hex()]
    code = textwrap.dedent(SEARCH).format(needles=needles)
    (tmp_path / "third_key.py").write_text(code, encoding="utf-8")
    course = find_course()
    submission = read_submission([tmp_path], read_asked(course))
    settings = Settings(exercises=("third_key",), limits=Limits(call=20.0, submission=60.0))
    with open_engine(name) as engine:
        report = grade_submission(submission, hidden, engine, settings)
    checks = {check.name: check for check in report.exercises[0].checks}
    assert checks["softmax.rows"].outcome is Outcome.PASSED
    message = checks["dominant_key.values"].message
    told = json.loads(message[message.index("REPORT") + 6 : message.index("}") + 1])
    assert told["control"] is True
    assert told["found"] == []
    assert told["modules"] == []
    if report.isolation["landlock"].get("fs"):
        assert told["files"] == []


LIARS = """
import numpy as np

class Equal(np.ndarray):
    def __eq__(self, other): return np.True_
    def __sub__(self, other): return np.zeros(self.shape)
    def __array_ufunc__(self, *args, **kwargs): return np.zeros(1)
    def __array_function__(self, *args, **kwargs): return True
    def tobytes(self, *args): return b""

class Number(float):
    def __sub__(self, other): return 0.0
    def __rsub__(self, other): return 0.0
    def __eq__(self, other): return True
    __hash__ = None

class Words(list):
    def __eq__(self, other): return True
    __hash__ = None

class Word(str):
    def casefold(self): return "scale"
    def __eq__(self, other): return True
    __hash__ = str.__hash__

def softmax(x, axis=-1):
    return np.zeros(x.shape).view(Equal)

def attention(Q, K, V):
    yield np.zeros((len(Q), V.shape[1]))

def add_key(K, V, key, value):
    return (row for row in (K, V))

def head_scale(d_k, num_heads):
    return Number(3.0)

def score_variance(d_k, num_heads):
    return type("Anything", (), {"__float__": lambda self: d_k / num_heads, "__array__": lambda self, *a: 1 / 0})()

CHAIN = Words([Word("x")] * 4)
"""


def test_objects_that_lie_about_themselves_are_judged_by_their_type(tmp_path):
    (tmp_path / "answers.py").write_text(LIARS, encoding="utf-8")
    course = find_course()
    submission = read_submission([tmp_path], read_asked(course))
    with open_engine() as engine:
        report = grade_submission(submission, load_key(course.public_key), engine, Settings())
    assert report.status == "graded"
    assert report.score == 0
    checks = {check.name: check for exercise in report.exercises for check in exercise.checks}
    assert "a generator" in checks["attention.form"].message
    assert "a generator" in checks["add_key.form"].message
    assert "Equal" in checks["softmax.form"].message
    assert "Number" in checks["head_scale.form"].message
    assert "Words" in checks["chain.order"].message
