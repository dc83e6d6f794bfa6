# full: Landlock from ABI 3 on, and seccomp
import os


def solve(a):
    os.truncate("@STAGE@/outside.txt", 0)
