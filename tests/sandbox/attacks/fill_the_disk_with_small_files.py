# any: the folder's size is watched; each file counts
import os


def solve(a):
    for i in range(100_000):  # bounded
        if i % 1000 == 0:
            os.mkdir(f"d{i}")
        with open(f"d{i - i % 1000}/{i}", "wb") as file:
            file.write(b"x" * 4096)
    return a * 0
