# any: a socket cannot be reopened by its path; the connection carries the student's own answers only
import os


def solve(a):
    got = []
    for fd in range(64):
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            try:
                new = os.open(f"/proc/self/fd/{fd}", flags | os.O_NONBLOCK)
                os.write(new, b"\xff" * 100)
                got.append(fd)
            except OSError:
                pass
    return a * 0
