# any: the folder's size is watched, a file's size is limited
def solve(a):
    for i in range(1000):  # bounded: 8 GB
        with open(str(i), "wb") as file:
            file.write(bytes(8 << 20))
    return a * 0
