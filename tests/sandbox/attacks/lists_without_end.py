# any: depth and number of items are bounded
def solve(a):
    loop = []
    loop.append(loop)
    wide = []
    for _ in range(60):
        wide = [wide] * 60
    return [loop, wide, [[]] * 10**6, 10**5000, "x" * 10**7]
