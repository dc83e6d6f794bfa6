"""The few Linux calls that Python does not offer, by ctypes. Every function tells whether it worked.

By ctypes and not by a package, because the packages for Landlock and seccomp take several times as long in a fresh
fork, are young or no longer maintained, and would be one more thing for a course to install.
"""

import contextlib
import ctypes
import os
import signal
import struct

_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SECCOMP, _SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 1, 4, 22, 36, 38
_CAPABILITIES_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_syscall, _prctl_of_libc, _capset = _libc.syscall, _libc.prctl, _libc.capset  # looked up once and not in each fork
_syscall.restype = ctypes.c_long
_long = ctypes.c_long


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call; return its result, which is negative where it failed.

    Integers go as 64 bits, bytes as a pointer.
    """
    made = [ctypes.c_char_p(a) if isinstance(a, bytes) or a is None else _long(a) for a in arguments]
    return int(_syscall(_long(number), *made))


def _prctl(option: int, *arguments: int) -> bool:
    padded = [*arguments, 0, 0, 0, 0][:4]
    return bool(_prctl_of_libc(ctypes.c_int(option), *map(_long, padded)) == 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends; end now if that has happened.

    So a grader that is killed leaves no student code running. Student code could clear this, which seccomp refuses.
    """
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it ended between the fork and the call above
        os._exit(0)


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent ends, so that the descendant can be found and killed."""
    return _prctl(_SET_SUBREAPER, 1)


def hide_memory() -> bool:
    """Let no other process of this user read, trace or dump this one."""
    return _prctl(_SET_DUMPABLE, 0)


def forgo_new_privileges() -> bool:
    """Let no program that is executed gain rights, as `su` does. Landlock and seccomp need it of unprivileged users."""
    return _prctl(_SET_NO_NEW_PRIVILEGES, 1)


def filter_calls(program: bytes) -> bool:
    """Install a seccomp filter: BPF instructions of 8 bytes each."""
    header = struct.pack("HxxxxxxQ", len(program) // 8, _address(program))
    return _prctl(_SET_SECCOMP, 2, _address(header))


def _address(content: bytes) -> int:
    """Return where bytes lie; they must outlive the use of it.

    A buffer of ctypes would do, too, but it makes a type for each length, which takes time in each child.
    """
    return ctypes.c_void_p.from_buffer(ctypes.c_char_p(content)).value or 0


def drop_capabilities() -> bool:
    """Give up everything that makes root more than an owner of files."""
    header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    return bool(_capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))) == 0)


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process; none where the kernel does not list children.

    This takes 1 ms; a search through all of `/proc` takes 8.
    """
    found: list[int] = []
    pending = [pid]
    while pending:
        tasks = f"/proc/{pending.pop()}/task"
        with contextlib.suppress(OSError, ValueError):
            for task in os.listdir(tasks):
                with open(f"{tasks}/{task}/children", "rb") as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                pending += children
    return found
