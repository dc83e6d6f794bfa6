# any: there is no keyboard
x = input("number? ")


def solve(a):
    return a * 0
