"""The grader proves itself: every known mistake is caught and named, every right variant keeps its points."""

import shutil
from collections.abc import Collection
from pathlib import Path

import pytest

from grader.calls import Limits
from grader.course import find_course
from grader.exercises import EXERCISES
from grader.exercises.region import NotAsked, Region, Regions
from grader.key.building import build_key
from grader.sandbox import open_engine
from grader.selfcheck import Failure, Tally, check_grader, mutants, mutation, regions
from grader.selfcheck.shelves import shelf
from grader.selfcheck.tally import Premises
from grader.settings import Settings

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
    assert tally.regions > 250


def look(*asked: Region, not_asked: tuple[NotAsked, ...] = (), **parameters: tuple[str, ...]) -> Tally:
    """Return what is counted where exercise 2 has these regions and no others."""
    with pytest.MonkeyPatch.context() as patch, open_engine() as engine:
        patch.setattr(regions, "regions_of", lambda _: Regions(parameters, asked, not_asked))
        course, tally = find_course(None), Tally()
        settings = Settings(exercises=("multi_head",), limits=Limits(submission=300.0))
        premises = Premises(course, engine, settings, course.require_solutions("this"))
        regions.try_regions(premises, build_key(course, 1706, mistakes=False), tally)
        return tally


def test_a_region_where_a_wrong_answer_costs_nothing_is_found():
    split = {"split_heads": ("X n d", "num_heads")}
    seen = Region("n = 5", ("split_heads",), lambda a: a.n == 5)
    unseen = Region("n = 12345", ("split_heads",), lambda a: a.n == 12345)
    tally = look(seen, unseen, **split)
    assert (tally.regions, tally.unseen) == (2, 1)
    assert Failure("split_heads, n = 12345", "heads may be wrong there (seed 1706)") in tally.failures
    assert not any(failure.subject.startswith("split_heads, n = 5") for failure in tally.failures)


def test_a_function_without_regions_is_found():
    failures = look(split_heads=("X n d", "num_heads")).failures
    assert {failure.subject for failure in failures} == {"head_scale", "score_variance", "multi_head_attention"}
    assert "regions.py" in failures[0].problem


def test_calls_that_must_be_refused_are_regions_of_their_own():
    split = {"split_heads": ("X n d", "num_heads")}
    refused = Region("4 heads of 6 columns", ("split_heads",), lambda a: (a.d, a.num_heads) == (6, 4), refused=True)
    assert look(refused, **split).unseen == 0
    assert look(refused._replace(refused=False), **split).unseen == 1


def test_a_region_may_hold_for_one_of_two_calls_only():
    names = {"head_scale": ("d_k", "num_heads")}
    second = Region("the second of two calls", ("head_scale",), lambda a: (a.d_k, a.num_heads) == (1, 1))
    assert look(second, **names).unseen == 0


def test_a_question_beyond_what_is_promised_is_found():
    split = {"split_heads": ("X n d", "num_heads")}
    beyond = NotAsked("two heads", ("split_heads",), lambda a: a.num_heads == 2, "It is only a test.")
    failures = [failure for failure in look(not_asked=(beyond,), **split).failures if "two heads" in failure.problem]
    assert {failure.subject for failure in failures} == {"split_heads/counted", "split_heads/square"}


def try_edits(*wanted: str, listed: dict[str, str]) -> Tally:
    """Return what is counted where only these edits of the reference are made."""

    def some(text: str, constants: Collection[str]) -> list[mutation.Mutant]:
        return [mutant for mutant in mutation.make_mutants(text, constants) if mutant.edit in wanted]

    with pytest.MonkeyPatch.context() as patch, open_engine() as engine:
        patch.setattr(mutants, "make_mutants", some)
        patch.setattr(mutants, "read_equivalents", lambda: listed)
        course, tally = find_course(None), Tally()
        premises = Premises(course, engine, Settings(limits=Limits(submission=300.0)), course.require_solutions("this"))
        mutants.try_mutants(premises, build_key(course, 1706, mistakes=False), tally, lambda _: None)
        return tally


def test_an_edit_that_keeps_full_marks_needs_its_reason_and_a_reason_an_edit():
    alike = "grad_queries: K = as_float(K) -> K = K"
    wrong = "score_variance: return d_k / num_heads -> return d_k * num_heads"
    tally = try_edits(alike, wrong, listed={})
    assert (tally.mutants, tally.equivalent) == (2, 0)
    assert [failure.subject for failure in tally.failures] == [alike]
    tally = try_edits(alike, wrong, listed={alike: "It changes nothing."})
    assert (tally.equivalent, tally.failures) == (1, [])
    tally = try_edits(wrong, listed={wrong: "It changes nothing."})
    assert [failure.subject for failure in tally.failures] == [wrong]


@pytest.mark.slow
def test_every_edit_of_the_reference_loses_points_or_is_known_to_be_as_right():
    with open_engine() as engine:
        course, tally = find_course(None), Tally()
        premises = Premises(course, engine, Settings(limits=Limits(submission=300.0)), course.require_solutions("this"))
        mutants.try_mutants(premises, build_key(course, 1706, mistakes=False), tally, lambda _: None)
    assert tally.failures == []
    assert tally.mutants > 500
    assert tally.equivalent < tally.mutants / 8


@pytest.mark.slow
def test_every_mistake_is_caught_and_named_and_every_variant_keeps_its_points():
    tally = check(None)
    print(f"smallest margin {tally.smallest_margin:.3g} times the limit, at {tally.smallest_at}")
    assert tally.failures == []
    assert (tally.accepted, tally.misnamed, tally.rejected) == (0, 0, 0)
    assert tally.named == tally.known > tally.wrong > 400
    assert tally.right >= 25
    assert tally.cheats >= 5
    assert tally.regions > 800


@pytest.mark.slow
def test_a_right_looking_mistake_in_a_variant_is_a_false_reject(course):
    edit(course / "tests/variants/einsum/multi_head.py", "np.sqrt(num_heads / d_k)", "1 / np.sqrt(d_k)")
    tally = check(course, "multi_head")
    assert tally.rejected == 1
    assert [failure.subject for failure in tally.failures] == ["variant einsum"]
    assert "head_scale.values" in tally.failures[0].problem


@pytest.mark.slow
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


def test_a_variant_is_completed_with_right_answers_and_a_cheat_with_stubs(course):
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
