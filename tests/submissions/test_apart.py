"""Reading in a process of its own: whatever happens to it, the rest of the work is read, and the blame is right."""

import sys
import textwrap

import pytest

from grader.errors import GraderError, NothingToGradeError
from grader.submissions import FunctionState, apart, discover
from grader.submissions.apart import read_apart
from grader.submissions.pace import Here, Pace, PaceHere
from grader.submissions.steps import read_found

ANSWER = "def attention(Q, K, V):\n    return Q, K\n"
LONG = f"x = '{'a' * 20_000}'\n"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no signals there")


@pytest.fixture
def work(tmp_path):
    """Return a function that writes files and finds them."""

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return discover([tmp_path])

    return write


@pytest.fixture
def spoil(monkeypatch, tmp_path):
    """Return a function that lets the reading process do something when it comes to a piece longer than 10 KiB."""

    def patch(deed, times=None):
        counter = tmp_path / "tries.txt"
        program = textwrap.dedent(f"""
            import os, signal, sys, time
            from pathlib import Path
            from grader.submissions import pieces, reader
            counter = Path({str(counter)!r})
            tries = len(counter.read_text()) if counter.exists() else 0
            counter.write_text("x" * (tries + 1))
            usual = pieces.parse
            def parse(text):
                if len(text) > 10_000 and tries < {times if times is not None else 99}:
                    {deed}
                return usual(text)
            pieces.parse = parse
            reader.main()
        """)
        monkeypatch.setattr(apart, "COMMAND", (sys.executable, "-c", program))

    return patch


def test_work_read_apart_is_what_is_read_here(work, asked, notebook, tmp_path):
    (tmp_path / "a.ipynb").write_text(notebook(ANSWER, "x = (", "%%bash\nls", ("markdown", "def add_key(")))
    found = work(third_key="import os\ndef softmax(x): return x\n", odd_é="y = 2\n", multi_head="def head_scale(:\n")
    assert read_apart(found, asked) == read_found(found, asked, Pace())


def test_nothing_to_grade_is_said_from_there_too(work, asked):
    with pytest.raises(NothingToGradeError, match="has none of the functions"):
        read_apart(work(a="x = 1\n"), asked)


@pytest.mark.parametrize(
    ("limits", "ok"),
    [
        (Here(), True),
        (Here(files=0), False),
        (Here(size=10), False),
        (Here(piece=10), False),
        (Here(code=10), False),
        (Here(seconds=-1.0), False),
    ],
)
def test_what_is_read_here_is_limited(work, asked, limits, ok):
    from grader.submissions.pace import ElsewhereError

    found = work(third_key=ANSWER)
    try:
        read_found(found, asked, PaceHere(len(found.files), sum(file.size for file in found.files), limits))
    except ElsewhereError:
        assert not ok
    else:
        assert ok


@POSIX
@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "Python's parser crashed over it (SIGSEGV)"),
        ("os.abort()", "Python's parser crashed over it (SIGABRT)"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "reading the work took more than 15 s"),
    ],
)
def test_a_piece_that_ends_the_process_is_left_out_and_says_why(work, asked, spoil, deed, reason):
    spoil(deed)
    submission = read_apart(work(third_key=ANSWER, multi_head=LONG, tiny="x = 1\n"), asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["head_scale"].state is FunctionState.UNREADABLE
    assert submission.definitions["head_scale"].cause == f"multi_head.py was not read: {reason}"
    assert f"multi_head.py was not read: {reason}" in submission.notes
    assert {file.name for file in submission.files} == {"third_key.py", "multi_head.py", "tiny.py"}
    assert all(file.sha256 for file in submission.files)
    assert "multi_head.py" not in {unit.file for unit in submission.program.units}


@POSIX
def test_after_a_crash_the_longer_pieces_are_read_and_after_the_time_is_over_they_are_not(work, asked, spoil):
    longer = LONG + "y = 1\n" + ANSWER
    spoil("len(text) < 20_010 and os.abort()")
    found = work(a=LONG, third_key=longer)
    assert read_apart(found, asked).definitions["attention"].state is FunctionState.DEFINED
    spoil("len(text) < 20_010 and os.kill(os.getpid(), signal.SIGXCPU)")
    definition = read_apart(found, asked).definitions["attention"]
    assert definition.cause == "third_key.py was not read: reading the work took more than 15 s"


@POSIX
def test_work_of_which_every_file_crashes_the_process_ends_in_sentences(work, asked, spoil):
    spoil("os.abort()")
    found = work(third_key=ANSWER, **{f"multi_head_{k}": LONG + f"x = {k}\n" for k in range(6)})
    submission = read_apart(found, asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert sum("was not read" in note for note in submission.notes) == 6


@POSIX
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGXCPU"])
def test_what_somebody_else_does_once_is_tried_again_and_costs_nothing(work, asked, spoil, name):
    spoil(f"os.kill(os.getpid(), signal.{name})", times=1)
    submission = read_apart(work(third_key=ANSWER + LONG), asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED


@POSIX
@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "ended early (signal 9)"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "ended early (signal 15)"),
        ("sys.exit('a fault of ours')", "(exit code 1); it said: a fault of ours"),
    ],
)
def test_what_somebody_else_does_twice_is_never_the_works_fault(work, asked, spoil, deed, sentence):
    spoil(deed)
    with pytest.raises(GraderError, match="the process that reads the work") as caught:
        read_apart(work(third_key=ANSWER + LONG), asked)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@POSIX
