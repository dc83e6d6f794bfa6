# any: the child is killed, its exit is not waited for
class Bad:
    def __del__(self):
        while True:
            pass


keep = Bad()


def solve(a):
    return a * 0
