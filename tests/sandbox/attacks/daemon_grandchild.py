# any: fork is refused (seccomp), or the orphan is adopted and killed
import os
import time


def solve(a):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(64):
                try:
                    os.close(fd)
                except OSError:
                    pass
            for _ in range(150):  # bounded: 15 s
                time.sleep(0.1)
        os._exit(0)
    return a * 0
