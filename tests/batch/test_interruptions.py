"""Nothing is lost: killed, interrupted, out of space, twice at once. Real processes, as a person starts them."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from batch.conftest import ROOT, SEED, timeless
from grader.sandbox.processes import descendants

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and limits of Linux")
LIMITS = ("--timeout", "0.5", "--total-timeout", "10")
CASES = ("right", "no_scale", "no_outer", "hangs", "crashes", "untouched", "nothing", "forward_order")


@pytest.fixture(scope="module")
def reference(tmp_path_factory, everybody):
    """A class and what an undisturbed run gives."""
    place = tmp_path_factory.mktemp("reference")
    room = replace(everybody, tree=place / "tree", out=place / "undisturbed")
    for case in CASES:
        room.hand_in(case, case)
    finish(room)
    return room


def finish(room):
    command = [
        sys.executable,
        "-m",
        "grader",
        "batch",
        str(room.tree),
        "--out",
        str(room.out),
        *LIMITS,
        "--isolation",
        "weak",
    ]
    done = subprocess.run(
        [*command, "--seed", str(SEED)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def assert_same(room, reference):
    assert (room.out / "gradebook.csv").read_bytes() == (reference.out / "gradebook.csv").read_bytes()
    assert timeless(list(room.reports().values())) == timeless(list(reference.reports().values()))
    assert not list(room.out.rglob("*.tmp"))


def start(start_batch, room, *more):
    return start_batch(room.tree, "--out", room.out, *LIMITS, *more)


def count_reports(room):
    return len(list((room.out / "reports").glob("[!.]*.json"))) if (room.out / "reports").is_dir() else 0


def wait_for(condition, seconds=60.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def kill_and_finish(start_batch, room, reference, seconds):
    process = start(start_batch, room)
    time.sleep(seconds)
    below = descendants(process.pid)
    process.kill()
    process.communicate(timeout=30)
    wait_for(lambda: not any(map(is_alive, below)))
    if (room.out / "reports").is_dir():
        room.reports()  # none is torn or doubled
    for path in room.out.rglob("*.tmp"):
        os.utime(path, (0, 0))  # as if it had lain there for long
    finish(room)
    assert_same(room, reference)


@pytest.mark.parametrize("seconds", [1.3, pytest.param(2.1, marks=pytest.mark.slow)])
def test_a_killed_run_loses_nothing_and_leaves_no_process(start_batch, reference, tmp_path, seconds):
    kill_and_finish(start_batch, replace(reference, out=tmp_path / "out"), reference, seconds)


@pytest.mark.slow
def test_fifty_kills_lose_nothing(start_batch, reference, tmp_path):
    rng = random.Random(1)
    for number in range(50):
        room = replace(reference, out=tmp_path / str(number % 5))
        if rng.random() < 0.5:
            shutil.rmtree(room.out, ignore_errors=True)
        kill_and_finish(start_batch, room, reference, rng.uniform(0.2, 3.5))


def test_ctrl_c_finishes_what_runs_and_keeps_what_is_done(start_batch, reference, tmp_path):
    room = replace(reference, out=tmp_path / "out")
    process = start(start_batch, room, "--jobs", "1")
    wait_for(lambda: count_reports(room) >= 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "work in progress is finished first; Ctrl-C again ends it now" in said
    rows = room.rows()
    assert len(rows) == len(CASES)
    done = [student for student, row in rows.items() if row["status"] != "no_result"]
    assert 2 <= len(done) < len(CASES)
    assert sorted(room.reports()) == done
    finish(room)
    assert_same(room, reference)


@pytest.mark.slow
def test_a_second_ctrl_c_ends_what_runs(start_batch, reference, tmp_path):
    room = replace(reference, out=tmp_path / "out", tree=tmp_path / "tree")
    room.hand_in("a", "right")
    room.hand_in("b", "hangs")
    process = start(start_batch, room, "--jobs", "1", "--timeout", "300", "--total-timeout", "300")
    wait_for(lambda: count_reports(room) == 1)
    time.sleep(1.0)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not any(map(is_alive, below))
    assert set(room.reports()) == {"a"}
    assert {student: row["status"] for student, row in room.rows().items()} == {"a": "graded", "b": "no_result"}


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_request_to_end_keeps_what_is_done_and_leaves_nothing_behind(start_batch, everybody, tmp_path, number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("ignored here, and so by what is started here")
    room = replace(everybody, out=tmp_path / "out", tree=tmp_path / "tree")
    room.hand_in("a", "right")
    room.hand_in("b", "hangs")
    (tmp_path / "tmp").mkdir()
    limits = ("--jobs", "1", "--timeout", "300", "--total-timeout", "300")
    process = start_batch(room.tree, "--out", room.out, *limits, env={"TMPDIR": str(tmp_path / "tmp")})
    wait_for(lambda: count_reports(room) == 1)
    below = descendants(process.pid)
    assert [path.name for path in (tmp_path / "tmp").iterdir() if path.name.startswith("grade-batch-")]
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "ended by a signal; run the same command again to go on" in said
    assert not any(map(is_alive, below))
    assert list((tmp_path / "tmp").iterdir()) == []
    assert {student: row["status"] for student, row in room.rows().items()} == {"a": "graded", "b": "no_result"}


@pytest.mark.slow
def test_two_runs_on_one_folder_lose_and_double_nothing(start_batch, reference, tmp_path):
    room = replace(reference, out=tmp_path / "out")
    both = [start(start_batch, room, "--jobs", "1") for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    assert_same(room, reference)


@pytest.mark.slow
def test_a_full_disk_is_told_in_the_gradebook_and_keeps_what_is_there(reference, tmp_path):
    room = replace(reference, out=tmp_path / "out", tree=tmp_path / "tree")
    room.hand_in("a", "right")
    finish(room)
    before = room.reports()
    room.hand_in("a", "no_scale")
    room.hand_in("b", "right")
    words = [sys.executable, "-m", "grader", "batch", str(room.tree), "--out", str(room.out), "--isolation", "weak"]
    # Every file larger than 8 KiB fails half-way, as on a disk that is full.
    done = subprocess.run(
        ["sh", "-c", 'ulimit -S -f 16; exec "$@"', "sh", *words, *LIMITS, "--seed", str(SEED)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 3, done.stderr
    assert "no result   2: a, b; run the same command again" in done.stdout
    assert "a: the report could not be written: File too large" in done.stdout
    assert {student: row["status"] for student, row in room.rows().items()} == {"a": "no_result", "b": "no_result"}
    assert "Traceback" not in done.stderr
    assert room.reports() == before
    assert not list(room.out.rglob("*.tmp"))
    finish(room)
    assert set(room.reports()) == {"a", "b"}
