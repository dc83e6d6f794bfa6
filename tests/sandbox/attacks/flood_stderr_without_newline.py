# any: the output is read on and thrown away
import os


def solve(a):
    for _ in range(2000):  # bounded: 130 MB
        os.write(2, b"\x1b[2J\xff" * 13_000)
    return a * 0
