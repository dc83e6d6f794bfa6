# any: no new privileges; exec is refused (seccomp)
import os


def solve(a):
    os.execv("/bin/su", ["su", "-c", "id"])
