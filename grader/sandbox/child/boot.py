"""The first script of a process for student code: sets the import path, then serves as worker or as fork server.

It is run as `python -S -s -P boot.py SETTINGS`. It imports `grader/sandbox` under a private name, so that the process
never imports the package `grader`: student code that looks through `sys.modules` finds none there.
"""

import json
import os
import signal
import sys
from types import ModuleType

ROOM = "_room"


def main() -> None:
    """Read the settings and start in the role that they name."""
    settings = json.loads(sys.argv[1])
    _heed_signals()
    # No relative path: what lies in the current folder, a submission may have put there.
    sys.path[:] = [p for p in sys.path if os.path.isabs(p)] + settings["site"]
    room = ModuleType(ROOM)
    room.__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    sys.modules[ROOM] = room
    from importlib import import_module

    if settings["role"] == "forkserver":
        os.register_at_fork = lambda **_: None  # until everything is imported: see `forkserver.start`
    import_module(f"{ROOM}.child.{settings['role']}").start(settings)


def _heed_signals() -> None:
    """Give signals the effect that they have in a fresh process, whatever the one that started the grader had ignored.

    It is inherited. Where SIGTERM is ignored, work that ends itself by it does not end; where SIGCHLD is, the system
    forgets how a child ended.
    """
    python = {getattr(signal, name, None) for name in ("SIGPIPE", "SIGXFSZ")}  # Python ignores these itself
    for number in signal.valid_signals() - python:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())


if __name__ == "__main__":
    main()
