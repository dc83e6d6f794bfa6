"""Runs student code in a process of its own and brings back plain data.

    with open_engine() as engine:
        result = run(engine, program, calls, Limits())

Importing this and opening an engine does not wait for NumPy: the child imports it meanwhile.
"""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from grader.calls import Call, Limits, Program, Run
from grader.errors import UsageError
from grader.sandbox.engines import Engine
from grader.sandbox.spawn import SpawnEngine
from grader.sandbox.zygote import ZygoteEngine

__all__ = ["ENGINES", "Engine", "open_engine", "run"]

ENGINES: Mapping[str, type[Any]] = MappingProxyType({"spawn": SpawnEngine, "zygote": ZygoteEngine})


def best() -> str:
    """Return the name of the best engine that this system has."""
    return "zygote" if sys.platform == "linux" else "spawn"


def open_engine(name: str | None = None, *, isolation: str | None = None) -> Engine:
    """Start an engine; returns at once.

    Parameters
    ----------
    name : str, optional
        A key of `ENGINES`; by default the best one that this system has.
    isolation : {"full", "weak"}, optional
        With "full", an engine that turns out weaker raises `SandboxError` when it is first asked for a session.
        Otherwise as much is in force as the system has.
    """
    chosen = name or best()
    if chosen not in ENGINES:
        msg = f"there is no engine {chosen!r}; known: {', '.join(ENGINES)}"
        raise UsageError(msg)
    engine: Engine = ENGINES[chosen](demand=isolation)
    return engine


def run(engine: Engine, program: Program, calls: Sequence[Call], limits: Limits) -> Run:
    """Run all of one submission: see `grader.sandbox.runner.run`."""
    from grader.sandbox import runner

    return runner.run(engine, program, calls, limits)
