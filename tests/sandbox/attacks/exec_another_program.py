# any: another program knows no numbers of questions; exec is refused (seccomp)
import os
import sys


def solve(a):
    os.execv(sys.executable, ["python", "-c", "import time; time.sleep(20)"])
