# any: fork is refused (seccomp), or all descendants are found and killed
import os
import time

n = 0
for _ in range(50):  # bounded: only this process forks
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        n += 1
    except OSError:
        break


def solve(a):
    return a * 0 + n
