"""Say in words what this process ran out of: open files, processes and threads, memory.

A limit of the machine or of the shell (`ulimit`) is neither a fault of the grader nor of anybody's work. It reaches
Python under many names: `OSError`, `RuntimeError` from a thread, `ImportError` from a library that cannot be loaded.
"""

import errno
import sys
from collections.abc import Iterator

from grader.errors import GraderError

# Below this NumPy ends the process itself, in the middle of its import, with the exit code of missing points: seen with
# 150 MiB of address space, and no more with 300.
LEAST_MEMORY = 256 << 20
_NO_THREAD = "can't start new thread"
_UNLOADABLE = ("failed to map segment", "cannot allocate memory", "cannot map zero-fill", "cannot create shared object")


_KINDS = {
    "files": ("this process may open no more files", "RLIMIT_NOFILE", "-n"),
    "memory": ("there is not enough memory for this process", "RLIMIT_AS", "-v"),
    "processes": ("no further process can be started", "RLIMIT_NPROC", "-u"),
    "threads": ("no further thread can be started", "RLIMIT_NPROC", "-u"),
}


def tell_shortage(error: BaseException) -> str:
    """Return what this process ran out of, as half a sentence; nothing where the error says something else."""
    return next(filter(None, map(_name, _chain(error))), "")


def _name(error: BaseException) -> str:
    said = str(error)
    match error:
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            kind = "files"
        case MemoryError() | OSError(errno=errno.ENOMEM):
            kind = "memory"
        case ImportError() if "Too many open files" in said:
            kind = "files"
        case ImportError() if any(sign in said for sign in _UNLOADABLE):
            kind = "memory"
        case BlockingIOError():  # `fork`
            kind = "processes"
        case RuntimeError() if _NO_THREAD in said:
            kind = "threads"
        case _:
            return ""
    return _tell(kind)


def _tell(kind: str) -> str:
    words, limit, option = _KINDS[kind]
    return f"{words}{_limit(limit, option)}"


def is_about_a_place(error: OSError) -> bool:
    """Return whether another folder or disk could help."""
    return not tell_shortage(error)


def refuse_too_little_memory() -> None:
    """Raise `GraderError` where the limit of memory is one under which NumPy cannot be imported."""
    limit = _read_limit("RLIMIT_AS")
    if limit is not None and limit < LEAST_MEMORY:
        message = f"{_tell('memory')}; grading needs {LEAST_MEMORY >> 20} MiB. Raise the limit, then run it again."
        raise GraderError(message)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and what it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _limit(name: str, option: str) -> str:
    limit = _read_limit(name)
    if limit is None:
        return ""
    return f" (`ulimit {option}` is {limit >> 10 if option == '-v' else limit})"


def _read_limit(name: str) -> int | None:
    """Return a limit of this process; None where there is none."""
    if sys.platform == "win32":
        return None
    import resource

    if not hasattr(resource, name):
        return None
    limit, _ = resource.getrlimit(getattr(resource, name))
    return None if limit == resource.RLIM_INFINITY else limit
