# full: Landlock from ABI 3 on; before that, seccomp
import ctypes
import os
import struct

PATH = "@STAGE@/outside.txt"
NEITHER = 3  # an access mode: neither reading nor writing


def by_openat2():
    how = struct.pack("QQQ", os.O_RDONLY | os.O_TRUNC, 0, 0)
    ctypes.CDLL(None).syscall(437, -100, PATH.encode(), how, len(how))


def by_open():
    ctypes.CDLL(None).syscall(2, PATH.encode(), os.O_RDONLY | os.O_TRUNC)


def by_creat():
    ctypes.CDLL(None).syscall(85, PATH.encode(), 0o600)


WAYS = [
    lambda: os.open(PATH, os.O_RDONLY | os.O_TRUNC),
    lambda: os.open(PATH, NEITHER | os.O_TRUNC),
    lambda: os.open(PATH, os.O_WRONLY | os.O_TRUNC),
    lambda: os.open(PATH, os.O_RDONLY | os.O_TRUNC | os.O_CREAT | os.O_CLOEXEC),
    by_open,
    by_openat2,
    by_creat,
]


def solve(a):
    for way in WAYS:
        try:
            way()
        except OSError:
            continue
    return a
