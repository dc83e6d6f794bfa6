"""The pipeline of one submission, end to end in the real sandbox: faults stay where they are, causes are named."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from builders import automatic_points
from grader import grading
from grader.calls import Limits
from grader.errors import NothingToGradeError, SandboxError, UsageError
from grader.grading import grade_paths
from grader.report import Outcome, dump_report
from grader.sandbox import open_engine
from grader.settings import Settings

TESTS = Path(__file__).parent
CHEATS = sorted(folder.name for folder in (TESTS / "cheats").iterdir() if list(folder.glob("*.py")))
LINUX = sys.platform == "linux"
SHORT = Settings(limits=Limits(call=0.5, load=3.0, submission=20.0))
THIRD = Settings(exercises=("third_key",), limits=SHORT.limits)
HEADS = Settings(exercises=("multi_head",), limits=SHORT.limits)


@pytest.fixture(scope="module")
def engine():
    with open_engine() as made:
        yield made


@pytest.fixture
def work(right_work):
    """Return a function that appends code to the model answers of an exercise, or writes another file."""

    def write(**files):
        for stem, code in files.items():
            path = right_work / f"{stem}.py"
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(before + "\n\n" + code, encoding="utf-8")
        return right_work

    return write


def checks_of(report):
    return {check.name: check for exercise in report.exercises for check in exercise.checks}


def outcomes(report, function):
    return {check.outcome for check in checks_of(report).values() if check.function == function}


def score_of(report, *functions):
    return sum(check.score for check in checks_of(report).values() if check.function in functions)


def asked_in(monkeypatch, paths, engine):
    """Return the ids of the calls that a work was asked."""
    asked = []
    real = grading.run

    def run(*args):
        given = real(*args)
        asked.extend(given.replies)
        return given

    with monkeypatch.context() as patch:
        patch.setattr(grading, "run", run)
        grade_paths(paths, Settings(), engine=engine)
    return asked


def test_work_is_compared_with_itself_only_where_something_in_it_is_wrong(work, engine, monkeypatch):
    few = asked_in(monkeypatch, [work()], engine)
    many = asked_in(monkeypatch, [work(third_key="def attention(Q, K, V):\n    return V[0] + 0 * Q, Q @ K.T")], engine)
    more = set(many) - set(few)
    assert more
    assert all("/own/" in name for name in more)
    assert set(few) <= set(many)


def test_a_fault_of_ours_on_untouched_work_is_told_and_no_zero(monkeypatch):
    def fail(*_args):
        message = "ours"
        raise RuntimeError(message)

    monkeypatch.setattr("grader.judging.results.judge_unrun", fail)
    report = grade_paths([TESTS.parent / "assignments"])
    assert (report.status, report.score) == ("grader_error", None)
    assert report.error == "The grader failed while judging this work: RuntimeError: ours"


# -- a function that harms its process loses its own points alone


def test_an_exception_is_an_error_with_the_persons_own_line(engine, work):
    folder = work(third_key="def softmax(x, axis=-1):\n    return x.nonsense\n")
    report = grade_paths([folder], engine=engine, settings=THIRD)
    check = checks_of(report)["softmax.rows"]
    line = (folder / "third_key.py").read_text(encoding="utf-8").splitlines().index("    return x.nonsense") + 1
    assert check.outcome is Outcome.ERROR
    assert check.location == f"third_key.py line {line}"
    assert f"third_key.py line {line}" in check.message
    assert "AttributeError" in check.message
    assert "return x.nonsense" in check.message
    assert "grader" not in check.message
    assert score_of(report, "dominant_key", "add_key") == 8


FAULTS = """
def softmax(x, axis=-1):
    while True:
        pass

def add_key(K, V, key, value):
    import os
    os._exit(0)

def third_key():
    import sys
    sys.exit("bye")
"""


def test_a_loop_an_exit_and_a_vanished_process_cost_their_functions_alone(engine, work):
    report = grade_paths([work(third_key=FAULTS)], engine=engine, settings=THIRD)
    assert outcomes(report, "softmax") >= {Outcome.TIMEOUT}
    assert "0.5 s" in checks_of(report)["softmax.rows"].message
    assert outcomes(report, "add_key") & {Outcome.CRASHED}
    assert checks_of(report)["third_key.values"].outcome is Outcome.ERROR
    assert "SystemExit" in checks_of(report)["third_key.values"].message
    assert checks_of(report)["dominant_key.values"].outcome is Outcome.PASSED
    assert score_of(report, "dominant_key") == 4


MORE = """
def head_scale(d_k, num_heads):
    import ctypes
    ctypes.string_at(0)

