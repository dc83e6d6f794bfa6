"""In the child: Landlock, the Linux rule that hides files, other processes and TCP from a process (kernel 5.13 on).

What is not granted is refused; nothing secret may lie below a granted folder. The right to execute is never granted:
libraries are mapped without it.
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
# Regular files and folders only: no sockets, pipes, devices or symbolic links.
CHANGE = READ | WRITE_FILE | _REMOVE | _MAKE_FOLDER | _MAKE_FILE | _REFER | _TRUNCATE
DEVICE = READ_FILE | WRITE_FILE
_FILE_RIGHTS = WRITE_FILE | READ_FILE | _TRUNCATE | _DEVICE_CALLS | 1
_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract sockets, signals

# ABI -> the rights on files that it knows; later ones know the same.
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}


class Ruleset(NamedTuple):
    """Rules that a process can put itself under; a fork may use them, too."""

    descriptor: int
    abi: int

    def enforce(self) -> dict[str, Any]:
        """Put this process under the rules; return what is in force: empty if nothing is."""
        linux.forgo_new_privileges()
        refused = linux.syscall(_RESTRICT, self.descriptor, 0) != 0
        os.close(self.descriptor)
        if refused:
            return {}
        return {"abi": self.abi, "fs": True, "tcp": self.abi >= _TCP_ABI, "signals": self.abi >= _SCOPES_ABI}


_TCP_ABI, _SCOPES_ABI = 4, 6


def abi() -> int:
    """Return the version of Landlock that the kernel offers; 0 for none."""
    return max(linux.syscall(_CREATE, None, 0, _ASK_VERSION), 0)


def build(grants: Iterable[tuple[str, int]]) -> Ruleset | None:
    """Make rules that allow the granted rights below each path, and nothing else.

    Parameters
    ----------
    grants : iterable of (path, rights)
        Paths that do not exist are left out.

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
    size = 8 if version < _TCP_ABI else 16 if version < _SCOPES_ABI else 24
    descriptor = linux.syscall(_CREATE, struct.pack("QQQ", known, tcp, scopes)[:size], size, 0)
    if descriptor < 0:
        return None
    for path, rights in grants:
        if not _add(descriptor, path, rights & known):
            os.close(descriptor)
            return None
    return Ruleset(descriptor, version)


def _add(descriptor: int, path: str, rights: int) -> bool:
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
