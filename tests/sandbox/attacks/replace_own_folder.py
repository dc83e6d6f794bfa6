# full: Landlock
import os

here = os.environ["HOME"]


def solve(a):
    os.chdir(os.path.dirname(here))
    for step in (
        lambda: os.rename(here, here + ".moved"),
        lambda: os.symlink("@STAGE@/solutions", here),
        lambda: os.rmdir(here),
    ):
        try:
            step()
        except OSError:
            pass
    return a * 0
