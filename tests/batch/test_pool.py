"""Workers: real processes that die, hang or refuse, and what that costs."""

import errno
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace

import pytest

from batch.synthetic import make_work, write_class
from grader.batch import pool as pool_module
from grader.batch import process
from grader.batch.pool import TRIES, Job, Pool
from grader.batch.process import Setup, Worker
from grader.calls import Limits
from grader.errors import CourseError, GraderError, IsolationError
from grader.files import pack_path
from grader.key.frozen import freeze, load_key
from grader.settings import Settings


@pytest.fixture(scope="module")
def setup(root):
    settings = Settings(("third_key",), Limits(call=5.0, load=5.0, submission=20.0), "weak")
    return Setup(settings, freeze(load_key(root / "grader" / "public_key.npz")), (), 60.0)


@pytest.fixture
def make_job(tmp_path):
    def make(number, case="right"):
        work = make_work(f"s{number}", case)
        write_class([work], tmp_path)
        paths = [pack_path(tmp_path / work.student)]
        about = {"student": work.student, "attempt": None, "late": "unknown", "label": work.student}
        return Job(number, about | {"paths": paths, "files": []})

    return make


@pytest.fixture(autouse=True)
def pauses_are_short(monkeypatch):
    monkeypatch.setattr("grader.batch.pool.PAUSES", (0.01, 0.01))


def grade(pool, *jobs):
    return {finished.number: finished for finished in pool.grade(jobs)}


def lose_worker(monkeypatch, number, times):
    """Have the worker die in the middle of a job, so many times."""
    left, real = [times], Worker.grade

    def grade_or_die(self, job):
        if job["student"] == f"s{number}" and left[0]:
            left[0] -= 1
            self.kill()
        return real(self, job)

    monkeypatch.setattr(Worker, "grade", grade_or_die)


def test_every_job_is_answered_once(setup, make_job):
    answers = list(Pool(setup, 2).grade([make_job(k) for k in range(4)]))
    assert sorted(answer.number for answer in answers) == [0, 1, 2, 3]
    assert all(answer.message["graded"] for answer in answers)


def test_a_worker_that_dies_costs_one_retry(setup, make_job, monkeypatch):
    lose_worker(monkeypatch, 1, times=1)
    pool = Pool(setup, 1)
    answers = grade(pool, *(make_job(k) for k in range(3)))
    assert all(answer.message["graded"] for answer in answers.values())
    assert len(pool.losses) == 1


def test_a_job_that_loses_each_worker_is_given_up_and_the_others_are_graded(setup, make_job, monkeypatch):
    lose_worker(monkeypatch, 1, times=TRIES)
    answers = grade(Pool(setup, 1), *(make_job(k) for k in range(3)))
    assert answers[1].message is None
    assert "ended (exit code -9)" in answers[1].why or sys.platform == "win32"
    assert answers[0].message["graded"]
    assert answers[2].message["graded"]


@pytest.mark.slow
def test_a_worker_that_computes_by_itself_for_too_long_is_replaced(setup, make_job):
    # A worker computes for some milliseconds in any case; the job takes longer than the pool needs to look.
    slow = replace(setup, patience=1e-3, settings=replace(setup.settings, exercises=()))
    answers = grade(Pool(slow, 1), make_job(0, "hangs"))
    assert answers[0].message is None
    assert "silent for" in answers[0].why


@pytest.mark.slow
def test_a_worker_that_waits_for_slow_work_is_waited_for(setup, make_job, monkeypatch):
    """It sleeps meanwhile, whatever the clock says: on a busy machine its child takes long."""
    slow = replace(setup, patience=1.0, settings=replace(setup.settings, exercises=(), limits=Limits(call=2.5)))
    assert grade(Pool(slow, 1), make_job(0, "hangs"))[0].message["graded"]
    monkeypatch.setattr("grader.batch.process.longest", lambda _: 0.5)
    assert "silent for" in grade(Pool(slow, 1), make_job(0, "hangs"))[0].why


def test_a_sandbox_that_could_not_be_started_is_tried_again_with_another_worker(setup, make_job, monkeypatch):
    real, left = process.receive, [len(pool_module.PAUSES)]

    def receive(stream):
        said = real(stream)
        if left[0] and "ready" in said:
            left[0] -= 1
            return {"refused": "the self-test was disturbed", "kind": "SandboxError"}
        return said

    monkeypatch.setattr(process, "receive", receive)
    pool = Pool(setup, 1)
    assert grade(pool, make_job(0))[0].message["graded"]
    assert all("the self-test was disturbed" in loss for loss in pool.losses)


def test_isolation_that_cannot_be_had_ends_it_all_at_once(setup, make_job, monkeypatch):
    started = []

    def receive(stream):
        started.append(stream)
        return {"refused": "no Landlock", "kind": "IsolationError"}

    monkeypatch.setattr(process, "receive", receive)
    with pytest.raises(IsolationError, match="no Landlock"):
        grade(Pool(setup, 1), make_job(0))
    assert len(started) == 1


def test_a_worker_that_refuses_ends_it_all(setup, make_job, tmp_path):
    for part in ("assignments", "solutions"):
        (tmp_path / part).mkdir()
    broken = replace(setup, settings=replace(setup.settings, course=tmp_path))
    with pytest.raises(CourseError, match=r"stub third_key.py cannot be read"):
        grade(Pool(broken, 1), make_job(0))


def test_where_no_worker_can_start_one_sentence_says_why(setup, make_job, monkeypatch):
    monkeypatch.setattr("grader.batch.process.sys.executable", "/bin/false" if os.name == "posix" else "where")
    with pytest.raises(GraderError, match=r"^No grading process could be started: the process .* ended \(exit code"):
        grade(Pool(setup, 1), make_job(0))


