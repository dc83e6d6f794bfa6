# any: nothing unpickles
import os
import pickle
import struct


class Boom:
    def __reduce__(self):
        return os.system, ("touch @STAGE@/escaped",)


def solve(a):
    frame = pickle.dumps(Boom())
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack("<IQ", len(frame), 0) + frame)
        except OSError:
            pass
    return a * 0
