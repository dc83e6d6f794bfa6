# full: seccomp (prctl)
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def solve(a):
    if libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(1, 0, 0, 0, 0) == 0:
        with open("@STAGE@/outside.txt", "a") as file:
            file.write("dumpable again")
    raise PermissionError(ctypes.get_errno())
