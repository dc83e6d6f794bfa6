# full: seccomp and Landlock (signals); without them the zygote is replaced
import os
import signal


def solve(a):
    os.kill(os.getppid(), signal.SIGSTOP)
    return a * 0
