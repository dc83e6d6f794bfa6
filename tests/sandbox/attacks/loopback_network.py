# full: seccomp (sockets)
import socket


def solve(a):
    for kind, name in ((socket.SOCK_STREAM, b"tcp"), (socket.SOCK_DGRAM, b"udp")):
        try:
            with socket.socket(socket.AF_INET, kind) as s:
                s.settimeout(1)
                s.connect(("127.0.0.1", @PORT@))
                s.send(b"leak-" + name)
        except OSError:
            pass
    raise PermissionError