def score_variance(d_k, num_heads):
    block = np.ones(400_000_000)
    block += 1
    return d_k / num_heads

def split_heads(X, num_heads):
    import os, sys
    for _ in range(50_000):
        print("a line of noise" * 20)
        sys.stderr.write("more of it")
    print("\\x00" * 1000)
    if X.shape[1] % num_heads:
        raise ValueError("heads")
    return np.stack(np.split(X, num_heads, axis=1))

def multi_head_attention(Q, K, V, num_heads):
    answer = input("How many heads? ")
    return V
"""


def test_a_segfault_memory_floods_and_questions_cost_their_functions_alone(engine, work):
    report = grade_paths([work(multi_head=MORE)], engine=engine, settings=HEADS)
    checks = checks_of(report)
    assert checks["head_scale.values"].outcome is Outcome.CRASHED
    assert score_of(report, "split_heads") == 6
    assert checks["multi_head_attention.values"].outcome is Outcome.ERROR
    assert "EOF" in checks["multi_head_attention.values"].message
    assert checks["explanation.written"].outcome is Outcome.PENDING
    if LINUX:
        assert checks["score_variance.values"].outcome is Outcome.MEMORY
        assert "1024 MiB" in checks["score_variance.values"].message


# -- files that fail


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("def broken(:\n    pass\n", "SyntaxError|invalid syntax"),
        ("import numpy.nonsense\n", "nonsense"),
        ("1 / 0\n", "ZeroDivision"),
    ],
)
def test_a_file_that_cannot_run_is_one_cause_for_each_of_its_checks(engine, work, broken, said):
    path = work() / "multi_head.py"
    path.write_text(broken + path.read_text("utf-8"), "utf-8")
    report = grade_paths([path.parent], engine=engine, settings=SHORT)
    third, heads, chain, *_ = report.exercises
    assert third.score == third.max_score == automatic_points("third_key")
    assert chain.score == chain.max_score
    assert heads.score == 0
    messages = {check.message for check in heads.checks}
    assert len(messages) == 1
    assert re.search(said, messages.pop())
    assert {check.outcome for check in heads.checks} == {Outcome.ERROR}
    assert not any(check.counterexample for check in heads.checks)


@pytest.mark.parametrize(
    "ending", ["print(attention(1, 2, 3))\n", "assert 1 == 2\n", "input()\n", "import sys; sys.exit(1)\n"]
)
def test_a_script_is_judged_by_its_definitions_before_it_failed_and_the_line_is_noted(engine, work, ending):
    report = grade_paths([work(third_key=ending)], engine=engine, settings=SHORT)
    assert report.score == automatic_points()
    (note,) = report.submission.notes
    assert note.startswith("third_key.py could not be run: ")
    assert 'what was defined before that is judged. Such lines belong under `if __name__ == "__main__":`' in note


def test_a_file_that_hangs_is_a_timeout_of_its_functions(engine, work):
    settings = Settings(exercises=("third_key", "multi_head"), limits=Limits(call=0.5, load=0.5, submission=10))
    report = grade_paths([work(multi_head="while True:\n    pass\n")], engine=engine, settings=settings)
    assert report.exercises[0].score == automatic_points("third_key")
    assert {check.outcome for check in report.exercises[1].checks} == {Outcome.TIMEOUT}


def test_a_file_that_leaves_the_process_takes_its_functions_along(engine, work):
    report = grade_paths([work(multi_head="import os\nos._exit(3)\n")], engine=engine, settings=SHORT)
    assert report.exercises[0].score == automatic_points("third_key")
    assert {check.outcome for check in report.exercises[1].checks} == {Outcome.CRASHED}


def test_a_library_that_is_not_here_is_a_note_where_nothing_needs_it(engine, work):
    folder = work(third_key="import not_a_library.pyplot as plt\n\ndef draw():\n    plt.plot([1])\n")
    report = grade_paths([folder], engine=engine, settings=THIRD)
    assert report.score == automatic_points("third_key")
    assert any("not_a_library" in note for note in report.submission.notes)


def test_a_library_that_is_not_here_is_named_where_it_is_needed(engine, work):
    code = "import not_a_library\n\ndef softmax(x, axis=-1):\n    return not_a_library.special.softmax(x)\n"
    folder = work(third_key=code)
    check = checks_of(grade_paths([folder], engine=engine, settings=THIRD))["softmax.rows"]
    assert (check.outcome, check.score) == (Outcome.ERROR, 0)
    assert check.message == "`softmax` needs not_a_library, which is not installed here."


# -- not started, half started, needing another


def test_shipped_stubs_are_not_attempted_and_nothing_is_named(engine, root):
    report = grade_paths([root / "assignments"], engine=engine)
    assert (report.score, report.pending_score) == (0, 0)
    assert {check.outcome for check in checks_of(report).values()} == {Outcome.NOT_ATTEMPTED}
    assert not any(check.mistake or check.counterexample for check in checks_of(report).values())


def test_a_body_that_still_raises_says_which_line_to_delete(engine, work):
    folder = work(third_key="def softmax(x, axis=-1):\n    e = x\n    raise NotImplementedError\n")
    check = checks_of(grade_paths([folder], engine=engine, settings=THIRD))["softmax.rows"]
    assert check.outcome is Outcome.ERROR
    assert re.fullmatch(
        r"`softmax` still raises NotImplementedError \(third_key\.py line \d+\)\. "
        r"Delete that line once the body is written\.",
        check.message,
    )
    assert check.mistake is None


def test_a_function_that_needs_an_unwritten_one_is_skipped_and_names_it(engine, root, tmp_path):
    stub = (root / "assignments" / "third_key.py").read_text(encoding="utf-8")
    head, _, tail = stub.partition("def third_key()")
    tail = tail.replace("raise NotImplementedError", "return attention(np.eye(1), np.eye(1), np.eye(1))", 1)
    (tmp_path / "third_key.py").write_text(head + "def third_key()" + tail, encoding="utf-8")
    check = checks_of(grade_paths([tmp_path], engine=engine, settings=THIRD))["third_key.values"]
    assert (check.outcome, check.score) == (Outcome.SKIPPED, 0)
    assert check.message == "`third_key` needs `attention`, which is not written yet."
    assert check.counterexample is None


def test_an_edited_definition_beats_the_stub_in_another_file(engine, root, right_work):
    (right_work / "third_key.py").rename(right_work / "mine.py")
    (right_work / "third_key.py").write_bytes((root / "assignments" / "third_key.py").read_bytes())
    assert grade_paths([right_work], engine=engine, settings=THIRD).score == automatic_points("third_key")


def test_two_different_answers_are_an_error_that_names_both(engine, work):
    folder = work(other="def dominant_key(weights):\n    return weights.argmin(1)\n")
    with pytest.raises(UsageError, match=r"dominant_key.*(other\.py.*third_key\.py|third_key\.py.*other\.py)"):
        grade_paths([folder], engine=engine)


# -- faults of ours


class BrokenEngine:
    def __init__(self, error):
        self.error = error

    def session(self, limits):
        raise self.error

    def isolation(self):
        return {}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SandboxError("the child did not start"), "the child did not start"),
        (RuntimeError("first line\nsecond line"), "RuntimeError: first line"),
        (FileNotFoundError(2, "No such file", "/somewhere/secret/place"), "FileNotFoundError: No such file"),
        (ZeroDivisionError(), "ZeroDivisionError"),
    ],
)
def test_a_fault_of_ours_is_no_zero(right_work, error, said):
    report = grade_paths([right_work], engine=BrokenEngine(error))
    assert (report.status, report.score, report.exercises) == ("grader_error", None, ())
    assert report.max_score == automatic_points()
    assert said in report.error
    assert "\n" not in report.error
    assert "/somewhere" not in dump_report(report)


# -- work that answers nothing


@pytest.mark.parametrize("name", CHEATS)
def test_work_that_answers_nothing_earns_no_more_than_its_bound(engine, name):
    text = (TESTS / "cheats" / name / "third_key.py").read_text(encoding="utf-8")
    bound = float(re.search(r"[Aa]t most (\d+(?:\.\d+)?)", text).group(1))
    report = grade_paths([TESTS / "cheats" / name], engine=engine)
    assert report.status == "graded"
    assert report.score <= bound
    if name in {"zeros", "ones", "returned_inputs", "random_numbers", "always_refuses"}:
        assert bound <= 5
    json.loads(dump_report(report), parse_constant=pytest.fail)


# -- odd files


def test_a_path_that_is_not_there_is_one_sentence(engine, tmp_path):
    with pytest.raises(UsageError) as caught:
        grade_paths([tmp_path / "gone.py"], engine=engine)
    assert "gone.py" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "text"), [(None, ""), ("notes.txt", "def softmax(x): ..."), ("a.py", "x = 1\n")])
def test_a_folder_without_an_answer_is_one_sentence(engine, tmp_path, name, text):
    if name:
        (tmp_path / name).write_text(text)
    with pytest.raises(NothingToGradeError) as caught:
        grade_paths([tmp_path], engine=engine)
    assert "\n" not in str(caught.value)


def test_a_text_file_is_refused_by_its_name(engine, tmp_path):
    (tmp_path / "third_key.txt").write_text("def softmax(x):\n    return x\n")
    with pytest.raises(NothingToGradeError, match=r"third_key\.txt.*not Python.*give a script"):
        grade_paths([tmp_path / "third_key.txt"], engine=engine)


ODD = """
softmax = 3
class attention:
    def __init__(self, Q, K, V):
        self.shape = Q.shape
