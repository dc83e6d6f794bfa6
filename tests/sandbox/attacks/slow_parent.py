# full: seccomp (priority, affinity)
import os


def solve(a):
    os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)
    os.sched_setaffinity(os.getppid(), {0})
    return a * 0
