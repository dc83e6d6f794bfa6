# any: the number of threads is watched
import ctypes
import time

FLAGS = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000  # share all with this process
STACK = 4096


def solve(a):
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    wait = ctypes.cast(libc.pause, ctypes.c_void_p)
    most = 3000  # bounded
    base = libc.mmap(None, ctypes.c_size_t(most * STACK), 3, 0x22, -1, ctypes.c_long(0))
    for k in range(1, most + 1):
        if libc.clone(wait, ctypes.c_void_p(base + k * STACK - 64), FLAGS, None) < 0:
            break
    time.sleep(2)
    return a * 0
