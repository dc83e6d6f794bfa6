"""What a call that gave no value means for its check: outcome, sentence, place. One wording for every rule."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from grader.calls import Ended, Load, Run, StudentError
from grader.report import Outcome
from grader.submissions.flags import NOT_FOUND, NOT_HANDED_IN, NOT_INSTALLED, NOT_RUN
from grader.submissions.records import Definition, FunctionState, locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.judging.verdicts import ProbeVerdict

_TOO_MUCH = "needed more memory than the limit"
_FLAGS: Mapping[Outcome, str] = MappingProxyType(
    {Outcome.TIMEOUT: "timeout", Outcome.CRASHED: "crashed", Outcome.MEMORY: "memory"}
)
"""Outcomes that say nothing about the mathematics: an instructor looks at these first."""


class Ending(NamedTuple):
    """Outcome, observation and place of a check that has no value to judge."""

    outcome: Outcome
    message: str
    location: str | None = None
    reason: str = ""  # why a person should look at it, where the outcome alone does not say so

    @property
    def flag(self) -> str:
        """The reason to show the instructor where the mathematics is not at fault; empty where it is."""
        return self.reason or _FLAGS.get(self.outcome, "")


class Scene(NamedTuple):
    """What is known about one function beside its verdicts: its definition, the run, the names that are asked for."""

    definition: Definition
    run: Run
    asked: frozenset[str]

    @property
    def place(self) -> str | None:
        """Where the function is defined."""
        definition = self.definition
        return None if definition.file is None else locate(definition.file, definition.cell, definition.line)


def end_unrun(scene: Scene) -> Ending | None:
    """Return the ending of a function that cannot be called at all; None where it can."""
    definition = scene.definition
    name = definition.name
    match definition.state:
        case FunctionState.UNTOUCHED:
            return Ending(Outcome.NOT_ATTEMPTED, f"`{name}` is not started.", scene.place, definition.flag)
        case FunctionState.MISSING:
            message = definition.cause or f"`{name}` is not defined in any file."
            return Ending(Outcome.MISSING, message, reason=definition.flag)
        case FunctionState.CONFLICT | FunctionState.UNREADABLE:
            return Ending(Outcome.ERROR, definition.cause, scene.place, definition.flag)
        case FunctionState.POSSIBLE if not _came_to_something(scene):
            return end_unrun(scene._replace(definition=definition._replace(state=definition.otherwise)))
        case FunctionState.DEFINED | FunctionState.POSSIBLE:
            return None


def _came_to_something(scene: Scene) -> bool:
    """Return whether a function that the source does not show did anything: more than a stub or a placeholder does."""
    name = scene.definition.name
    replies = [reply for call, reply in scene.run.replies.items() if call.partition("/")[0] == name]
    for reply in replies:
        match reply.ended, reply.error:
            case Ended.RETURNED, _:
                if not _is_nothing(reply.value):
                    return True
            case Ended.RAISED, StudentError(type="NotImplementedError", function=function) if function == name:
                continue
            case Ended.RAISED, StudentError(absent=str(absent)) if absent.endswith(f".{name}"):
                continue
            case ((Ended.MISSING | Ended.SKIPPED), _):
                continue
            case Ended.LOST, _ if scene.definition.otherwise is FunctionState.UNTOUCHED:
                continue
            case _:
                return True
    return False


def _is_nothing(value: object) -> bool:
    """Return whether a call gave None; one that is made twice gives a pair."""
    return value is None or (isinstance(value, tuple) and bool(value) and all(part is None for part in value))


def end_call(verdict: "ProbeVerdict", scene: Scene) -> Ending:
    """Return the ending of a call that did not return."""
    reply, name, place = verdict.reply, verdict.probe.call.function, scene.place
    match reply.ended:
        case Ended.RAISED if reply.error is not None:
            return _end_raised(reply.error, name, scene)
        case Ended.TIMEOUT:
            limit = reply.detail or "the time limit"
            return Ending(Outcome.TIMEOUT, f"`{name}` did not answer: {limit}.", place)
        case Ended.CRASHED:
            why = reply.detail or "no reason given"
            return Ending(Outcome.CRASHED, f"`{name}` ended the whole process: {why}.", place)
        case Ended.MEMORY:
            return Ending(Outcome.MEMORY, f"`{name}` {reply.detail or _TOO_MUCH}.", place)
        case Ended.LOST | Ended.MISSING:
            return _end_lost(name, scene)
        case _:
            why = reply.detail or "an earlier call failed"
            return Ending(Outcome.SKIPPED, f"`{name}` was not called: {why}.", place)


def flag_doubts(verdicts: "Sequence[ProbeVerdict]") -> tuple[str, ...]:
    """Return why an instructor should look at these calls: the sandbox is not certain what caused a loss."""
    return tuple(dict.fromkeys(verdict.reply.flag for verdict in verdicts if verdict.reply.flag))


def _end_raised(error: StudentError, name: str, scene: Scene) -> Ending:
    place = _place_of(error) or scene.place
    if error.absent is not None:
        return _end_absent(error.absent, name, scene)
    if error.type == "NotImplementedError":
        if error.function in scene.asked and error.function != name:
            return Ending(Outcome.SKIPPED, f"`{name}` needs `{error.function}`, which is not written yet.", scene.place)
        message = f"`{name}` still raises NotImplementedError{_at(place)}. Delete that line once the body is written."
        return Ending(Outcome.ERROR, message, place)
    said = f": {error.message}" if error.message else ""
    line = f" `{error.text.strip()}`" if error.text and error.text.strip() else ""
    return Ending(Outcome.ERROR, f"`{name}` raised {error.type}{said}{_at(place)}{line}", place)


def _end_absent(absent: str, name: str, scene: Scene) -> Ending:
    module, _, attribute = absent.partition(".")
    if attribute:
        message = f"`{name}` needs `{attribute}` from {module}, which was not handed in."
        return Ending(Outcome.SKIPPED, message, scene.place, NOT_HANDED_IN)
    return Ending(Outcome.ERROR, f"`{name}` needs {module}, which is not installed here.", scene.place, NOT_INSTALLED)


def _end_lost(name: str, scene: Scene) -> Ending:
    load = _find_load(scene)
    if load is None:
        return Ending(Outcome.MISSING, f"`{name}` was not there after its file had run.", scene.place, NOT_FOUND)
    match load.ended:
        case Ended.TIMEOUT:
            outcome = Outcome.TIMEOUT
        case Ended.CRASHED:
            outcome = Outcome.CRASHED
        case Ended.MEMORY:
            outcome = Outcome.MEMORY
        case _:
            outcome = Outcome.ERROR
    reason = NOT_RUN if outcome is Outcome.ERROR else ""
    return Ending(outcome, describe_load(load), _place_of(load.error) or locate(load.file, load.cell), reason)


def _find_load(scene: Scene) -> Load | None:
    """Return the fault of the file, or of the cell, that holds the function."""
    loads = [load for load in scene.run.loads if load.file == scene.definition.file]
    same_cell = [load for load in loads if load.cell == scene.definition.cell]
    return next(iter(same_cell or loads), None)


def describe_load(load: Load) -> str:
    """Say in one sentence how running a file or a cell went wrong."""
    where = locate(load.file, load.cell)
    match load.ended:
        case Ended.TIMEOUT:
            return f"{where} did not finish: {load.detail or 'the time limit'}."
        case Ended.CRASHED:
            return f"{where} ended the whole process: {load.detail or 'no reason given'}."
        case Ended.MEMORY:
            return f"{where} {load.detail or _TOO_MUCH}."
        case _:
            return f"{where} could not be run{_said(load.error)}"


def _said(error: StudentError | None) -> str:
    if error is None:
        return "."
    message = f": {error.message}" if error.message else ""
    line = "" if error.line is None else f" (line {error.line})"
    return f": {error.type}{message}{line}."


def _place_of(error: StudentError | None) -> str | None:
    return None if error is None or error.file is None else locate(error.file, error.cell, error.line)


def _at(place: str | None) -> str:
    return "" if place is None else f" ({place})"


def first_failing(verdicts: "Sequence[ProbeVerdict]") -> "ProbeVerdict | None":
    """Return the smallest failing public probe, else the smallest hidden one. The verdicts stand in ladder order.

    A skipped call says less than the call because of which it was skipped, so it comes last.
    """
    return min(
        verdicts,
        key=lambda verdict: (verdict.probe.hidden, verdict.reply.ended is Ended.SKIPPED),
        default=None,
    )
