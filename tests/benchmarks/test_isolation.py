"""What isolation costs: one honest submission with full isolation, against a bare fork that makes the same calls and
against a fresh interpreter that does. Medians of interleaved runs.
"""

import pickle
import subprocess
import sys

import pytest

from benchmarks.test_speed import ROOT, interleave
from grader.course import find_course
from grader.frozen import load_key
from grader.grading import read_asked
from grader.sandbox import ENGINES, run
from grader.sandbox.calls import Limits, Ref, Smooth
from grader.sandbox.smooth import SMOOTH
from grader.submissions import read_submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the zygote engine is for Linux")

# Imports numpy once, then for each line on stdin forks a child that runs the files, makes the calls and sends the bytes
# of the results through a pipe. No confinement, no limits, no judging: the least that a fork can cost.
BARE = """
import os, pickle, sys, time
import numpy as np, numpy.random, numpy.linalg

import types
folder, calls = pickle.load(open(sys.argv[1], "rb"))
sys.path.insert(0, sys.argv[2])
from grader.sandbox.smooth import SMOOTH

def work(out):
    modules = {}
    for stem in ("third_key", "multi_head", "gradient_chain"):
        module = modules[stem] = sys.modules[stem] = types.ModuleType(stem)
        exec(compile(Path(folder, stem + ".py").read_text(), stem, "exec"), vars(module))
    names = {name: value for module in modules.values() for name, value in vars(module).items()}
    for function, args in calls:
        fresh = [np.array(a) if isinstance(a, np.ndarray) else SMOOTH[a[1]] if isinstance(a, tuple) else a for a in args]
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
        with os.fdopen(write, "wb") as out:
            work(out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as replies:
        replies.read()
    os.waitpid(pid, 0)

if len(sys.argv) > 3:
    once()
else:
    for line in sys.stdin:
        once()
        print("done", flush=True)
"""


@pytest.fixture
def same_calls(tmp_path):
    """Return the file with the calls that the bare programs make: all but those on earlier results."""
    key = load_key(find_course().public_key)
    asked = [name for probe in key.probes for name in [probe.call.function]]
    calls = [
        (call.function, [("smooth", a.name) if isinstance(a, Smooth) else a for a in call.args])
        for call in key.calls(dict.fromkeys(asked))
        if not call.constant and not any(isinstance(a, Ref) for a in call.args)
    ]
    assert all(a[1] in SMOOTH for _, args in calls for a in args if isinstance(a, tuple))
    path = tmp_path / "calls.pickle"
    path.write_bytes(pickle.dumps((str(ROOT / "tests" / "samples" / "right-scripts"), calls)))
    return path


def test_full_isolation_costs_at_most_three_bare_forks_and_a_fifteenth_of_an_interpreter(same_calls, tmp_path):
    program = tmp_path / "bare.py"
    program.write_text(BARE)
    course = find_course()
    key = load_key(course.public_key)
    work = read_submission([ROOT / "tests" / "samples" / "right-scripts"], read_asked(course)).program
    calls = key.calls(dict.fromkeys(probe.call.function for probe in key.probes))
    words = [sys.executable, str(program), str(same_calls), str(ROOT)]
    environment = {"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
    with (
        ENGINES["zygote"](demand="full") as engine,
        subprocess.Popen(words, stdin=-1, stdout=-1, text=True, env=environment) as forking,
    ):

        def isolated():
            replies = run(engine, work, calls, Limits()).replies
            assert len(replies) == len(calls)

        def forked():
            print("go", file=forking.stdin, flush=True)
            assert forking.stdout.readline() == "done\n"

        def interpreted():
            subprocess.run([*words, "once"], check=True, env=environment)

        full, fork, interpreter = interleave(isolated, forked, interpreted, rounds=40)
        forking.stdin.close()
    print(
        f"\nfull isolation {full * 1000:.1f} ms ({1 / full:.0f} a second), bare fork {fork * 1000:.1f} ms, fresh interpreter "
        f"{interpreter * 1000:.0f} ms: {full / fork:.2f} forks, 1/{interpreter / full:.1f} of an interpreter"
    )
    assert full <= 3 * fork
    assert full <= interpreter / 15
    assert 1 / full >= 60
