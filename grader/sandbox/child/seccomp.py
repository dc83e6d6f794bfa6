"""Seccomp: a filter over system calls. It closes what Landlock leaves open: processes, sockets, modes of files.

Of the older calls it lists those that are refused: their table is closed, and a list of those that are allowed would
break with each release of the C library and of NumPy. Of the calls that came later, and of those still to come, it
lists the few that are allowed. A refused call fails with an error instead of ending the process, so that honest code
which starts a subprocess gets a readable `PermissionError`. Numbers are those of x86_64. On other machines there is no
filter, and the report says so.
"""

import errno
import platform
import struct
import sys
from typing import Any

from ..shared import linux

_X86_64 = 0xC000003E
_X32 = 0x40000000
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_CLONE, _CLONE3, _KILL_CALL, _TGKILL, _PRLIMIT64, _IOCTL, _SOCKETPAIR, _PRCTL, _FCNTL = (
    *(56, 435, 62, 234, 302, 16, 53, 157, 72),
)
_OPEN, _OPENAT, _OPENAT2 = 2, 257, 437
_CLONE_THREAD = 0x10000
_ACCESS_MODE, _TRUNCATE = 0o3, 0o1000  # of the flags of `open`
_NEITHER = 0o3  # an access mode that asks for no right at all, and still empties a file that the user may write to
_STREAM = 1

# fmt: off
REFUSED = {
    "processes": {
        "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "setsid": 112, "setpgid": 109, "unshare": 272,
        "setns": 308, "personality": 135,
    },
    "other processes": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_open": 434,
        "pidfd_getfd": 438, "pidfd_send_signal": 424, "tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
        "process_madvise": 440, "process_mrelease": 448, "migrate_pages": 256, "move_pages": 279, "setpriority": 141,
        "ioprio_set": 251, "sched_setscheduler": 144, "sched_setparam": 142, "sched_setattr": 314,
        "sched_setaffinity": 203, "perf_event_open": 298, "setrlimit": 160,
    },
    # A timer or a queue sends whatever signal it is told to, to this process too: see `_FROM_OUTSIDE`.
    "signals that arrive later": {"timer_create": 222, "mq_notify": 244},
    "sockets": {
        "socket": 41, "connect": 42, "bind": 49, "listen": 50, "accept": 43, "accept4": 288,
    },
    "shared memory and queues": {
        "shmget": 29, "shmat": 30, "shmctl": 31, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220,
        "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "mq_open": 240, "mq_unlink": 241, "memfd_create": 319,
        "memfd_secret": 447,
    },
    "files": {
        "truncate": 76, "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93,
        "lchown": 94, "fchownat": 260, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "setxattrat": 463,
        "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "removexattrat": 466, "utime": 132,
        "utimes": 235, "futimesat": 261, "utimensat": 280, "mknod": 133, "mknodat": 259, "open_by_handle_at": 304,
        "name_to_handle_at": 303, "inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300, "acct": 163,
        "file_setattr": 469,
    },
    # What one submission does to a file that all may read must not be felt by another one: a lock is a channel between
    # two works of one class, and space that is set aside on the disk counts for nobody's folder until it is written.
    "what neighbours would feel": {
        "flock": 73, "fallocate": 285, "sync": 162, "syncfs": 306, "io_setup": 206,
    },
    # A pipe or a socket that is handed a page, not a copy of it, keeps the page when nobody has it mapped any more: one
    # byte of it is enough to hold 2 MiB, which count neither as address space nor as resident. A single socket held 277
    # of them. `shutil.copyfile` goes on without `sendfile`.
    "memory beyond its limit": {"splice": 275, "tee": 276, "vmsplice": 278, "sendfile": 40},
    # A message may carry descriptors. Those on their way are counted for all processes of a user, and one child had
    # 253 of them: a grader that may open fewer files could start no further child, for anybody.
    "descriptors on their way": {"sendmsg": 46, "sendmmsg": 307},
    "the system": {
        "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "open_tree": 428, "move_mount": 429,
        "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "init_module": 175,
        "finit_module": 313, "delete_module": 176, "kexec_load": 246, "kexec_file_load": 320, "reboot": 169,
        "swapon": 167, "swapoff": 168, "sethostname": 170, "setdomainname": 171, "settimeofday": 164,
        "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305, "quotactl": 179, "quotactl_fd": 443,
        "syslog": 103, "iopl": 172, "ioperm": 173, "vhangup": 153, "modify_ldt": 154, "bpf": 321, "userfaultfd": 323,
        "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427,
    },
}
# fmt: on

# Asking whether something is a terminal and how large; closing on exec or not; not blocking; how much can be read. Not:
# typing into a terminal, flags and encryption of a folder, which would outlive what is in it.
_ALLOW_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x5450, 0x5451, 0x5421, 0x541B)
# Signals that no process can catch, or that stop it: SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU. A child cannot send
# them to itself. So the grader knows of a child that was killed or stopped that it was somebody else: the machine when
# it ran out of memory, or a person. Such a loss is never the work's fault.
_FROM_OUTSIDE = (9, 19, 20, 21, 22)
# Copies of a descriptor, its flags, its mode. Not: leases (a neighbour that opens a library then waits 45 s), locks and
# notices of changes on shared files, owners and signals of a descriptor (Linux 6.7 to 6.11 let them kill the grader).
_ALLOW_FCNTLS = (0, 1, 2, 3, 4, 1030, 1032)
# Below this number the table of calls has been closed since 2018, and all of it was looked through. Above it calls
# still come, so only those are let through that a C library or NumPy makes. To all others the kernel seems to be an
# older one, which each C library can cope with. (Measured: NumPy, SciPy, threads, asyncio and sqlite3 make 60 different
# calls, none of them above it but clone3.)
_FIRST_OPEN = 335
_ALLOWED_ABOVE = {"close_range": 436, "faccessat2": 439, "epoll_pwait2": 441, "futex_waitv": 449}
_REFUSE_PRCTLS = (1, 4)  # outliving the parent, becoming readable to others


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value & 0xFFFFFFFF)


