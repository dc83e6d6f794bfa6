# full: a connected stream goes nowhere else, and no other socket can be made
import os
import socket


def solve(a):
    for fd in range(3, 64):
        try:
            connection = socket.socket(fileno=os.dup(fd))
            connection.sendto(b"leak-sendto", "@STAGE@/datagram.sock")
        except OSError:
            pass
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"leak-datagram", "@STAGE@/datagram.sock")
