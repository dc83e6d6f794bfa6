# any: files and folders are counted, and cleaning has an end
import os
import time


def solve(a):
    until = time.monotonic() + 3
    for k in range(40_000):  # bounded
        if k % 4000 == 0:
            top = f"top{k}"
            os.mkdir(top)
        os.mkdir(f"{top}/{k}")
        if time.monotonic() > until:
            break
    return a * 0
