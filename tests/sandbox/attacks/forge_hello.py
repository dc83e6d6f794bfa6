# any: the hello was read before the student's code was sent
import json
import os
import struct

isolation = ["d", [["landlock", ["d", [["fs", True]]]], ["seccomp", ["d", [["on", True]]]]]]
head = json.dumps(["d", [["seq", 0], ["engine", "zygote"], ["isolation", isolation], ["loaded", ["l", []]]]]).encode()
for fd in range(3, 64):
    try:
        os.write(fd, struct.pack("<IQ", len(head), 0) + head)
    except OSError:
        pass


def solve(a):
    return a * 0