def refuse_some(monkeypatch, owner, name, error, numbers):
    """Have the calls with these numbers, counted from 0, raise an error."""
    real, calls = getattr(owner, name), itertools.count()

    def call(*arguments, **more):
        if next(calls) in numbers:
            raise error
        return real(*arguments, **more)

    monkeypatch.setattr(owner, name, call)


NO_PROCESS = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
NO_FILE = OSError(errno.EMFILE, "Too many open files")
NO_ROOM = OSError(errno.ENOSPC, "No space left on device")
EVER = range(1000)


def test_a_thread_that_cannot_be_started_is_a_worker_fewer(setup, make_job, monkeypatch):
    refuse_some(monkeypatch, threading.Thread, "start", RuntimeError("can't start new thread"), {1})
    pool = Pool(setup, 3)
    answers = grade(pool, *(make_job(k) for k in range(3)))
    assert all(answer.message["graded"] for answer in answers.values())
    assert len(answers) == 3
    assert ["no further thread can be started" in loss for loss in pool.losses] == [True]


@pytest.mark.parametrize(
    ("owner", "name", "error", "why"),
    [
        (threading.Thread, "start", RuntimeError("can't start new thread"), "no further thread can be started"),
        (subprocess, "Popen", NO_PROCESS, "no further process can be started"),
        (subprocess, "Popen", MemoryError(), "there is not enough memory for this process"),
        (tempfile, "TemporaryFile", NO_FILE, "this process may open no more files"),
        (tempfile, "TemporaryFile", NO_ROOM, "No space left on device"),
    ],
)
def test_where_the_machine_starts_nothing_one_sentence_says_what_it_lacks(
    setup, make_job, monkeypatch, owner, name, error, why
):
    refuse_some(monkeypatch, owner, name, error, EVER)
    with pytest.raises(GraderError, match=f"^No grading process could be started: {why}"):
        grade(Pool(setup, 2), make_job(0), make_job(1))


@pytest.mark.parametrize("error", [NO_PROCESS, NO_FILE])
def test_a_machine_that_starts_nothing_for_a_moment_costs_no_worker(setup, make_job, monkeypatch, error):
    refuse_some(monkeypatch, subprocess, "Popen", error, {0})
    pool = Pool(setup, 1)
    assert grade(pool, make_job(0))[0].message["graded"]
    assert len(pool.losses) == 1


def test_a_worker_that_dies_while_it_starts_is_started_again(setup, make_job, monkeypatch):
    started, real = [], Worker.prepare

    def prepare(self):
        started.append(self)
        if len(started) == 1:
            self.kill()
        real(self)

    monkeypatch.setattr(Worker, "prepare", prepare)
    assert grade(Pool(setup, 1), make_job(0))[0].message["graded"]


def test_work_that_was_begun_by_a_worker_without_a_successor_is_done_by_another(setup, make_job, monkeypatch):
    lose_worker(monkeypatch, 0, times=1)
    refuse_some(monkeypatch, subprocess, "Popen", NO_PROCESS, range(2, 1000))
    answers = grade(Pool(setup, 2), *(make_job(k) for k in range(4)))
    assert sorted(answers) == [0, 1, 2, 3]
    assert all(answer.message["graded"] for answer in answers.values())


def test_a_library_that_prints_as_it_is_imported_is_between_no_frames(setup, make_job, monkeypatch, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("import os\nprint('hello')\nos.write(1, b'\\0\\0\\0\\2{}' * 999)\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert grade(Pool(setup, 1), make_job(0))[0].message["graded"]


@pytest.mark.slow
def test_jobs_are_made_when_a_worker_is_free_and_answers_wait_for_whoever_takes_them(setup, make_job):
    made = []

    def make_jobs():
        for number in itertools.count():  # a class without an end
            made.append(number)
            yield make_job(0)

    pool = Pool(setup, 1)
    answers = pool.grade(make_jobs())
    next(answers)
    time.sleep(2.0)  # a slow disk
    assert len(made) <= 5
    pool.drain()
    assert len(list(answers)) <= 4


def test_draining_finishes_what_runs_and_begins_nothing_else(setup, make_job):
    pool = Pool(setup, 1)
    answers = []
    for answer in pool.grade([make_job(k) for k in range(6)]):
        answers.append(answer)
        pool.drain()
    assert 1 <= len(answers) <= 2
    assert all(answer.message["graded"] for answer in answers)


@pytest.mark.slow
def test_killing_ends_what_runs_without_an_answer(setup, make_job):
    slow = replace(setup, settings=replace(setup.settings, exercises=(), limits=Limits(call=15.0)))
    pool = Pool(slow, 1)
    threading.Timer(2.0, pool.kill).start()
    assert grade(pool, make_job(0, "hangs")) == {}


def test_killing_while_a_worker_starts_is_no_fault(setup, make_job, monkeypatch):
    pool, real, started = Pool(setup, 1), Worker.prepare, []

    def prepare(self):
        started.append(self)
        pool.kill()
        real(self)

    monkeypatch.setattr(Worker, "prepare", prepare)
    assert grade(pool, make_job(0)) == {}
    assert len(started) == 1


def test_no_worker_and_no_scratch_folder_is_left(setup, make_job, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    started, real = [], Worker.__init__

    def remember(self, *arguments):
        real(self, *arguments)
        started.append(self._process)

    monkeypatch.setattr(Worker, "__init__", remember)
    grade(Pool(setup, 2), make_job(0), make_job(1, "crashes"))
    assert started
    assert all(process.returncode is not None for process in started)
    assert list(scratch.iterdir()) == []
