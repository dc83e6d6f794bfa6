# any: nothing to stop
import gc
import sys

gc.disable()
sys.setswitchinterval(1e6)


def solve(a):
    import tracemalloc

    tracemalloc.start(50)
    return a * 0
