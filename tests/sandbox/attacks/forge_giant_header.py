# any: the announced length is refused before anything is read
import os
import struct


def solve(a):
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack("<IQ", 2**32 - 1, 2**63))
            for _ in range(20):
                os.write(fd, b"\0" * (1 << 20))
        except OSError:
            pass
    return a * 0
