"""Resource limits of POSIX: the second line behind the grader's clock.

There is no limit on processes (RLIMIT_NPROC): it would count everything that the user runs, the instructor's desktop as
well. Seccomp refuses to start them.
"""

import os
import sys

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MIB = 1 << 20
DESCRIPTORS = 64  # a thousand sockets or files of one child would be missing to its neighbours


def address_space() -> int:
    """Return how many bytes of address space this process uses now; 0 where the system does not tell."""
    try:
        handle = os.open("/proc/self/statm", os.O_RDONLY)  # a file object would copy more shared memory in a fork
        try:
            return int(os.read(handle, 256).split()[0]) * 4096
        finally:
            os.close(handle)
    except (OSError, ValueError, IndexError):
        return 0


def apply(memory: int, cpu: int, file_size: int) -> dict[str, int]:
    """Limit this process; return the limits that the system accepted.

    Parameters
    ----------
    memory : int
        MiB beyond what the interpreter with NumPy uses now, which is some 150 and differs between machines.
    cpu : int
        Seconds of processor time.
    file_size : int
        MiB of one file.
    """
    if resource is None:
        return {}
    in_force: dict[str, int] = {}
    used = address_space()
    wanted = [
        ("memory_mib", resource.RLIMIT_AS if used and sys.platform == "linux" else None, used + memory * MIB, memory),
        ("cpu_seconds", resource.RLIMIT_CPU, cpu, cpu),
        ("file_mib", resource.RLIMIT_FSIZE, file_size * MIB, file_size),
        ("descriptors", resource.RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS),
        ("core", resource.RLIMIT_CORE, 0, 0),
    ]
    for name, limit, value, shown in wanted:
        if limit is None:
            continue
        try:
            hard = resource.getrlimit(limit)[1]
            soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
            over = soft + 1 if name == "cpu_seconds" and soft != hard else soft  # SIGXCPU first, SIGKILL later
            resource.setrlimit(limit, (soft, over))
        except (OSError, ValueError):
            continue
        in_force[name] = shown
    return in_force
