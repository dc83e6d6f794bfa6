# any: the child is killed, its exit is not waited for
import atexit
import sys
import time

atexit.register(time.sleep, 10**6)


def solve(a):
    sys.exit(3)
