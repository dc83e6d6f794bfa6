# full: seccomp (unshare, mount)
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def solve(a):
    got = libc.unshare(0x10000000 | 0x20000)
    if got == 0:
        with open("@STAGE@/outside.txt", "a") as file:
            file.write("unshared")
    raise PermissionError(f"unshare: {got}, {ctypes.get_errno()}")
