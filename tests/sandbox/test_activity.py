"""What the system tells of processes. They are real, and started by the tests."""

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.sandbox import activity
from grader.sandbox.activity import Doing, Glance, look_at, processor_time, read_ps
from sandbox.conftest import LINUX

linux = pytest.mark.skipif(not LINUX, reason="needs /proc")

SPIN = "while True: pass"
SLEEP = "import time; time.sleep(60)"
SPIN_BESIDE = "import threading, time; threading.Thread(target=lambda: exec('while True: pass'), daemon=True).start(); "


@contextlib.contextmanager
def python(text):
    with subprocess.Popen([sys.executable, "-S", "-c", f"print(flush=True)\n{text}"], stdout=-1) as process:
        process.stdout.readline()
        yield process
        process.kill()


def eventually(pid, doing):
    """Return whether a process is once seen doing something: on a busy machine the first look may come early."""
    until = time.monotonic() + 10
    while look_at(pid).doing is not doing:
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


@linux
def test_a_process_that_computes_is_told_from_one_that_sleeps_and_one_that_is_stopped():
    with python(SPIN) as busy, python(SLEEP) as idle:
        assert eventually(busy.pid, Doing.COMPUTING)
        assert eventually(idle.pid, Doing.ASLEEP)
        busy.send_signal(signal.SIGSTOP)
        assert eventually(busy.pid, Doing.STOPPED)
        busy.send_signal(signal.SIGCONT)
        assert eventually(busy.pid, Doing.COMPUTING)


@linux
def test_a_process_computes_where_one_of_its_threads_does():
    with python(SPIN_BESIDE + "time.sleep(60)") as process:
        assert eventually(process.pid, Doing.COMPUTING)


@linux
def test_a_process_that_has_ended_and_one_that_nobody_knows_are_ending():
    with python("import os; os._exit(0)") as process:
        assert eventually(process.pid, Doing.ENDING)  # a zombie: nobody has reaped it
        process.wait()
        assert look_at(process.pid).doing is Doing.ENDING
        assert processor_time(process.pid) in (None, 0.0)


@linux
def test_processor_time_grows_while_a_process_computes_and_not_while_it_sleeps():
    with python(SPIN) as busy, python(SLEEP) as idle:
        before = processor_time(busy.pid), processor_time(idle.pid)
        until = time.monotonic() + 20
        while processor_time(busy.pid) < before[0] + 0.2 and time.monotonic() < until:
            time.sleep(0.01)
        assert processor_time(busy.pid) >= before[0] + 0.2
        assert processor_time(idle.pid) < before[1] + 0.1


@linux
def test_without_the_clock_of_another_process_its_file_is_read(monkeypatch):
    def refuse(*_):
        raise OSError(22, "Invalid argument")

    with python(SPIN) as process:
        assert eventually(process.pid, Doing.COMPUTING)
        exact = processor_time(process.pid)
        monkeypatch.setattr("time.clock_gettime", refuse)
        assert processor_time(process.pid) == pytest.approx(exact, abs=0.2)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("R    0:01.25\n", Glance(1.25, Doing.COMPUTING)),  # macOS
        ("Ss   1:00:01.50\n", Glance(3601.5, Doing.ASLEEP)),
        ("U+   0:00.00\n", Glance(0.0, Doing.ON_DISK)),
        ("T 00:00:02\n", Glance(2.0, Doing.STOPPED)),  # Linux
        ("Z 1-00:00:00\n", Glance(86400.0, Doing.ENDING)),
        ("I 0:00.10", Glance(0.1, Doing.ASLEEP)),
        ("? -", Glance(None, Doing.UNKNOWN)),
        ("", Glance(None, Doing.ENDING)),
    ],
)
def test_a_line_of_ps_is_read(said, expected):
    assert read_ps(said) == expected


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="no ps here")
def test_ps_tells_of_a_process_where_nothing_else_does(monkeypatch):
    monkeypatch.setattr(activity.sys, "platform", "darwin")
    with python(SLEEP) as process:
        told = look_at(process.pid)
        assert told.doing in (Doing.ASLEEP, Doing.COMPUTING)
        assert told.computed is not None
        assert processor_time(process.pid) is None  # it would start a process for each call
        monkeypatch.setattr(activity, "_PS", "/nothing/ps")
        assert look_at(process.pid) == Glance(None, Doing.UNKNOWN)


class Kernel:
    """Stands for the one of Windows, as far as it is asked for the times of a process."""

    def __init__(self):
        self.closed = []
        self.OpenProcess = lambda _right, _inherit, pid: pid * 10 if pid == 7 else 0
        self.CloseHandle = lambda handle: self.closed.append(handle.value)

    def GetProcessTimes(self, handle, *times):  # noqa: N802 (its name there)
        made, ended, system, user = (each._obj for each in times)
        made.value, ended.value, system.value, user.value = 1, 0, 5_000_000, 20_000_000
        return handle.value == 70


def test_windows_tells_the_processor_time_and_not_what_a_process_does(monkeypatch):
    kernel = Kernel()
    monkeypatch.setattr("ctypes.windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(activity.sys, "platform", "win32")
    assert look_at(7) == Glance(2.5, Doing.UNKNOWN)
    assert look_at(8) == Glance(None, Doing.UNKNOWN)
    assert kernel.closed == [70]
