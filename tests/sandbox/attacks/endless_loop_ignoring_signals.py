# any: SIGKILL cannot be ignored
import signal

for s in range(1, 65):
    try:
        signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def solve(a):
    while True:
        pass
