# full: seccomp (io_uring), Landlock (files)
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def solve(a):
    parameters = ctypes.create_string_buffer(120)
    fd = libc.syscall(425, 8, parameters)
    if fd >= 0:
        with open("@STAGE@/outside.txt", "a") as file:
            file.write("io_uring is there")
    raise PermissionError(f"io_uring_setup: {fd}, {ctypes.get_errno()}")
