# full: seccomp (tkill, queueinfo, pidfd) and Landlock (signals); without them the zygote is replaced
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)


def solve(a):
    parent = os.getppid()
    libc.syscall(200, parent, 9)
    libc.syscall(234, parent, parent, 9)
    handle = libc.syscall(434, parent, 0)
    if handle >= 0:
        signal.pidfd_send_signal(handle, 9)
    os.killpg(os.getpgid(parent), 9)
    return a * 0
