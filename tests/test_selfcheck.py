"""The grader proves itself: every known mistake is caught and named, every right variant keeps its points."""

import shutil
from pathlib import Path

import pytest

from grader.course import find_course
from grader.exercises import EXERCISES
from grader.sandbox import open_engine
from grader.selfcheck import Failure, Tally, check_grader
from grader.selfcheck.shelves import shelf

ROOT = Path(__file__).parents[1]


def check(course: Path | None, *slugs: str) -> Tally:
    with open_engine() as engine:
        return check_grader(find_course(course), engine, slugs, 1, lambda _: None)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a copy of the course that a test may break; its shelves are short, to be quick."""
    for part in ("solutions", "assignments"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for kind, name in (("variants", "plain"), ("variants", "einsum"), ("cheats", "zeros")):
        shutil.copytree(ROOT / "tests" / kind / name, tmp_path / "tests" / kind / name)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_the_mistakes_of_one_exercise_are_caught_and_named_and_every_variant_keeps_its_points():
    tally = check(None, "gradient_chain")
    assert tally.failures == []
    assert (tally.accepted, tally.misnamed, tally.rejected) == (0, 0, 0)
    assert tally.named == tally.known > tally.wrong > 100
    assert tally.right >= 25


@pytest.mark.slow
def test_every_mistake_is_caught_and_named_and_every_variant_keeps_its_points():
    tally = check(None)
    print(f"smallest margin {tally.smallest_margin:.3g} times the limit, at {tally.smallest_at}")
    assert tally.failures == []
    assert (tally.accepted, tally.misnamed, tally.rejected) == (0, 0, 0)
    assert tally.named == tally.known > tally.wrong > 400
    assert tally.right >= 25
    assert tally.cheats >= 5


@pytest.mark.slow
def test_a_right_looking_mistake_in_a_variant_is_a_false_reject(course):
    edit(course / "tests/variants/einsum/multi_head.py", "np.sqrt(num_heads / d_k)", "1 / np.sqrt(d_k)")
    tally = check(course, "multi_head")
    assert tally.rejected == 1
    assert [failure.subject for failure in tally.failures] == ["variant einsum"]
    assert "head_scale.values" in tally.failures[0].problem


def test_a_mistake_that_is_none_is_a_false_accept(course):
    with (course / "solutions/mistakes/multi_head.py").open("a", encoding="utf-8") as stream:
        stream.write("\nMISTAKES['head_scale']['E2-01'] = lambda d_k, h: (h / d_k) ** 0.5\n")
    tally = check(course, "multi_head")
    assert tally.accepted == 1
    assert Failure("E2-01 in head_scale", "keeps full marks (seed 1706)") in tally.failures
    assert Failure("E2-01 in head_scale", "is not named (seed 1706)") in tally.failures
    assert any(failure.problem.startswith("lies only") for failure in tally.failures)


@pytest.mark.slow
def test_two_mistakes_that_cannot_be_told_apart_are_found(course):
    with (course / "solutions/mistakes/multi_head.py").open("a", encoding="utf-8") as stream:
        stream.write("\nMISTAKES['score_variance']['E2-38'] = MISTAKES['score_variance']['E2-01']\n")
    problems = {failure.problem for failure in check(course, "multi_head").failures}
    assert any("give the same on every probe" in problem for problem in problems)
    assert any("is not named" in problem for problem in problems)


@pytest.mark.slow
def test_a_cheat_that_earns_more_than_it_may_is_found(course):
    for path in (course / "tests/cheats/zeros").glob("*.py"):
        text = path.read_text("utf-8")
        path.write_text(text.replace("At most", "Earns at most 0 points; was: at most"), "utf-8")
    failures = check(course, "third_key").failures
    assert [failure.subject for failure in failures] == ["cheat zeros"]
    assert "more than 0.0" in failures[0].problem


def test_what_a_variant_lacks_is_right_and_what_a_cheat_lacks_is_not_begun(course):
    for kind, name in (("variants", "plain"), ("variants", "einsum"), ("cheats", "zeros")):
        (course / "tests" / kind / name / "multi_head.py").unlink()
    found = find_course(course)
    variants, cheats = (dict(shelf(found, course / "solutions", kind)) for kind in ("variants", "cheats"))
    for paths in (*variants.values(), *cheats.values()):
        assert {path.stem for path in paths} >= set(EXERCISES)
        assert len({path.name for path in paths}) == len(paths)
    assert course / "solutions" / "multi_head.py" in variants["plain"]
    assert course / "solutions" / "multi_head.py" in variants["einsum"]
    assert course / "assignments" / "multi_head.py" in cheats["zeros"]
    assert course / "tests" / "cheats" / "zeros" / "third_key.py" in cheats["zeros"]
