"""Runs student code in a process of its own and brings back plain data.

    with open_engine() as engine:
        result = run(engine, program, calls, Limits())

The modules here are the grader's half. `child/` holds the half that runs in the student's process and nowhere else,
`shared/` what both halves use. `limits` says how long the grader waits and how much it takes in; `losses` says which
call pays where a child was lost.

Importing this package and opening an engine do not wait for NumPy, which a child imports meanwhile: import and child
together take as long as one of them.
"""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from grader.calls import Call, Further, Limits, Program, Run
from grader.errors import UsageError
from grader.sandbox.engines import Engine
from grader.sandbox.spawn import SpawnEngine
from grader.sandbox.zygote import ZygoteEngine

__all__ = ["ENGINES", "Engine", "open_engine", "run"]

ENGINES: Mapping[str, type[Any]] = MappingProxyType({"spawn": SpawnEngine, "zygote": ZygoteEngine})


def _best_engine() -> str:
    """Return the name of the best engine for this system.

    The zygote forks, which macOS's own libraries do not survive, and Windows does not know.
    """
    return "zygote" if sys.platform == "linux" else "spawn"


def open_engine(name: str | None = None, *, isolation: str | None = None) -> Engine:
    """Return an engine that is starting.

    Parameters
    ----------
    name : str, optional
        A key of `ENGINES`; by default the best one for this system.
    isolation : {"full", "weak"}, optional
        With "full", an engine that turns out to isolate less raises `SandboxError` at its first session. Otherwise the
        engine enforces as much as the system offers.

    Raises
    ------
    UsageError
        If there is no engine of that name.
    """
    chosen = name or _best_engine()
    if chosen not in ENGINES:
        message = f"there is no engine {chosen!r}; known: {', '.join(ENGINES)}"
        raise UsageError(message)
    engine: Engine = ENGINES[chosen](demand=isolation)
    return engine


def run(engine: Engine, program: Program, calls: Sequence[Call], limits: Limits, further: Further | None = None) -> Run:
    """Run all of one submission: see `grader.sandbox.runner.run`."""
    from grader.sandbox import runner  # imports NumPy

    return runner.run(engine, program, calls, limits, further)
