"""First script of a child: sets the import path, then serves. Run as `python -S -s -P boot.py SETTINGS`.

`grader/sandbox` is imported under a private name, so that the child never imports the package it belongs to: student
code that looks through `sys.modules` finds no grader there.
"""

import json
import os
import sys
from types import ModuleType

ROOM = "_room"


def main() -> None:
    """Read the settings and become a worker or a fork server."""
    settings = json.loads(sys.argv[1])
    sys.path[:] = [p for p in sys.path if os.path.isabs(p)] + settings["site"]
    room = ModuleType(ROOM)
    room.__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    sys.modules[ROOM] = room
    from importlib import import_module

    if settings["role"] == "forkserver":
        os.register_at_fork = lambda **_: None  # until all is imported: see `forkserver.start`
    import_module(f"{ROOM}.child.{settings['role']}").start(settings)


if __name__ == "__main__":
    main()
