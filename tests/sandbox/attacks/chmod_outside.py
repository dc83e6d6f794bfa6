# full: seccomp (modes, times); Landlock does not cover them
import os


def solve(a):
    for path in ("@STAGE@/outside.txt", "@STAGE@/solutions"):
        for change in (lambda p: os.chmod(p, 0o000), lambda p: os.utime(p, (0, 0))):
            try:
                change(path)
            except OSError:
                pass
    raise PermissionError
