"""Which works of a class have the code of another one, or of the model answers, by the prints of their answers.

What a few lines must look like is no evidence: one formula gives everybody the same `return weights @ V`. Measured in
nodes of the syntax tree, of which the model answers have 795, in functions of `SMALL` nodes or more: two of the
45 variants in `tests/variants` have 105 in common at most (one author wrote them), two of the 141 works in `tests/wild`
44 (most of these answer a single function), a work of either kind and the model answers none. So two works are alike

- where their equal functions of `SMALL` nodes or more amount to `MUCH`: twice the largest of these, a quarter of all
  there is to write;
- or where all that they answer is equal, and amounts to `WHOLE`: one exercise, handed in by both as it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from grader.export.gradebook import Row
from grader.submissions.records import Print

SMALL = 40
MUCH = 200
WHOLE = 150
# A form that so many different works share is a lecture's, and begins no comparison. It also bounds the pairs: without
# it, 5,000 students with one common softmax give 12 million of them.
COMMON = 30
NAMED = 3  # works that a flag names; the others are counted
MODEL_ANSWER = "model-answer"
SAME_AS = "same-as:"
# Neither whose work it is, nor whether it is the model answers: that is for the instructor.
REMARK = (
    "Much of the code in this work is the same, word for word, as code that did not come with it. "
    "A person will look at that; it took no points."
)

Work = frozenset[Print]


def find_alike(rows: Sequence[Row], model: Sequence[Print]) -> Mapping[str, tuple[str, ...]]:
    """Return the flags of each student whose work has the code of another one.

    Parameters
    ----------
    rows : sequence of Row
        The class, each with the prints of its answers.
    model : sequence of Print
        Those of the model answers; none where they are not there.

    Returns
    -------
    mapping of str to tuple of str
        Student to "model-answer", "same-as:NAME"; the names in the order of the gradebook.
    """
    students: dict[Work, list[str]] = {}
    for row in rows:
        if row.prints:
            students.setdefault(frozenset(Print(*one) for one in row.prints), []).append(row.student)
    answers = frozenset(model)
    copied = {work for work in students if are_alike(work, answers)}
    alike: defaultdict[Work, list[Work]] = defaultdict(list)
    for one, other in _find_pairs(list(students)):
        alike[one].append(other)
        alike[other].append(one)
    order = {row.student: number for number, row in enumerate(rows)}
    found: dict[str, tuple[str, ...]] = {}
    for work, owners in students.items():
        enough = are_alike(work, work)
        others = [*(owners if enough else ()), *(name for one in alike[work] for name in students[one])]
        others.sort(key=order.__getitem__)
        for student in owners:
            flags = ((MODEL_ANSWER,) if work in copied else ()) + _name_others(student, others, among_them=enough)
            if flags:
                found[student] = flags
    return found


def are_alike(one: Work, other: Work) -> bool:
    """Return whether two works have so much code in common that somebody should look at both."""
    common = one & other
    if sum(answer.size for answer in common if answer.size >= SMALL) >= MUCH:
        return True
    return one == other and sum(answer.size for answer in common) >= WHOLE


def _find_pairs(works: Sequence[Work]) -> Iterator[tuple[Work, Work]]:
    """Yield each pair of different works that are alike, once."""
    holders: defaultdict[Print, list[int]] = defaultdict(list)
    for number, work in enumerate(works):
        for answer in work:
            if answer.size >= SMALL:
                holders[answer].append(number)
    for number, work in enumerate(works):
        sharing = (holders[answer] for answer in work if len(holders.get(answer, ())) <= COMMON)
        for other in {later for held in sharing for later in held if later > number}:
            if are_alike(work, works[other]):
                yield work, works[other]


def _name_others(student: str, others: Sequence[str], *, among_them: bool) -> tuple[str, ...]:
    named = [name for name in others[: NAMED + 1] if name != student][:NAMED]
    more = len(others) - among_them - len(named)
    return tuple(f"{SAME_AS}{name}" for name in named) + ((f"{SAME_AS} {more} more",) if more else ())