def _give(result: int) -> bytes:
    return _step(_RETURN, result)


_REFUSE, _UNKNOWN = _give(_ERROR | errno.EPERM), _give(_ERROR | errno.ENOSYS)
_PASS = _give(_ALLOW)


def _argument(index: int, *, high: bool = False) -> bytes:
    return _step(_LOAD, _ARGUMENTS + 8 * index + 4 * high)


def _rule(number: int, *body: bytes) -> bytes:
    """Return instructions that apply `body` to one system call. It ends in returns only."""
    return _step(_EQUAL, number, 0, len(body)) + b"".join(body)


def _if_one_of(index: int, values: tuple[int, ...], then: bytes, otherwise: bytes) -> list[bytes]:
    """Return instructions that give `then` where a 32-bit argument is one of the values, else `otherwise`."""
    tests = [_step(_EQUAL, value, len(values) - i) for i, value in enumerate(values)]
    return [_argument(index), *tests, otherwise, then]


def _empty_unless_writing(index: int) -> list[bytes]:
    """Return instructions that refuse to empty a file without asking to write to it.

    Landlock before version 3 takes that for reading (`truncate_readable_files` among the attacks). To open a file for
    writing, also by `creat`, needs Landlock's right to write.
    """
    tests = [_step(_EQUAL, _TRUNCATE, 2), _step(_EQUAL, _TRUNCATE | _NEITHER, 1)]
    return [_argument(index), _step(_AND, _ACCESS_MODE | _TRUNCATE), *tests, _PASS, _REFUSE]


def _signal_oneself(pid: int, index: int) -> list[bytes]:
    """Allow signals to this process alone, and refuse those that must come from outside; `index` is the signal's."""
    return [_argument(0), _step(_EQUAL, pid, 1), _REFUSE, *_if_one_of(index, _FROM_OUTSIDE, _REFUSE, _PASS)]


def program(pid: int) -> bytes:
    """Return the filter of the process with this number: BPF instructions of 8 bytes each."""
    return b"".join(
        [
            _step(_LOAD, _MACHINE),
            _step(_EQUAL, _X86_64, 1),
            _give(_KILL),  # 32-bit calls have other numbers, and would pass a filter of these
            _step(_LOAD, _NUMBER),
            _step(_AT_LEAST, _X32, 0, 1),
            _UNKNOWN,
            *(_rule(number, _REFUSE) for group in REFUSED.values() for number in group.values()),
            # Their flags lie behind a pointer, where a filter cannot look. The C library then uses the older calls.
            _rule(_CLONE3, _UNKNOWN),
            _rule(_OPENAT2, _UNKNOWN),
            _rule(_OPEN, *_empty_unless_writing(1)),
            _rule(_OPENAT, *_empty_unless_writing(2)),
            # A thread may be started, a process may not.
            _rule(_CLONE, _argument(0), _step(_ANY_BIT, _CLONE_THREAD, 0, 1), _PASS, _REFUSE),
            # `abort` signals the process itself. Landlock before version 6 stops no signal to others.
            _rule(_KILL_CALL, *_signal_oneself(pid, 1)),
            _rule(_TGKILL, *_signal_oneself(pid, 2)),
            # Limits may be read, not set: neither those of the parent, nor its own by a child that is root.
            _rule(
                _PRLIMIT64,
                *(_argument(2), _step(_EQUAL, 0, 0, 3)),
                *(_argument(2, high=True), _step(_EQUAL, 0, 0, 1)),
                *(_PASS, _REFUSE),
            ),
            _rule(_IOCTL, *_if_one_of(1, _ALLOW_IOCTLS, _PASS, _REFUSE)),
            _rule(_FCNTL, *_if_one_of(1, _ALLOW_FCNTLS, _PASS, _REFUSE)),
            _rule(_PRCTL, *_if_one_of(0, _REFUSE_PRCTLS, _REFUSE, _PASS)),
            # asyncio needs a pair of streams. A pair of datagram sockets could send to any local socket by its name
            # (`datagram_by_a_pair`): the user's D-Bus starts programs.
            _rule(_SOCKETPAIR, _argument(1), _step(_AND, 0xF), _step(_EQUAL, _STREAM, 0, 1), _PASS, _REFUSE),
            *(_rule(number, _PASS) for number in _ALLOWED_ABOVE.values()),
            _step(_AT_LEAST, _FIRST_OPEN, 0, 1),
            _UNKNOWN,
            _PASS,
        ]
    )


_STAND_IN = 0x7A5C3E1D  # higher than the number of any process


class Template:
    """The filter with a stand-in for the number of the process, made once for many children: that takes 0.4 ms."""

    def __init__(self) -> None:
        self._program = program(_STAND_IN)

    def fill(self, pid: int) -> bytes:
        """Return the filter of the process with this number."""
        return self._program.replace(struct.pack("I", _STAND_IN), struct.pack("I", pid))


def available() -> bool:
    """Return whether the table of numbers fits this machine."""
    return platform.machine() == "x86_64" and sys.maxsize > 1 << 32


def enforce(made: bytes) -> dict[str, Any]:
    """Install a filter that `program` made; return what is in force, empty if nothing is."""
    linux.forgo_new_privileges()
    return {"on": True, "machine": "x86_64"} if linux.filter_calls(made) else {}
