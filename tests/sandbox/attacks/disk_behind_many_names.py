# any: more names than are counted are too many, wherever the large files lie
import os


def solve(a):
    os.mkdir("small")
    os.mkdir("large")
    for k in range(20_001):
        os.close(os.open(f"small/{k}", os.O_CREAT | os.O_WRONLY))
    for k in range(6):  # bounded: 6 x 16 MiB
        with open(f"large/{k}", "wb") as file:
            file.write(bytes(16 << 20))
    return a * 0
