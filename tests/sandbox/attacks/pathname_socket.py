# full: seccomp (sockets)
import socket


def solve(a):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("@STAGE@/stream.sock")
        s.send(b"leak-pathname")
