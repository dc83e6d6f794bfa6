"""The zygote's rehearsal: it goes through what it is meant to warm, and leaves nothing behind."""

import linecache
import os
import signal
import sys

import pytest

from sandbox.conftest import LINUX

pytestmark = pytest.mark.skipif(not LINUX, reason="the zygote engine is for Linux")


def traces():
    return list(sys.meta_path), set(sys.modules), "_rehearsed" in linecache.cache


def test_every_call_returns_but_the_one_that_is_meant_to_raise(monkeypatch):
    from grader.sandbox.child import rehearsal, worker

    answers = []
    monkeypatch.setattr(worker, "_reply", lambda _line, _seq, answer: answers.append(answer))
    before = traces()
    rehearsal.rehearse()
    assert traces() == before
    assert len(answers) == rehearsal.ROUNDS * len(rehearsal._calls()) * 3
    others = [answer for answer in answers if answer["ended"] != "returned"]
    assert {answer["error"]["message"] for answer in others} == {"does not divide"}
    assert len(others) == rehearsal.ROUNDS * 3


def test_one_that_fails_leaves_nothing_behind(monkeypatch):
    from grader.sandbox.child import rehearsal, worker

    def fail(*_args):
        raise RuntimeError

    monkeypatch.setattr(worker, "answer_all", fail)
    before = traces()
    with pytest.raises(RuntimeError):
        rehearsal.rehearse()
    assert traces() == before


def test_the_zygote_waits_for_a_child_without_descriptors_of_processes(monkeypatch):
    from grader.sandbox.child import forkserver

    monkeypatch.delattr(os, "pidfd_open", raising=False)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    assert forkserver._wait(pid, 10.0)
    os.waitpid(pid, 0)
    alive = os.fork()
    if alive == 0:
        signal.pause()
    assert not forkserver._wait(alive, 0.01)
    os.kill(alive, signal.SIGKILL)
    os.waitpid(alive, 0)


def test_one_zygote_serves_many_submissions():
    from grader.sandbox import ENGINES
    from sandbox.programs import value

    with ENGINES["zygote"]() as engine:
        server = engine._server.process.pid
        assert [value(engine, "def f(x): return x", k) for k in range(4)] == [0, 1, 2, 3]
        assert engine._server.process.pid == server
