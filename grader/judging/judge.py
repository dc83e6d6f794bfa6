"""Judge exercises: from the answer key and the replies to the student's calls to the result of every check."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from grader.calls import Run
from grader.exercises.exercise import Check, Exercise, Function, Mistake, Rule
from grader.exercises.parts import judging_of
from grader.judging.deadline import LONGEST, Deadline
from grader.judging.diagnosis import explain, is_wrong, name_mistakes
from grader.judging.dossier import NOTHING_OWN, Dossier, OwnNames
from grader.judging.endings import Ending, Scene, end_unrun
from grader.judging.fingerprints import read_fingerprint
from grader.judging.hidden import only_public
from grader.judging.own_work import Verdicts
from grader.judging.results import end, flag_definition, sum_up
from grader.judging.rules import judge_form, judge_raises, judge_unmodified, judge_values, with_seconds
from grader.judging.verdicts import ProbeVerdict, judge_probes
from grader.judging.written import judge_written
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult, ExerciseResult, Outcome
from grader.submissions.records import Definition

RULES: Final = MappingProxyType(
    {
        Rule.VALUES: judge_values,
        Rule.FORM: judge_form,
        Rule.UNMODIFIED: judge_unmodified,
        Rule.RAISES: judge_raises,
        Rule.WRITTEN: judge_written,
    }
)

_CONTAINER = (Rule.FORM, Rule.UNMODIFIED)


@np.errstate(all="ignore")  # infinities and NaN in a student's answer must not make the grader itself warn
def judge(
    exercises: Sequence[Exercise],
    key: AnswerKey,
    definitions: Mapping[str, Definition],
    run: Run,
    everything: Sequence[Function],
    *,
    seconds: float = LONGEST,
) -> tuple[ExerciseResult, ...]:
    """Judge the exercises.

    Parameters
    ----------
    exercises : sequence of Exercise
        Those that the results are about.
    key : AnswerKey
        What is right.
    definitions : mapping
        Where each asked-for name was found in the work.
    run : Run
        What the calls gave.
    everything : sequence of Function
        All asked-for functions: an exercise may look at another one's answers.
    seconds : float
        Processor time after which what is not judged yet counts as timed out.
    """
    deadline = Deadline(seconds)
    verdicts, unread = judge_probes(everything, key, run, deadline)
    asked = frozenset(definitions)
    own = {exercise.slug: judging_of(exercise) or NOTHING_OWN for exercise in exercises}
    parts = [part.names for part in own.values()]
    names = OwnNames(
        {function: table for part in parts for function, table in part.recognisers.items()},
        {function: table for part in parts for function, table in part.undoing.items()},
    )
    named = _Names(key, verdicts, names, deadline)
    results = []
    for exercise in exercises:
        checks = []
        for check in exercise.checks:
            scene = Scene(definitions[check.function], run, asked)
            function = exercise.function(check.function)
            dossier = Dossier(function, verdicts[check.function], key, scene, verdicts, own[exercise.slug])
            late = check.function in unread or deadline.is_over
            judged = _give_up(check, scene, deadline) if late else _judge_check(check, dossier, named)
            checks.append(flag_definition(judged, scene.definition))
        results.append(sum_up(exercise, checks))
    return tuple(results)


class _Names:
    """The named mistakes of each function, looked for once and only where something is wrong.

    They are read from the public probes alone: a student reads them, and finds the same ones without a batch. Where
    nothing explains all that a function gave, two slips may have met: then each check is explained by itself.
    """

    def __init__(self, key: AnswerKey, verdicts: Verdicts, own: OwnNames, deadline: Deadline) -> None:
        self._key, self._verdicts, self._own, self._deadline = key, verdicts, own, deadline
        self._whole: dict[str, tuple[Mistake, ...]] = {}

    def of(self, function: str, check: str | None = None) -> tuple[Mistake, ...]:
        verdicts = only_public(self._verdicts[function])
        if function not in self._whole:
            self._whole[function] = self._search(verdicts)
        if self._whole[function] or check is None:
            return self._whole[function]
        return self._search([verdict for verdict in verdicts if check in verdict.probe.checks], partly=True)

    def _search(self, verdicts: Sequence[ProbeVerdict], *, partly: bool = False) -> tuple[Mistake, ...]:
        if self._deadline.is_over or not is_wrong(verdicts):
            return ()
        return name_mistakes(verdicts, self._key, self._own, partly=partly)

    def about(self, check: Check) -> tuple[Mistake, ...]:
        """Return what explains a check: about the container or the arguments, only mistakes that concern them."""
        mistakes = self.of(check.function, check.name)
        if check.rule not in _CONTAINER:
            return mistakes
        return tuple(mistake for mistake in mistakes if self._concerns(mistake, check))

    def _concerns(self, mistake: Mistake, check: Check) -> bool:
        answers = self._key.mistakes.get(check.function, {}).get(mistake.code, {})
        if check.rule is Rule.UNMODIFIED:
            return any(answer.changed or answer.raises == "ValueError" for answer in answers.values())
        return any(answer.form != self._key.answers[name].form for name, answer in answers.items())


def _give_up(check: Check, scene: Scene, deadline: Deadline) -> CheckResult:
    """Return the result of a check that the time for judging does not reach."""
    message = f"`{check.function}` was not judged: {deadline}."
    return end(check, end_unrun(scene) or Ending(Outcome.TIMEOUT, message, scene.place))


def _judge_check(check: Check, dossier: Dossier, named: _Names) -> CheckResult:
    unrun = end_unrun(dossier.scene)
    if unrun is not None:
        return end(check, unrun)
    rule = dossier.own.rules[check.name] if check.rule is Rule.OWN else RULES[check.rule]
    judged = rule(check, dossier)
    # A passed check without a note has nothing to explain, and the search for a name takes time.
    searched = not judged.inherited and (judged.outcome is not Outcome.PASSED or judged.message)
    explained = explain(judged, named.about(check)) if searched else judged
    if explained.mistake is None and judged.outcome is Outcome.FAILED and check.rule not in _CONTAINER:
        explained = read_fingerprint(explained, dossier, check.items)
    if judged.inherited and check.builds_on is not None:
        explained = _say_from_where(explained, named.of(check.builds_on))
    return with_seconds(explained, dossier.feeding(check))


def _say_from_where(check: CheckResult, mistakes: Sequence[Mistake]) -> CheckResult:
    if not mistakes:
        return check
    codes = ", ".join(mistake.code for mistake in mistakes)
    message = f"{check.message} (inherits {codes})"
    return check.model_copy(update={"message": message, "hints": (message, *check.hints[1:])})
