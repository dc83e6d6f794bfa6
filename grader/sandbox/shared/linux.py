"""In the child: the few Linux calls that Python does not offer, by ctypes. Every function tells whether it worked."""

import contextlib
import ctypes
import os
import signal
import struct

_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SECCOMP, _SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 1, 4, 22, 36, 38
_CAPABILITIES_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_syscall, _prctl_of_libc, _capset = _libc.syscall, _libc.prctl, _libc.capset  # looked up once, not in each fork
_syscall.restype = ctypes.c_long
_long = ctypes.c_long


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call; integers go as 64 bits, bytes as a pointer. Negative where it failed."""
    made = [ctypes.c_char_p(a) if isinstance(a, bytes) or a is None else _long(a) for a in arguments]
    return int(_syscall(_long(number), *made))


def _prctl(option: int, *arguments: int) -> bool:
    padded = [*arguments, 0, 0, 0, 0][:4]
    return bool(_prctl_of_libc(ctypes.c_int(option), *map(_long, padded)) == 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends; end now if that has happened."""
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent ends, so that it can be found and killed."""
    return _prctl(_SET_SUBREAPER, 1)


def hide_memory() -> bool:
    """Let no other process of this user read or trace this one; nor dump it."""
    return _prctl(_SET_DUMPABLE, 0)


def forgo_new_privileges() -> bool:
    """Let no program that is executed gain rights. Landlock and seccomp need it."""
    return _prctl(_SET_NO_NEW_PRIVILEGES, 1)


def filter_calls(program: bytes) -> bool:
    """Install a seccomp filter: BPF instructions of 8 bytes each."""
    header = struct.pack("HxxxxxxQ", len(program) // 8, _address(program))
    return _prctl(_SET_SECCOMP, 2, _address(header))


def _address(content: bytes) -> int:
    """Return where bytes lie. They must outlive its use; a buffer of ctypes would make a type for each length."""
    return ctypes.c_void_p.from_buffer(ctypes.c_char_p(content)).value or 0


def drop_capabilities() -> bool:
    """Give up what makes root more than an owner of files."""
    header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    return bool(_capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))) == 0)


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process; none where the kernel does not list children."""
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
