# full: seccomp (sockets)
import socket


def solve(a):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("\0@TOKEN@")
        s.send(b"leak-abstract")
