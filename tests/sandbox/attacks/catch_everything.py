# any: SIGKILL cannot be caught
def solve(a):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
