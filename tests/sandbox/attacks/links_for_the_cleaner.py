# any: the cleaner removes links, never what they lead to
import os


def solve(a):
    os.mkdir("d")
    for i, target in enumerate(("@STAGE@/solutions", "@STAGE@/outside.txt", "..", "/", ".")):
        for make, name in ((os.symlink, f"s{i}"), (os.symlink, f"d/s{i}"), (os.link, f"h{i}")):
            try:
                make(target, name)
            except OSError:
                pass
    return a * 0
