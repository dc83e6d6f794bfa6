# full: Landlock (/dev/shm), seccomp (System V, memfd)
import ctypes
from multiprocessing import shared_memory

libc = ctypes.CDLL(None, use_errno=True)


def solve(a):
    got = [libc.syscall(319, b"x", 0) >= 0]
    key = libc.shmget(0, 4096, 0o1600)
    if key >= 0:
        got.append(True)
        libc.shmctl(key, 0, None)
    try:
        shared_memory.SharedMemory("@TOKEN@", create=True, size=64, **{}).close()
    except OSError:
        got.append(False)
    raise PermissionError(str(got))
