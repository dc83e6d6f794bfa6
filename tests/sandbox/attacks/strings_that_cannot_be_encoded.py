# any: lone surrogates are replaced
class Bad(Exception):
    pass


def solve(a):
    print("printed")
    if a[0] == 0:
        return ["\ud800", {"\udfff": "\udc00" * 1000}, "\0\x1b[2J"]
    raise Bad("\ud800\0" * 100)
