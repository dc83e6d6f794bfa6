import itertools
import re

import click
import numpy as np
import pytest

from builders import (
    NO_SCALE,
    POINTS,
    automatic_points,
    build_check,
    build_counterexample,
    build_exercise,
    build_perfect,
    build_report,
    build_untouched,
    written_points,
)
from grader.exercises import EXERCISES
from grader.feedback import View
from grader.feedback.plain import measure
from grader.feedback.text import render_text
from grader.report import Award, Outcome, SubmissionInfo

LADDER = ("what was seen", "Which axis runs over the keys?", "Each query gives out one unit of weight.")


def render(report, *, hints=1, color=False, width=80, unicode=True):
    return render_text(report, View(hints, color, width, unicode))


def wrong_attention(**fields):
    settled = {
        "message": "The columns of your weights sum to 1, the rows do not (row 0 sums to 1.83).",
        "location": "third_key.py:14",
        "hints": LADDER,
        "mistake": NO_SCALE,
        "counterexample": build_counterexample(),
    }
    return build_check("attention", Outcome.FAILED, 12.0, **(settled | fields))


def one_wrong(**fields):
    rest = [build_check(name, points=points) for name, points in POINTS["third_key"].items() if name != "attention"]
    return build_report(build_exercise("third_key", wrong_attention(**fields), *rest))


def test_an_untouched_folder_takes_at_most_twelve_lines_and_says_where_to_start():
    notes = tuple(
        f"scratch{number}.txt was skipped: it is not Python, and there is much to say about it" for number in range(9)
    )
    report = build_untouched()
    report = report.model_copy(update={"submission": report.submission.model_copy(update={"notes": notes})})
    text = render(report)
    assert len(text.splitlines()) <= 12
    assert f"0 of {automatic_points():g} points" in text
    assert text.count("not started") == len(EXERCISES)
    assert "Start with softmax in third_key.py" in text


def test_an_untouched_notebook_is_the_place_to_start():
    report = build_untouched()
    files = (report.submission.files[0].model_copy(update={"name": "attention.ipynb"}),)
    report = report.model_copy(update={"submission": report.submission.model_copy(update={"files": files})})
    assert "Start with softmax in attention.ipynb:" in render(report)


def test_one_wrong_function_is_told_with_place_points_observation_mistake_hint_and_example():
    text = render(one_wrong())
    finding = text[text.index("To mend") :]
    for part in (
        "failed: attention (third_key.py:14), 0 of 12 points",
        "row 0 sums to 1.83",
        "E1-01",
        "Try: Which axis runs over the keys?",
        "softmax(x)",
        "yours = np.array([[0.11920292",
        "right = np.array([[0.26894142",
    ):
        assert part in finding


def test_right_functions_take_one_line():
    lines = render(one_wrong()).splitlines()
    assert [line for line in lines if "passed:" in line] == ["  ✓ passed: softmax, add_key, third_key, dominant_key"]


def test_the_worst_function_comes_first_and_skipped_ones_come_after_their_cause():
    report = build_report(
        build_exercise(
            "gradient_chain",
            build_check("attention_grad_q", Outcome.SKIPPED, 8.0, message="needs `grad_scores`, which raises"),
            build_check("grad_weights", Outcome.FAILED, 3.0, message="off by a factor of 2"),
            build_check("grad_scores", Outcome.ERROR, 6.0, message="ZeroDivisionError"),
        )
    )
    text = render(report)
    assert text.index(": grad_scores") < text.index(": grad_weights") < text.index(": attention_grad_q")


def test_missing_functions_come_after_wrong_ones():
    report = build_report(
        build_exercise("third_key", build_check("add_key", Outcome.FAILED, 1.0, message="wrong row")),
        build_exercise("gradient_chain", build_check("CHAIN", Outcome.MISSING, 8.0, message="`CHAIN` is not defined")),
    )
    text = render(report)
    assert text.index(": add_key") < text.index(": CHAIN")


def test_a_cause_that_many_functions_share_is_said_once_with_their_names():
    cause = "third_key.py line 3: SyntaxError: expected ':'"
    checks = [build_check(name, Outcome.ERROR, points, message=cause) for name, points in POINTS["third_key"].items()]
    text = render(build_report(build_exercise("third_key", *checks)))
    assert text.count("SyntaxError") == 1
    assert "softmax, attention, add_key, third_key, dominant_key" in text
    assert f"{automatic_points('third_key'):g} points missing" in " ".join(text.split())


def test_names_that_are_missing_for_the_same_reason_are_one_finding():
    checks = [
        build_check(name, Outcome.MISSING, message=f"`{name}` is not defined in any file.", title=title)
        for name in ("add_key", "third_key")
        for title in ("values", "form")
    ]
    text = render(build_report(build_exercise("third_key", *checks)))
    assert "missing: add_key, third_key, 16 points missing" in text
    assert text.count("None of them is defined in any file.") == 1
    assert "Also failing" not in text


def test_equal_sentences_about_wrong_numbers_stay_two_findings():
    checks = [build_check(name, Outcome.FAILED, message="off by a factor of 2") for name in ("dominant_key", "add_key")]
    assert render(build_report(build_exercise("third_key", *checks))).count("failed: ") == 2