def add_key(K, V):
    return K, V
def dominant_key(weights, *, strict):
    return weights.argmax(1)
def third_key(output, weights):
    return output, weights
"""


def test_a_number_a_class_and_wrong_parameters_are_told_apart(engine, tmp_path):
    (tmp_path / "third_key.py").write_text(ODD, encoding="utf-8")
    report = grade_paths([tmp_path], engine=engine, settings=THIRD)
    assert report.score == 0
    checks = checks_of(report)
    for name in ("softmax.rows", "attention.weights", "add_key.values", "dominant_key.values", "third_key.values"):
        assert checks[name].outcome in (Outcome.ERROR, Outcome.FAILED, Outcome.MISSING)
        assert f"`{checks[name].function}`" in checks[name].message
        assert "\n" not in checks[name].message
        assert "0x" not in checks[name].message
        assert "<" not in checks[name].message
    assert "not callable" in checks["softmax.rows"].message or "number" in checks["softmax.rows"].message
    assert "argument" in checks["add_key.values"].message


RIGHT = (TESTS.parent / "solutions" / "third_key.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (("\ufeff" + RIGHT).encode(), "third_key.py"),
        (RIGHT.replace("\n", "\r\n").encode(), "third_key.py"),
        (("# -*- coding: latin-1 -*-\n# \xfcber\n" + RIGHT).encode("latin-1", "replace"), "third_key.py"),
        (RIGHT.replace("    ", "\t").encode(), "third_key.py"),
        (RIGHT.encode(), "Übung 1 – final (2).py"),
    ],
    ids=["BOM", "CRLF", "Latin-1", "tabs", "spaces and accents"],
)
def test_an_odd_but_readable_file_has_full_marks(engine, tmp_path, root, content, name):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "attention.py").write_bytes((root / "solutions" / "attention.py").read_bytes())
    report = grade_paths([tmp_path], engine=engine, settings=THIRD)
    said = [check.message for check in checks_of(report).values() if check.message]
    assert report.score == automatic_points("third_key"), said


def test_a_numpy_of_ones_own_stands_in_for_nothing(engine, work):
    report = grade_paths([work(numpy="raise RuntimeError('not the real one')\n")], engine=engine, settings=THIRD)
    assert report.score == automatic_points("third_key")


def test_a_report_holds_no_absolute_path_and_no_nan(engine, work):
    code = "def softmax(x, axis=-1):\n    import os\n    raise OSError(2, 'no such file', os.path.abspath('.'))\n"
    nan = "def grad_weights(dO, V):\n    return np.full((len(dO), len(V)), np.nan)\n"
    folder = work(third_key=code, gradient_chain=nan + "\nimport numpy as np\n")
    text = dump_report(grade_paths([folder], engine=engine))
    assert str(folder) not in text
    json.loads(text, parse_constant=pytest.fail)


def test_only_the_chosen_exercises_are_judged(engine, right_work):
    settings = Settings(exercises=("gradient_chain",))
    report = grade_paths([right_work], engine=engine, settings=settings)
    assert [exercise.slug for exercise in report.exercises] == ["gradient_chain"]
    assert report.score == report.max_score == automatic_points("gradient_chain")


def test_a_receipt_follows_bytes_and_key(engine, work):
    folder = work()
    first = grade_paths([folder], engine=engine, settings=THIRD)
    again = grade_paths([folder], engine=engine, settings=THIRD)
    other_key = grade_paths([folder], engine=engine, settings=replace(THIRD, seed=3))
    (folder / "third_key.py").write_text((folder / "third_key.py").read_text(encoding="utf-8") + "\n", encoding="utf-8")
    changed = grade_paths([folder], engine=engine, settings=THIRD)
    assert first.receipt == again.receipt
    assert len({first.receipt, other_key.receipt, changed.receipt}) == 3
