# any: arguments are the child's own copies
def solve(a):
    a[:] = 0
    return a
