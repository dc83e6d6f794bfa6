# full: seccomp (fork), Landlock (files)
import os
import time


def solve(a):
    if os.fork() == 0:
        os.setsid()
        for _ in range(100):  # bounded: 10 s
            with open("@STAGE@/heartbeat", "w") as file:
                file.write(str(time.time()))
            time.sleep(0.1)
        os._exit(0)
    return a * 0
