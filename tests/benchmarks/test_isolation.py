"""What isolation costs: one honest submission with full isolation, against a bare fork that makes the same calls and
against a fresh interpreter for each submission, which is the spawn engine. Medians of interleaved runs.

All calls of the public key are many (over a hundred), and most of the time is theirs; so the same is measured with one
call, which leaves what isolation itself costs: fork, confinement, loading three files, cleaning up.
"""

import pickle
import subprocess
import sys

import pytest

from benchmarks.test_speed import ROOT, interleave
from grader.calls import Limits, Ref, Smooth
from grader.course import find_course
from grader.key.frozen import load_key
from grader.sandbox import ENGINES, run
from grader.submissions import read_submission
from grader.submissions.asking import read_asked

SAMPLE = ROOT / "tests" / "samples" / "right-scripts"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the zygote engine is for Linux")

# Imports numpy once, then for each line on stdin forks a child that runs the files, makes the calls and sends the bytes
# of the results through a pipe. No confinement, no limits, no judging: the least that a fork can cost.
BARE = """
import gc, os, pickle, sys, traceback, types
from pathlib import Path
import numpy as np, numpy.random, numpy.linalg

folder, calls = pickle.load(open(sys.argv[1], "rb"))
sys.path.insert(0, sys.argv[2])
from grader.sandbox.shared.smooth import SMOOTH

def work(out):
    modules = {}
    for stem in ("third_key", "multi_head", "gradient_chain"):
        module = modules[stem] = sys.modules[stem] = types.ModuleType(stem)
        exec(compile(Path(folder, stem + ".py").read_text(), stem, "exec"), vars(module))
    names = {name: value for module in modules.values() for name, value in vars(module).items()}
    for function, args in calls:
        fresh = [
            np.array(a) if isinstance(a, np.ndarray) else SMOOTH[a[1]] if isinstance(a, tuple) else a for a in args
        ]
        try:
            value = names[function](*fresh)
        except ValueError:
            continue
        for part in value if isinstance(value, tuple) else (value,):
            out.write(np.asarray(part).tobytes())

def once():
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            with os.fdopen(write, "wb") as out:
                work(out)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as replies:
        size = len(replies.read())
    assert os.waitpid(pid, 0)[1] == 0
    return size

gc.disable()
gc.freeze()
for line in sys.stdin:
    print(once(), flush=True)
"""


@pytest.fixture(scope="module")
def honest():
    """Return the program and the calls of an honest submission."""
    course = find_course()
    key = load_key(course.public_key)
    work = read_submission([SAMPLE], read_asked(course)).program
    return work, key.calls(dict.fromkeys(probe.call.function for probe in key.probes))


def write_calls(calls, path):
    """Write the calls that the bare program makes: all but those on earlier results."""
    plain = [
        (call.function, [("smooth", a.name) if isinstance(a, Smooth) else a for a in call.args])
        for call in calls
        if not call.constant and not any(isinstance(a, Ref) for a in call.args)
    ]
    path.write_bytes(pickle.dumps((str(SAMPLE), plain)))


@pytest.mark.parametrize("most", [1, 1000], ids=["one-call", "all-calls"])
def test_full_isolation_costs_at_most_three_bare_forks(honest, tmp_path, most):
    work, calls = honest[0], honest[1][:most]
    program, written = tmp_path / "bare.py", tmp_path / "calls.pickle"
    program.write_text(BARE)
    write_calls(calls, written)
    words = [sys.executable, str(program), str(written), str(ROOT)]
    environment = {"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
    with (
        ENGINES["zygote"](demand="full") as engine,
        subprocess.Popen(words, stdin=-1, stdout=-1, text=True, env=environment) as forking,
    ):

        def isolated():
            assert len(run(engine, work, calls, Limits()).replies) == len(calls)

        def forked():
            print("go", file=forking.stdin, flush=True)
            assert int(forking.stdout.readline()) > 0  # bytes of results

        def interpreted():
            with ENGINES["spawn"](demand="full") as fresh:
                assert len(run(fresh, work, calls, Limits()).replies) == len(calls)

        full, fork, interpreter = interleave(isolated, forked, interpreted, rounds=40)
        forking.stdin.close()
    print(
        f"\n{len(calls)} calls: full isolation {full * 1000:.1f} ms ({1 / full:.0f} a second), bare fork "
        f"{fork * 1000:.1f} ms, fresh interpreter {interpreter * 1000:.0f} ms: {full / fork:.2f} forks, "
        f"1/{interpreter / full:.1f} of an interpreter"
    )
    assert full <= 3 * fork
    # The aims are 1/15 of an interpreter and 60 a second. Measured on two virtual processors: with one call 1/14.5 to
    # 1/15.7 and 61 to 66 a second; with all calls 1/6.3 to 1/6.6 and 22 to 23, where the bare fork makes 50 to 53.
    assert full <= interpreter / (12 if most == 1 else 5)
    assert 1 / full >= (45 if most == 1 else 15)
