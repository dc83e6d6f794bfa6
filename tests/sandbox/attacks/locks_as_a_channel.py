# full: seccomp; locks on a shared file would let two submissions of one class talk while both run
import fcntl
import os
import struct

PLACES = ((fcntl.F_SETLK, 0), (fcntl.F_OFD_SETLK, 0), (fcntl.F_NOTIFY, 0x80000001))


def solve(a):
    took = 0
    handle = os.open(os.__file__, os.O_RDONLY)
    for command, argument in PLACES:
        lock = argument or struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 3, 1, 0)
        try:
            fcntl.fcntl(handle, command, lock)
            took += 1
        except OSError:
            continue
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        took += 1
    except OSError:
        pass
    return a * 0 + took
