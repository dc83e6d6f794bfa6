"""What a child does beside talking is bounded, whatever the names in its folder say."""

import os
import time
from pathlib import Path

import pytest

from grader.calls import Ended, Limits
from grader.sandbox import folders, watch
from grader.sandbox.watch import Watch, count_threads, free_space
from sandbox.conftest import LINUX
from sandbox.programs import outcome, script

linux = pytest.mark.skipif(not LINUX, reason="threads are counted where /proc is")
SLOW = Limits(call=20, submission=40)
ATTACKS = Path(__file__).with_name("attacks")


@linux
def test_more_threads_than_any_work_needs_end_the_child(engine):
    text = (ATTACKS / "threads_without_number.py").read_text(encoding="utf-8").replace("3000", "400")
    reply = outcome(engine, script(text + "\ndef f(): return solve(1)\n"), limits=SLOW)
    assert reply.ended is Ended.CRASHED
    assert "threads, more than 64" in reply.detail


@linux
def test_as_many_threads_as_a_pool_has_are_allowed(engine):
    text = """
import time
from concurrent.futures import ThreadPoolExecutor
def f():
    with ThreadPoolExecutor(48) as pool:
        return sum(pool.map(lambda k: time.sleep(0.5) or k, range(48)))
"""
    assert outcome(engine, script(text), limits=SLOW).value == 1128


def test_more_files_than_are_counted_are_too_many(engine, monkeypatch):
    monkeypatch.setattr(folders, "MAX_ENTRIES", 300)
    monkeypatch.setattr(watch, "MAX_ENTRIES", 300)
    text = """
import os, time
def f():
    os.mkdir("d")
    for k in range(400): open(f"d/{k}", "w").close()
    time.sleep(5)
"""
    reply = outcome(engine, script(text), limits=SLOW)
    assert reply.ended is Ended.CRASHED
    assert "more than 300 files and folders" in reply.detail


def test_space_held_by_files_without_a_name_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "DISK", 8)
    left = iter([1 << 30, 1 << 30, (1 << 30) - (9 << 20)])
    monkeypatch.setattr(watch, "free_space", lambda _: next(left))
    seen = Watch(os.getpid(), str(tmp_path))
    assert seen.look() is None
    trouble = seen.look()
    assert trouble is not None
    assert not trouble.certain
    assert "8 MiB to disk, in files without a name" in trouble.what


def test_space_that_comes_back_with_the_end_of_a_child_was_the_child_s(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "DISK", 8)
    free = 1 << 30
    monkeypatch.setattr(watch, "free_space", lambda _: free)
    seen = Watch(os.getpid(), str(tmp_path))
    free -= 9 << 20
    assert seen.look() is not None
    assert not seen.was_it()  # somebody else has written it, and keeps it
    free += 9 << 20
    assert seen.was_it()


def test_named_files_count_without_doubt(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "DISK", 1)
    seen = Watch(os.getpid(), str(tmp_path))
    (tmp_path / "large").write_bytes(os.urandom(2 << 20))
    trouble = seen.look()
    assert trouble is not None
    assert trouble.certain
    assert seen.was_it()


@linux
def test_threads_are_those_of_the_process():
    assert count_threads(os.getpid()) >= 1
    assert count_threads(2**22 + 1) == 0


def test_a_system_that_does_not_say_is_no_trouble(tmp_path):
    assert free_space(str(tmp_path / "nothing")) == 0
    assert Watch(2**22 + 1, str(tmp_path / "nothing")).look() is None


def test_cleaning_has_an_end(tmp_path):
    for k in range(2000):
        (tmp_path / str(k)).mkdir()
    began = time.monotonic()
    folders.wipe(str(tmp_path), seconds=0.0)
    assert time.monotonic() - began < 5
    assert len(list(tmp_path.iterdir())) == 2000
    folders.wipe(str(tmp_path))
    assert not tmp_path.exists()


def test_an_abandoned_folder_goes_without_anybody_waiting(tmp_path):
    top = tmp_path / "top"
    (top / "deep" / "er").mkdir(parents=True)
    folders.abandon(str(top))
    until = time.monotonic() + 20
    while top.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not top.exists()
