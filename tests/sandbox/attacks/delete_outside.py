# full: Landlock
import os
import shutil


def solve(a):
    shutil.rmtree("@STAGE@/solutions", ignore_errors=True)
    os.rename("@STAGE@/outside.txt", "moved.txt")
