# any: the folder is removed without recursion
import os


def solve(a):
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    return a * 0
