# any: fork is refused (seccomp), or the second answer is out of order
import os


def solve(a):
    for _ in range(4):  # bounded: 16 processes
        try:
            os.fork()
        except OSError:
            break
    return a * 0
