# any: the child has no terminal
def solve(a):
    with open("/dev/tty", "r+") as terminal:
        terminal.write("type your password: ")
        return terminal.readline()
