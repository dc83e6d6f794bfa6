"""Follows a child while it loads a program: which cells run, which failed, and which have to be left out next time."""

import re
from typing import Any

from grader.calls import Ended, Limits, Load, Program
from grader.sandbox.clock import Budget
from grader.sandbox.limits import MAX_NESTED
from grader.sandbox.losses import Charges, Loss
from grader.sandbox.requests import pack_program
from grader.sandbox.session import Session, draw_number
from grader.sandbox.shared.wire import WireError

CellName = tuple[str, int | None]  # the module, and the number of the cell in a notebook


class Follower:
    """Loads one program, over as many children as it takes."""

    def __init__(self, program: Program, limits: Limits, budget: Budget, charges: Charges) -> None:
        self.program, self.limits, self.budget, self.charges = program, limits, budget, charges
        self.failed: dict[CellName, Load] = {}
        self.notes: list[str] = []
        self._running: list[int] = []  # one within the other, where a file imports another one
        self._files = {unit.module: unit.file for unit in program.units}
        self._packed = pack_program(program)
        self._names = [(unit.module, cell.number) for unit in program.units for cell in unit.cells]

    def load(self, session: Session) -> None:
        """Have a child load the program; raise what `Channel.receive` raises when the child is lost."""
        seq, top = draw_number(), None
        self._running = []
        allowance = self.budget.allow(self.limits.load, session.child.pid)
        asked = {"seq": seq, "do": "load", "program": self._packed, "skip": self.charges.left_out}
        session.send(asked, allowance)
        while True:
            told = session.receive(seq, allowance)
            match told:
                case {"loaded": notes}:
                    self.notes += [note for note in session.reader.texts(notes) if note not in self.notes]
                    self.budget.settle()
                    return
                case {"begins": number}:
                    name = self._name(number)
                    if not self._running and name[0] != top:  # each file has a time limit of its own
                        top = name[0]
                        self.budget.settle()
                        allowance = self.budget.allow(self.limits.load, session.child.pid)
                    self._running.append(number)
                case {"failed": number}:
                    name = self._name(number)
                    self.failed.setdefault(name, session.reader.load(*name, self._files[name[0]], told))
                case {"ends": _} if self._running:
                    self._running.pop()
                case _:
                    message = "no news of a cell"
                    raise WireError(message)

    def leave_out(self, loss: Loss) -> bool:
        """Leave out the cell that pays for a lost child, if one does; return whether loading is worth another try."""
        charged = self.charges.charge_cell(self._running, loss)
        if charged is None:
            return True
        if charged.number is None:
            return False
        module, cell = name = self._names[charged.number]
        loss = charged.loss
        self.failed[name] = Load(module, self._files[module], cell, loss.ended, None, loss.detail, loss.flag)
        return not self.charges.too_many_left_out

    def explain(self, function: str) -> Loss | None:
        """Return which file or cell would have defined a function, had it run; `None` if none."""
        home = self.program.homes.get(function)
        for unit in self.program.units:
            for cell in unit.cells if unit.module == home else ():
                failed = self.failed.get((unit.module, cell.number))
                if failed is not None and (not unit.notebook or _defines(cell.text, function)):
                    where = unit.file if cell.number is None else f"{unit.file}, cell {cell.number}"
                    return Loss(Ended.LOST, f"{where} could not be run", flag=failed.flag)
        return None

    def _name(self, told: Any) -> CellName:
        """Return the name of the cell that a child tells of. Student code can send numbers of its own."""
        if type(told) is int and 0 <= told < len(self._names) and len(self._running) < MAX_NESTED:
            return self._names[told]
        message = "news of a cell that does not exist"
        raise WireError(message)


def _defines(text: str, name: str) -> bool:
    """Return whether source text looks as if it defined a name. The text may be broken, so it is not parsed."""
    # No blank but a line's own: `\s*` would run on over blank lines, from each of them anew.
    pattern = rf"^[^\S\n]*(?:(?:async\s+)?def\s+{name}\b|{name}\s*(?::[^=\n]*)?=[^=])"
    return re.search(pattern, text, re.MULTILINE) is not None
