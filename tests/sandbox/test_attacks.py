"""What student code may try, over both engines and both levels, as an unprivileged user and as root.

Each file in `attacks` says in its first line whether it is stopped anyway (`any`: by the process boundary, the wire,
the limits) or only under full isolation (`full`). Under weak isolation the latter may succeed; still the grader
must go on and the next submission be graded right.
"""

import contextlib
import functools
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from sandbox.conftest import LINUX

if not LINUX:
    pytest.skip("the corpus is for Linux", allow_module_level=True)

from grader.sandbox.child import faults, landlock, loading, seccomp, values, worker
from grader.sandbox.shared import wire

HARNESS = Path(__file__).with_name("attack_harness.py")
ROOT = HARNESS.parents[2]
FILES = sorted(HARNESS.with_name("attacks").glob("*.py"))
LEVEL = {path.stem: path.read_text(encoding="utf-8").split(":")[0].removeprefix("# ") for path in FILES}
STRANGER = (
    60_000 + os.getpid() % 4000
)  # a user that owns nothing, not even in another run of these tests beside this one

SAMPLE = (
    *("array_class_that_is_always_equal", "arrays_of_strange_shapes", "close_all_descriptors", "datagram_by_a_pair"),
    *("deep_folders", "endless_loop_ignoring_signals", "environment_of_the_parents", "forge_hello"),
    *("forge_on_all_descriptors", "kill_parent", "lists_without_end", "loopback_network", "print_200_mb"),
    *("read_solutions", "read_solutions_by_links", "replace_own_folder", "reply_before_it_is_asked", "write_outside"),
    *("daemon_grandchild", "fork_bomb", "values_that_refuse_to_be_looked_at"),
)
AS_ROOT = (*SAMPLE, "chmod_outside", "delete_outside", "raise_own_limits", "limit_parent", "signal_by_other_ways")
HARMS_ITS_PARENT = {
    *("kill_parent", "stop_parent", "signal_by_other_ways", "limit_parent", "slow_parent"),
    "own_a_descriptor_of_the_parent",
}

needs_full = pytest.mark.skipif(landlock.abi() < 1 or not seccomp.available(), reason="no full isolation here")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be root")


@functools.cache
def interpreter():
    """Return an interpreter that a stranger can use, with NumPy; `None` if there is none."""
    if os.geteuid() != 0:
        return sys.executable
    for candidate in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [candidate, "-c", "import numpy"], **as_stranger(), cwd="/", capture_output=True, check=False
            )
            if done.returncode == 0:
                return candidate
    return None


def as_stranger():
    path = os.pathsep.join([str(ROOT), str(Path(np.__file__).parents[1])])
    env = {"PATH": os.defpath, "PYTHONPATH": path, "ALONE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    if os.geteuid() != 0:
        return {"env": env | {"ALONE": "0"}}
    return {"env": env, "user": STRANGER, "group": STRANGER, "extra_groups": []}


@functools.cache
def observe(engine, level, who, names):
    """Run attacks in one harness; return what was seen."""
    stage = Path(tempfile.mkdtemp(prefix="stage-", dir="/tmp"))
    try:
        program, options = sys.executable, {"env": os.environ | {"ALONE": "0"}}
        if who == "stranger":
            program, options = interpreter(), as_stranger()
            if program is None:
                pytest.skip("no interpreter here that an unprivileged user may run")
            if os.geteuid() == 0:
                os.chown(stage, STRANGER, STRANGER)
        done = subprocess.run(
            [program, str(HARNESS), engine, level, str(stage), *names],
            **options,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60 + 12 * len(names),
            check=False,
        )
        if done.returncode == 0:
            return json.loads(done.stdout)
        # Remembered, too: otherwise each test would run all attacks again.
        ending = f"the harness ended with {done.returncode}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
        return {name: {"trouble": ending} for name in (*names, "at the end")}
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def judge(name, told, level):
    assert "trouble" not in told, told["trouble"]
    assert told["honest"], told
    assert told["left"] == [], told
    assert told["argument_kept"]
    assert told["level"] == level
    assert len(told["ended"]) == 2
    if level == "full" or LEVEL[name] == "any":
        assert not told["gained"], told
        assert told["changed"] == [], told
        assert told["heard"] == [], told
        assert told["astray"] == [], told


def attacks(engine, level, names=tuple(LEVEL)):
    """Leave out what ends the harness itself: under weak isolation the spawn engine's children are its own."""
    if (engine, level) == ("spawn", "weak"):
        return tuple(name for name in names if name not in HARMS_ITS_PARENT)
    return names


@needs_full
@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_gains_nothing_under_full_isolation(name):
    judge(name, observe("zygote", "full", "stranger", SAMPLE)[name], "full")


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_costs_the_next_submission_nothing_under_weak_isolation(name):
    judge(name, observe("zygote", "weak", "stranger", SAMPLE)[name], "weak")


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize("name", LEVEL)
@pytest.mark.parametrize("engine", ["zygote", "spawn"])
def test_every_attack_gains_nothing_under_full_isolation(name, engine):
    judge(name, observe(engine, "full", "stranger", attacks(engine, "full"))[name], "full")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "name"), [(engine, name) for engine in ("zygote", "spawn") for name in attacks(engine, "weak")]
)
def test_every_attack_costs_the_next_submission_nothing_under_weak_isolation(name, engine):
    judge(name, observe(engine, "weak", "stranger", attacks(engine, "weak"))[name], "weak")


@pytest.mark.slow
@needs_root
@needs_full
@pytest.mark.parametrize("name", AS_ROOT)
def test_an_attack_gains_nothing_where_the_grader_is_root(name):
    judge(name, observe("zygote", "full", "root", AS_ROOT)[name], "full")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "level", "who", "names"),
    [
        *(
            (engine, level, "stranger", attacks(engine, level))
            for engine in ("zygote", "spawn")
            for level in ("full", "weak")
        ),
        pytest.param("zygote", "full", "root", AS_ROOT, marks=needs_root),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_after_all_attacks_no_process_and_no_file_is_left(engine, level, who, names):
    assert observe(engine, level, who, names)["at the end"] == {"left": [], "files": []}


def test_after_a_sample_of_attacks_no_process_and_no_file_is_left():
    assert observe("zygote", "weak", "stranger", SAMPLE)["at the end"] == {"left": [], "files": []}


def test_what_attacks_look_for_inside_a_child_is_called_so():
    assert {"line", "seqs"} <= set(inspect.signature(worker.answer_all).parameters)
    assert worker.Line.__name__ in source("reply_before_it_is_asked")
    assert loading.Loader.__name__ in source("tell_of_cells_that_do_not_exist")
    for name in (wire.pack, values.Converter, faults.describe, values.text):
        assert f'"{name.__name__}"' in source("replace_the_wire")


def source(name):
    return HARNESS.with_name("attacks").joinpath(f"{name}.py").read_text(encoding="utf-8")


def test_every_attack_says_what_stops_it():
    assert set(LEVEL.values()) == {"any", "full"}
    assert len(LEVEL) > 70
    assert set(SAMPLE) | set(AS_ROOT) | HARMS_ITS_PARENT <= set(LEVEL)