def test_further_checks_of_a_function_say_only_what_is_new():
    checks = [
        wrong_attention(),
        build_check("attention", Outcome.FAILED, 2.0, title="very large scores", message="You return nan."),
        build_check("attention", Outcome.SKIPPED, 1.0, title="Q, K and V stay", message="no value to look at"),
    ]
    text = render(build_report(build_exercise("third_key", *checks)))
    assert "very large scores: You return nan." in text
    assert "Not judged: Q, K and V stay." in text
    assert text.count("failed: ") == 1


def test_full_marks_name_the_files_to_hand_in_what_waits_and_the_receipt():
    text, full = render(build_perfect()), f"{automatic_points():g}"
    assert text.startswith(f"Full marks: {full} of {full} points; {written_points():g} more wait for a person.\n")
    assert f"Hand in: {', '.join(f'{slug}.py' for slug in EXERCISES)}." in text
    assert "waits for a person: EXPLANATION" in text
    assert "Receipt: 1f2e3d4c" in text
    assert "To mend" not in text


def test_points_given_by_a_person_are_shown():
    exercise = build_exercise(
        "multi_head", build_check("split_heads"), awarded=Award(points=4, comment="", reviewer="R", at="2026")
    )
    assert "4 points for the written answer" in render(build_report(exercise))


@pytest.mark.parametrize(("hints", "tries", "ideas"), [(0, 0, 0), (1, 1, 0), (2, 1, 1)])
def test_hints_are_a_ladder(hints, tries, ideas):
    text = render(one_wrong(), hints=hints)
    assert text.count("Try: Which axis") == tries
    assert text.count("Idea: Each query") == ideas
    assert text.count("More help: add --hints") == (hints < 2)


def test_only_the_worst_finding_carries_an_example():
    report = build_report(
        build_exercise(
            "third_key",
            wrong_attention(),
            build_check("softmax", Outcome.FAILED, 6.0, message="wrong axis", counterexample=build_counterexample()),
        )
    )
    assert render(report).count("yours = ") == 1


def test_a_secret_answer_is_not_shown():
    shown = render(one_wrong(counterexample=build_counterexample(secret=True, expected="np.array([0.726])")))
    assert "0.726" not in shown
    assert "yours = " in shown


def run_example(text):
    start = text.index("import numpy")
    block = itertools.takewhile(lambda line: line.startswith("      "), text[start - 6 :].splitlines())
    space = {}
    exec("\n".join(line.removeprefix("      ") for line in block), space)
    return space


def test_the_example_runs_alone_after_wrapping():
    numbers = np.round(np.arange(40.0).reshape(4, 10) / 7, 3)
    written = f"np.array({numbers.tolist()})"
    inputs = f"import numpy as np\nx = {written}\nname = 'a long name, with words'\n"
    example = build_counterexample(inputs=inputs, call="f(x)", student=f"({written}, None)", expected=written)
    space = run_example(render(one_wrong(counterexample=example), width=60))
    np.testing.assert_array_equal(space["x"], numbers)
    np.testing.assert_array_equal(space["yours"][0], numbers)
    np.testing.assert_array_equal(space["right"], numbers)


@pytest.mark.parametrize("student", ["raises ValueError: no", "generator: not an array", "timeout", "Bad\nname: x"])
def test_an_answer_that_is_no_value_is_a_comment_in_the_example(student):
    shown = render(one_wrong(counterexample=build_counterexample(inputs="import numpy as np", student=student)))
    assert f"# yours: {student.split(chr(10))[0][:6]}" in shown
    assert "yours" not in run_example(shown)


def test_a_fault_of_the_grader_is_no_zero():
    text = render(build_perfect().model_copy(update={"status": "grader_error", "score": None, "error": "no process"}))
    assert "not your fault" in text
    assert "no points were taken" in text
    assert "no process" in text
    assert " 0 of" not in text


def test_notes_of_files_and_of_right_answers_are_listed_once():
    report = build_report(
        build_exercise("third_key", build_check("softmax", message="float32: right to 1e-7, full marks")),
        submission=SubmissionInfo(path="x", notes=("notes.txt was skipped", "notes.txt was skipped")),
    )
    text = render(report)
    assert text.count("notes.txt was skipped") == 1
    assert "softmax: float32" in text


def test_student_text_cannot_drive_the_terminal():
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    report = one_wrong(
        message=evil, location=f"{evil}.py:1", counterexample=build_counterexample(student=evil, inputs=evil)
    )
    report = report.model_copy(update={"submission": SubmissionInfo(path=evil, notes=(evil,))})
    for color in (False, True):
        shown = click.unstyle(render(report, color=color))
        assert all(line.isprintable() for line in shown.splitlines())


@pytest.mark.parametrize(
    "report", [build_untouched(), build_perfect(), one_wrong()], ids=["untouched", "perfect", "wrong"]
)
@pytest.mark.parametrize("width", [60, 72, 80])
def test_no_line_is_wider_than_the_page(report, width):
    for line in render(report, width=width, hints=2).splitlines():
        assert measure(line) <= width


def test_colour_changes_nothing_but_colour():
    assert click.unstyle(render(one_wrong(), color=True)) == render(one_wrong())
    assert "\x1b[" in render(one_wrong(), color=True)


def test_ascii_symbols_have_the_same_words():
    plain = render(one_wrong(), unicode=False)
    assert plain.isascii()
    assert re.sub("[^a-z]", "", render(one_wrong()).replace("✗", "x").replace("✓", "ok")) == re.sub("[^a-z]", "", plain)
