"""Forms as people really write them, rebuilt from public repositories: points and names are as each form states.

A form is a file of `tests/wild/`, or a folder there. Its docstring (a notebook's first cell) says what is different
about it, and then, a line each:

    source: owner/name, file               where it was seen; what stands here has names, structure and words of ours
    FUNCTION: right                        every point is earned; `right, CODE` where a remark is due
    FUNCTION: wrong, CODE + CODE           points are lost; these mistakes are named, and no others
    FUNCTION: wrong, unnamed: what it is   the catalogue has no name for it; codes beside it may be named as well
    FUNCTION: wrong, no code yet: what     the catalogue has no name for it and should have one
    with: STEM                             that exercise's file is taken from `variants/plain`
    misjudged: reason                      points are wrong today
    misnamed: reason                       names are missing or wrong today
    slow: reason                           it takes seconds

The two marks about today are strict: once the grader does what the form says, the test fails until the line is gone.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.course import find_course
from grader.exercises import asked_names
from grader.exercises.catalogue import CATALOGUE
from grader.grading import grade_submission
from grader.key.frozen import load_key
from grader.report import CheckResult, Outcome, Report
from grader.sandbox import open_engine
from grader.settings import Settings
from grader.submissions import read_submission
from grader.submissions.asking import read_asked
from grader.submissions.states import refuse_conflicts

WILD = Path(__file__).parent / "wild"
PLAIN = Path(__file__).parent / "variants" / "plain"
STEMS = {name: slug for slug, names in asked_names().items() for name in names}
JUDGED = {Outcome.FAILED, Outcome.ERROR, Outcome.TIMEOUT}
UNNAMED, NO_CODE = "unnamed", "no code yet"
FIELD = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
CLAIM = re.compile(r"(right|wrong)(?:, ([^:]+))?(?:: .+)?")
RECALL = 0.9


class Claim(NamedTuple):
    """What a form says about one function: the codes that are due, and whether there is a slip without one."""

    right: bool
    codes: frozenset[str]
    further: frozenset[str]  # of UNNAMED and NO_CODE


class Form(NamedTuple):
    name: str
    path: Path
    fields: dict[str, str]
    claims: dict[str, Claim]

    @property
    def right(self) -> bool:
        return all(claim.right for claim in self.claims.values())


def header_of(path: Path) -> str:
    """Return the text with a form's statements: a docstring, or the first cell of a notebook."""
    for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            return "".join(json.loads(text)["cells"][0]["source"])
        found = re.search(r'"""(.*?)"""', text, re.DOTALL)
        if found and "source:" in found[1]:
            return found[1]
    return ""


def read_claim(text: str) -> Claim:
    found = CLAIM.fullmatch(text)
    assert found, text
    items = frozenset(found[2].split(" + ")) if found[2] else frozenset()
    further = items & {UNNAMED, NO_CODE}
    return Claim(found[1] == "right", items - further, further)


def read_form(path: Path) -> Form:
    fields = dict(FIELD.findall(header_of(path)))
    claims = {name: read_claim(text) for name, text in fields.items() if name in STEMS}
    return Form(path.name.partition(".")[0], path, fields, claims)


FORMS = [read_form(path) for path in sorted(WILD.iterdir()) if path.name != "__pycache__"]
RUN = [form for form in FORMS if "misjudged" not in form.fields]


def marked(form: Form, kind: str) -> Any:
    """Return a form as a parameter; the fault that it states is expected, and has to be there."""
    marks = [pytest.mark.slow] if "slow" in form.fields else []
    if kind in form.fields:
        marks.append(pytest.mark.xfail(strict=True, reason=form.fields[kind]))
    return pytest.param(form, id=form.name, marks=marks)


@pytest.fixture(scope="module")
def graded():
    """Return a function that grades a form once. All forms share one engine, one key and one reading of the stubs."""
    course = find_course(None)
    asked, never, key = read_asked(course), course.never_answers, load_key(course.public_key)
    with open_engine() as engine:

        @cache
        def grade(path: Path, stem: str | None, slugs: tuple[str, ...]) -> Report:
            files = [path, *([PLAIN / f"{stem}.py"] if stem else [])]
            submission = read_submission(files, asked, never)
            refuse_conflicts(submission)
            return grade_submission(submission, key, engine, Settings(exercises=slugs))

        def grade_form(form: Form) -> Report:
            slugs = {STEMS[name] for name in form.claims}
            return grade(form.path, form.fields.get("with"), tuple(slug for slug in asked_names() if slug in slugs))

        yield grade_form


def checks_of(report: Report, function: str) -> list[CheckResult]:
    checks = [check for exercise in report.exercises for check in exercise.checks if check.function == function]
    return [check for check in checks if check.outcome is not Outcome.PENDING]


def names_of(report: Report, function: str) -> set[str]:
    return {mistake.code for check in checks_of(report, function) for mistake in check.named_mistakes}


def groups_of(claim: Claim) -> list[set[str]]:
    return [{code, *CATALOGUE[code].aliases} for code in sorted(claim.codes)]


def wrongly_named(claim: Claim, names: set[str]) -> set[str]:
    """Return what is named and not declared, up to aliases."""
    return names - set().union(*groups_of(claim))


def is_named(claim: Claim, names: set[str]) -> bool:
    """Whether every declared mistake is named, and a slip that ought to have a code has got one."""
    found = all(names & group for group in groups_of(claim))
    return found and (NO_CODE not in claim.further or bool(wrongly_named(claim, names)))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_states_where_it_was_seen_and_what_is_due(form):
    assert re.match(r"[\w.-]+/[\w.-]+, \S", form.fields["source"])
    assert form.claims
    for name, claim in form.claims.items():
        assert claim.right or claim.codes or claim.further
        assert not claim.right or not claim.further
        assert all(name in CATALOGUE[code].functions for code in claim.codes)


def test_there_are_at_least_sixty_forms_and_about_half_of_them_are_right():
    assert len(FORMS) >= 60
    assert 0.35 <= sum(form.right for form in FORMS) / len(FORMS) <= 0.65


@pytest.mark.parametrize("form", [marked(form, "misjudged") for form in FORMS])
def test_right_functions_keep_their_points_and_wrong_ones_lose_some(graded, form):
    report = graded(form)
    assert report.status == "graded"
    for name, claim in form.claims.items():
        checks = checks_of(report, name)
        lost = {check.name: check.message for check in checks if check.score < check.max_score}
        if claim.right:
            assert not lost
        else:
            assert lost, f"{name} keeps all its points"
            assert {check.outcome for check in checks} & JUDGED, f"{name} was not judged"


@pytest.mark.parametrize("form", [marked(form, "misnamed") for form in RUN])
def test_declared_mistakes_are_named_and_nothing_else_is(graded, form):
    report = graded(form)
    for name, claim in form.claims.items():
        names = names_of(report, name)
        assert NO_CODE in claim.further or not wrongly_named(claim, names), f"{name} is named {sorted(names)}"
        assert UNNAMED in claim.further or is_named(claim, names), f"{name} is named {sorted(names) or 'nothing'}"


def test_nine_tenths_of_the_wrong_functions_are_named(graded):
    due = {
        f"{form.name}.{name}": is_named(claim, names_of(graded(form), name))
        for form in RUN
        for name, claim in form.claims.items()
        if not claim.right and (claim.codes or NO_CODE in claim.further)
    }
    missed = sorted(name for name, named in due.items() if not named)
    assert 1 - len(missed) / len(due) >= RECALL, f"{len(missed)} of {len(due)} are not named: {', '.join(missed)}"
