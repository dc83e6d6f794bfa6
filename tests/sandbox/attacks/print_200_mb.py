# any: the output is read on and thrown away
def solve(a):
    s = "x" * 999_999
    for _ in range(200):  # bounded: 200 MB
        print(s)
    return a * 0
