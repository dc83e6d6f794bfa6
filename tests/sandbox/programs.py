"""Builders: a program of one script or notebook, and what a submission gives on an engine."""

from typing import Any

from grader.calls import Call, Cell, Limits, Load, Program, Reply, Run, Unit
from grader.sandbox import run

QUICK = Limits(call=1.0, load=3.0, submission=20.0)


class Everything(dict[str, str]):
    """Homes: every name lives in one module."""

    def __init__(self, module: str, *names: str) -> None:
        super().__init__(dict.fromkeys(names, module))


def script(text: str, *names: str, module: str = "work", **fields: Any) -> Program:
    """Return a program of one file, in which `names` (by default `f`) are asked for."""
    unit = Unit(module, f"{module}.py", (Cell(text),))
    return Program((unit,), (module,), Everything(module, *(names or ("f",))), **fields)


def scripts(*names: str, home: str = "work", absent: tuple[str, ...] = (), **texts: str) -> Program:
    """Return a program of several files, run in the order given."""
    units = tuple(Unit(module, f"{module}.py", (Cell(text),)) for module, text in texts.items())
    return Program(units, tuple(texts), Everything(home, *(names or ("f",))), absent=absent)


def notebook(*cells: str, names: tuple[str, ...] = ("f",), aliases: tuple[str, ...] = ()) -> Program:
    """Return a program of one notebook, whose cells are numbered from 1."""
    made = tuple(Cell(text, number) for number, text in enumerate(cells, 1))
    unit = Unit("work", "work.ipynb", made, aliases, notebook=True)
    return Program((unit,), ("work",), Everything("work", *names))


def outcome(engine: Any, program: Program, *args: Any, limits: Limits = QUICK, **fields: Any) -> Reply:
    """Call `f` once."""
    return run(engine, program, [Call("f", "f", args, **fields)], limits).replies["f"]


def value(engine: Any, text: str, *args: Any, **fields: Any) -> Any:
    """Return what `f` of a script returns."""
    reply = outcome(engine, script(text), *args, **fields)
    assert reply.ended == "returned", reply
    return reply.value


def everything(engine: Any, program: Program, *calls: Call, limits: Limits = QUICK) -> Run:
    """Run all calls; by default `f` without arguments."""
    return run(engine, program, calls or [Call("f", "f")], limits)


def only_load(result: Run) -> Load:
    """Return the one thing that could not be run."""
    (load,) = result.loads
    return load
