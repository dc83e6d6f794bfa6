"""The verdict on one probe: how the call ended, and each returned thing against the right answer."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grader.calls import Call, Ended, Reply, Run
from grader.exercises.exercise import Function
from grader.exercises.probe import Array, Probe
from grader.judging.arrays import Band, ItemVerdict, judge_item
from grader.judging.deadline import LONGEST, Deadline
from grader.judging.reading import Reading, read_value
from grader.key.answer_key import Answer, AnswerKey


class ProbeVerdict(NamedTuple):
    """One probe, its reply, the reading of the value, and what it is worth.

    `items` are empty where there is nothing to compare with; `fault` says why the value cannot be read as asked for.
    """

    probe: Probe
    reply: Reply
    reading: Reading = Reading()
    items: tuple[ItemVerdict, ...] = ()
    fault: str = ""

    @property
    def returned(self) -> bool:
        """Whether the call returned anything."""
        return self.reply.ended is Ended.RETURNED

    def band(self, wanted: Sequence[int] | None = None) -> Band:
        """Return the worst band of the wanted items (None: all)."""
        if not self.returned or self.fault or not self.items:
            return Band.WRONG
        count = len(self.items) // (1 if self.probe.call.again is None else 2)
        chosen = [item.band for k, item in enumerate(self.items) if wanted is None or k % count in wanted]
        return max(chosen)

    @property
    def refused(self) -> bool:
        """Whether the call failed because it wrote into a read-only array."""
        error = self.reply.error
        return error is not None and error.type == "ValueError" and "read-only" in error.message

    def is_wrong(self, wanted: Sequence[int] | None = None) -> bool:
        """Whether the wanted items (None: all) are wrong as values.

        Writing into an argument that came read-only is no wrong value: behaviour has a share of its own.
        """
        return self.band(wanted) is Band.WRONG and not (self.probe.call.readonly and self.refused)

    @property
    def form(self) -> str:
        """What is odd about container or shape; empty where nothing is."""
        return self.fault or next((item.form for item in self.items if item.form), "")

    @property
    def modified(self) -> tuple[int, ...]:
        """Positions of the arguments that the call changed."""
        if not self.returned or self.reply.echo is None:
            return ()
        pairs = enumerate(zip(self.probe.call.args, self.reply.echo, strict=False))
        return tuple(k for k, (before, after) in pairs if isinstance(before, np.ndarray) and not _same(before, after))

    def worst_item(self, wanted: Sequence[int] | None = None) -> int | None:
        """Return the place of the first wrong thing among the wanted ones (None: all); None where none is wrong."""
        count = len(self.items) // (1 if self.probe.call.again is None else 2)
        places = (k for k in range(len(self.items)) if wanted is None or k % count in wanted)
        return next((k for k in places if self.items[k].band is Band.WRONG), None)


def _same(before: Array, after: object) -> bool:
    return isinstance(after, np.ndarray) and np.array_equal(before, after)


def judge_probes(
    functions: Sequence[Function], key: AnswerKey, run: Run, deadline: Deadline
) -> tuple[dict[str, list[ProbeVerdict]], frozenset[str]]:
    """Judge every probe of these functions.

    Returns
    -------
    dict
        The verdicts by function, in the order of the ladder. A probe whose call was never answered counts as lost,
        but for those that are asked only where something is wrong.
    frozenset
        The functions of which an answer was not read, because the time for that was over.
    """
    by_name = {function.name: function for function in functions}
    verdicts: dict[str, list[ProbeVerdict]] = {name: [] for name in by_name}
    unread = set()
    for probe in key.probes:
        function = by_name.get(probe.call.function)
        if function is None or (probe.when_wrong and probe.id not in run.replies):
            continue
        reply = run.replies.get(probe.id, Reply(Ended.LOST))
        if reply.ended is Ended.RETURNED and deadline.reading_is_over:
            unread.add(function.name)
            reply = Reply(Ended.SKIPPED, detail=str(deadline))
        verdicts[function.name].append(judge_probe(probe, function, reply, key.answers.get(probe.id)))
    return verdicts, frozenset(unread)


@np.errstate(all="ignore")  # as in `judge`
def choose_further(
    names: Sequence[str], functions: Sequence[Function], key: AnswerKey, replies: Mapping[str, Reply]
) -> tuple[Call, ...]:
    """Return the calls about these asked-for names that are due now that the public ones are answered."""
    watched = {name for probe in key.probes for name in probe.when_wrong}
    public = key._replace(probes=tuple(probe for probe in key.probes if probe.judged and not probe.hidden))
    asked = [function for function in functions if function.name in watched]
    verdicts, _ = judge_probes(asked, public, Run(replies), Deadline(LONGEST))
    wrong = {
        name
        for name, told in verdicts.items()
        if any(verdict.band() is Band.WRONG for verdict in told if verdict.probe.raises is None)
    }
    return key.further_calls(names, wrong)


def judge_probe(probe: Probe, function: Function, reply: Reply, answer: Answer | None) -> ProbeVerdict:
    """Judge one reply. Without an answer (the call only serves others) nothing is compared."""
    if reply.ended is not Ended.RETURNED or probe.call.constant:  # a rule of its own reads the words
        return ProbeVerdict(probe, reply)
    reading = read_value(reply.value, function, twice=probe.call.again is not None)
    if answer is None or answer.raises is not None:
        return ProbeVerdict(probe, reply, reading)
    if reading.fault:
        return ProbeVerdict(probe, reply, reading, fault=f"`{function.name}` returned {reading.fault}")
    names = [item.name for item in function.returns] * (1 if probe.call.again is None else 2)
    items = tuple(
        judge_item(item, right, tolerance, name)
        for item, right, tolerance, name in zip(reading.items, answer.items, probe.tolerances, names, strict=True)
    )
    worded = tuple(_worded(item, function) for item in items)
    return ProbeVerdict(probe, reply, reading, worded)


def _worded(item: ItemVerdict, function: Function) -> ItemVerdict:
    if not item.form or item.form.startswith(tuple(record.name for record in function.returns)):
        return item
    return ItemVerdict(item.band, item.error, f"`{function.name}` returned {item.form}", item.received, item.right)