@pytest.mark.slow
def test_a_process_that_stands_still_is_no_fault_of_the_work(work, asked, spoil, monkeypatch):
    monkeypatch.setattr(apart, "STILL", 2.0)
    monkeypatch.setattr(apart, "WALL", 4.0)  # where the system does not tell
    spoil("time.sleep(60)")
    with pytest.raises(GraderError, match="stood still for 2 s; the machine is too busy"):
        read_apart(work(third_key=ANSWER + LONG), asked)


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell")
@pytest.mark.slow
def test_a_process_that_computes_slowly_is_waited_for(work, asked, spoil, monkeypatch):
    monkeypatch.setattr(apart, "STILL", 1.0)
    monkeypatch.setattr(apart, "LEAST", 0.02)
    spoil("began = time.process_time()\n                    while time.process_time() - began < 2.5: pass")
    submission = read_apart(work(third_key=ANSWER + LONG), asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED


def test_a_process_that_cannot_be_started_is_a_sentence(work, asked, monkeypatch):
    monkeypatch.setattr(apart, "COMMAND", ("/nowhere/python",))
    with pytest.raises(GraderError, match="cannot be started"):
        read_apart(work(third_key=ANSWER), asked)


def test_what_else_is_printed_there_does_not_matter(work, asked, monkeypatch):
    program = "print('hello'); from grader.submissions import reader; reader.main(); print('bye')"
    monkeypatch.setattr(apart, "COMMAND", (sys.executable, "-c", program))
    assert read_apart(work(third_key=ANSWER), asked).definitions["attention"].state is FunctionState.DEFINED


@pytest.mark.skipif(sys.platform != "linux", reason="the system limits no memory")
def test_too_much_memory_costs_the_piece_that_needs_it(work, asked, monkeypatch):
    monkeypatch.setattr(apart, "MEMORY", 200 << 20)
    dotted = "import " + "a." * 20_000 + "b\n"  # 430 MB with Python 3.11
    submission = read_apart(work(third_key=ANSWER, multi_head=dotted + "x = [" + "1," * 600_000 + "]\n"), asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    cause = submission.definitions["head_scale"].cause
    assert cause.startswith("multi_head.py")
    assert "memory" in cause


def test_no_time_left_means_that_nothing_else_is_opened(work, asked, monkeypatch):
    monkeypatch.setattr("grader.submissions.pace.READING_SECONDS", -1.0)
    submission = read_found(work(third_key=ANSWER, a="x = 1\n"), asked, Pace())
    assert {definition.state for definition in submission.definitions.values()} == {FunctionState.UNREADABLE}
    assert all(file.sha256 for file in submission.files)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    ["import " + "a." * 65_000 + "b", "a" + "\u0323\u0301" * 32_000 + " = 1", "x = f'" + "{a}" * 90_000 + "'"],
    ids=["import", "marks", "f-string"],
)
def test_what_the_parser_chokes_on_costs_one_file(work, asked, line):
    submission = apart.read_apart(work(third_key=ANSWER, aaa=line + "\n"), asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED
