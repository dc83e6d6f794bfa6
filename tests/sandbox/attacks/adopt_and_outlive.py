# any: it is killed by the process above it
import ctypes
import signal
import time

libc = ctypes.CDLL(None)
libc.prctl(1, 0, 0, 0, 0)
libc.prctl(36, 1, 0, 0, 0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)


def solve(a):
    time.sleep(1000)
