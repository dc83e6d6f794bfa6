# full: Landlock
def solve(a):
    for path in ("@STAGE@/outside.txt", "@STAGE@/new.txt", "/tmp/@TOKEN@", "/dev/shm/@TOKEN@", "../@TOKEN@", "../../@TOKEN@"):
        try:
            with open(path, "a") as file:
                file.write("# evil")
        except OSError:
            pass
    raise PermissionError
