# full: seccomp lets only pairs of streams be made
import socket


def solve(a):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs:
        ours.sendto(b"leak-datagram", "@STAGE@/datagram.sock")
