"""Landlock: the Linux rules that hide files, other processes and TCP from a process (from kernel 5.13 on).

What is not granted is refused, so nothing secret may lie below a granted folder. The right to execute is never granted:
libraries are mapped without it. Bare system calls, because they take 0.5 ms in a fresh fork; the packages that offer
Landlock took 1 to 6 ms, and each lacked something.

Landlock does not cover UDP, local sockets with a path, modes and owners of files, and limits of other processes. Those
are seccomp's part.
"""

import os
import struct
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..shared import linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every machine
_RULE_BELOW_PATH = 1
_ASK_VERSION = 1

WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_REMOVE, _MAKE_FOLDER, _MAKE_FILE = 1 << 4 | 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE, _DEVICE_CALLS = 1 << 13, 1 << 14, 1 << 15
READ = READ_FILE | READ_FOLDER
# Regular files and folders only. With sockets and pipes two submissions could talk, and a symbolic link could lead the
# grader's cleaning elsewhere.
CHANGE = READ | WRITE_FILE | _REMOVE | _MAKE_FOLDER | _MAKE_FILE | _REFER | _TRUNCATE
DEVICE = READ_FILE | WRITE_FILE
# A rule for a file may hold no right that only folders have, else the kernel refuses it (EINVAL). 1 is to execute.
_FILE_RIGHTS = WRITE_FILE | READ_FILE | _TRUNCATE | _DEVICE_CALLS | 1
_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract sockets, signals

# ABI -> the rights on files that it knows; later ones know the same. A kernel refuses rules with rights that it does
# not know, so they are trimmed: 2 (kernel 5.19) added moving between folders, 3 (6.2) emptying, 5 (6.10) device calls.
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}


class Ruleset(NamedTuple):
    """Rules that a process can put itself under, and all its forks as well."""

    descriptor: int
    abi: int

    def enforce(self) -> dict[str, Any]:
        """Put this process under the rules; return what is in force, empty if nothing is."""
        linux.forgo_new_privileges()
        refused = linux.syscall(_RESTRICT, self.descriptor, 0) != 0
        os.close(self.descriptor)  # with it student code could add rules, which the next child would come under
        if refused:
            return {}
        return {"abi": self.abi, "fs": True, "tcp": self.abi >= _TCP_ABI, "signals": self.abi >= _SCOPES_ABI}


_TCP_ABI, _SCOPES_ABI = 4, 6  # kernels 6.7 and 6.12


def abi() -> int:
    """Return the version of Landlock that the kernel offers; 0 for none."""
    return max(linux.syscall(_CREATE, None, 0, _ASK_VERSION), 0)


def build(grants: Iterable[tuple[str, int]]) -> Ruleset | None:
    """Return rules that allow the granted rights below each path, and nothing else.

    Parameters
    ----------
    grants : iterable of (path, rights)
        A path that does not exist is left out.

    Returns
    -------
    Ruleset or None
        `None` where the system has no Landlock, or refuses a rule.
    """
    version = abi()
    if version < 1:
        return None
    known = _RIGHTS[min(version, max(_RIGHTS))]
    tcp, scopes = _TCP if version >= _TCP_ABI else 0, _SCOPES if version >= _SCOPES_ABI else 0
    size = 8 if version < _TCP_ABI else 16 if version < _SCOPES_ABI else 24  # of the structure that this kernel knows
    descriptor = linux.syscall(_CREATE, struct.pack("QQQ", known, tcp, scopes)[:size], size, 0)
    if descriptor < 0:
        return None
    for path, rights in grants:
        if not _add(descriptor, path, rights & known):
            os.close(descriptor)
            return None
    return Ruleset(descriptor, version)


def _add(descriptor: int, path: str, rights: int) -> bool:
    """Add one rule; return whether the kernel took it, or there is nothing to add it for."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = struct.pack("=Qi", rights, place)
        return linux.syscall(_ADD, descriptor, _RULE_BELOW_PATH, rule, 0) == 0
    finally:
        os.close(place)
