# any: the limits of memory and time
import sys

sys.setrecursionlimit(2**31 - 1)


def solve(a):
    return solve(a)
