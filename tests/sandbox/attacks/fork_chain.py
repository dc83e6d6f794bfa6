# any: fork is refused (seccomp), or the last link is found and killed
import os
import time


def solve(a):
    for _ in range(200):  # bounded: one lives at a time
        if os.fork():
            os._exit(0)
    time.sleep(20)
    return a * 0
