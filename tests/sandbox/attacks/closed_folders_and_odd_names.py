# any: the folder is removed whatever is in it
import os


def solve(a):
    os.mkdir("closed")
    for name in (b"new\nline", b"-rf", b"\xff\xfe", b"*", b" ", b"x" * 255):
        with open(b"closed/" + name, "wb"):
            pass
    try:
        os.chmod("closed", 0)
        os.chmod(".", 0)
    except OSError:
        pass
    return a * 0
