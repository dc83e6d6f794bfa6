# any: an opaque value
def solve(a):
    return (x for x in iter(int, 1))
