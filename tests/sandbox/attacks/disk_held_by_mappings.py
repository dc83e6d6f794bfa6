# any: what has no name takes space all the same, and the free space of the disk is watched
import contextlib
import mmap
import os


def solve(a):
    held = []
    with contextlib.suppress(OSError):
        for _ in range(20):  # bounded: 20 x 16 MiB
            handle = os.open("x", os.O_RDWR | os.O_CREAT)
            os.write(handle, bytes(16 << 20))
            held.append(mmap.mmap(handle, 4096))
            os.close(handle)
            os.unlink("x")
    return a * 0
