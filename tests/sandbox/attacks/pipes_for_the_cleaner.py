# any: nothing is opened while a folder is removed
import os
import socket


def solve(a):
    for make in (lambda: os.mkfifo("pipe"), lambda: socket.socket(socket.AF_UNIX).bind("socket"), lambda: os.mknod("node", 0o60644)):
        try:
            make()
        except OSError:
            pass
    return a * 0
