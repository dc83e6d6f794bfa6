"""Follows a child while it runs a program's files and cells, and remembers what has to be left out."""

from typing import Any

from grader.calls import Limits, Load, Program
from grader.sandbox.limits import MAX_LEFT_OUT, MAX_NESTED, Budget
from grader.sandbox.losses import Loss
from grader.sandbox.requests import defines, pack_program
from grader.sandbox.session import Session, number
from grader.sandbox.shared.wire import WireError

Place = tuple[str, int | None]  # module, cell


class Loads:
    """How running the program went, over all of its children."""

    def __init__(self, program: Program, limits: Limits, budget: Budget) -> None:
        self.program, self.limits, self.budget = program, limits, budget
        self.failed: dict[Place, Load] = {}
        self.notes: list[str] = []
        self._left_out: list[int] = []
        self._running: list[int] = []  # one within the other: numbers of places
        self._files = {unit.module: unit.file for unit in program.units}
        self._packed = pack_program(program)
        self._places = [(unit.module, cell.number) for unit in program.units for cell in unit.cells]

    def run(self, session: Session) -> None:
        """Have the child run the program; errors as of `Channel.receive` when it is lost."""
        seq, top = number(), None
        self._running = []
        deadline = self.budget.deadline(self.limits.load)
        session.send({"seq": seq, "do": "load", "program": self._packed, "skip": self._left_out}, deadline)
        while True:
            told = session.receive(seq, deadline)
            match told:
                case {"loaded": notes}:
                    self.notes += [note for note in session.reader.texts(notes) if note not in self.notes]
                    self.budget.stop()
                    return
                case {"begins": where}:
                    place = self._place(where)
                    if not self._running and place[0] != top:  # the next file has its own time
                        top = place[0]
                        self.budget.stop()
                        deadline = self.budget.deadline(self.limits.load)
                    self._running.append(where)
                case {"failed": where}:
                    place = self._place(where)
                    self.failed.setdefault(place, session.reader.load(place, self._files[place[0]], told))
                case {"ends": _} if self._running:
                    self._running.pop()
                case _:
                    msg = "no news of a cell"
                    raise WireError(msg)

    def blame(self, loss: Loss) -> bool:
        """Leave out the cell or file that was running when the child was lost; return whether to try again."""
        if not self._running or self._running[-1] in self._left_out:
            return False
        self._left_out.append(self._running[-1])
        place = self._places[self._running[-1]]
        self.failed[place] = Load(place[0], self._files[place[0]], place[1], loss.ended, None, loss.detail)
        return len(self._left_out) <= MAX_LEFT_OUT

    def explain(self, name: str) -> str:
        """Say which file or cell would have defined a name, had it run; empty if none."""
        home = self.program.homes.get(name)
        for unit in self.program.units:
            for cell in unit.cells if unit.module == home else ():
                if (home, cell.number) in self.failed and (not unit.notebook or defines(cell.text, name)):
                    where = unit.file if cell.number is None else f"{unit.file}, cell {cell.number}"
                    return f"{where} could not be run"
        return ""

    def _place(self, told: Any) -> Place:
        if type(told) is int and 0 <= told < len(self._places) and len(self._running) < MAX_NESTED:
            return self._places[told]
        msg = "news of a cell that does not exist"
        raise WireError(msg)
