"""What a disk, a machine or a signal does to a batch: it ends with a gradebook, or with one true sentence."""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from batch.conftest import QUICK, ROOT, SEED
from builders import automatic_points, read_gradebook
from grader.batch import ledger as ledger_module
from grader.batch import run as run_module
from grader.batch import work
from grader.batch.summary import summarise
from grader.errors import GraderError
from grader.files import replace_file
from grader.inert import is_inert, read_back

ONE = replace(QUICK, exercises=("third_key",))
FULL = f"{automatic_points('third_key'):g}"


@pytest.fixture(autouse=True)
def pauses_are_short(monkeypatch):
    monkeypatch.setattr("grader.batch.pool.PAUSES", (0.01, 0.01))
    monkeypatch.setattr(work, "PAUSES", (0.01, 0.01))


@pytest.fixture
def room(classroom):
    for student in ("doe", "poe", "roe", "zoe"):
        classroom.hand_in(student, "right")
    return classroom


def fill_disk(monkeypatch, pattern, times=10**9):
    """Have files whose names match find no room on the disk, so many times."""
    left = [times]

    def write(path, content, **more):
        if re.search(pattern, path.name) and left[0]:
            left[0] -= 1
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        replace_file(path, content, **more)

    monkeypatch.setattr(ledger_module, "replace_file", write)


def statuses(room):
    return {student: row["status"] for student, row in room.rows().items()}


def test_a_batch_without_any_worker_ends_with_a_gradebook(room, monkeypatch):
    def refuse(*_, **__):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(GraderError, match=r"no further process can be started.*gradebook.csv says who has a result"):
        room.grade(ONE)
    assert set(statuses(room).values()) == {"no_result"}
    monkeypatch.undo()
    assert room.grade(ONE).fresh == 4


def test_a_disk_that_is_full_for_a_moment_costs_nothing(room, monkeypatch):
    fill_disk(monkeypatch, r"^poe", times=2)
    assert room.grade(ONE).fresh == 4
    assert set(statuses(room).values()) == {"graded"}


def test_a_report_that_finds_no_room_costs_that_report(room, monkeypatch):
    fill_disk(monkeypatch, r"^poe")
    result = room.grade(ONE)
    assert statuses(room) == {"doe": "graded", "poe": "no_result", "roe": "graded", "zoe": "graded"}
    assert room.rows()["poe"]["flags"] == "the report could not be written: No space left on device"
    assert "no result   1: poe; run the same command again" in summarise(result)
    monkeypatch.undo()
    assert room.grade(ONE).fresh == 1


def test_a_disk_that_stays_full_ends_the_run_with_a_gradebook_of_what_is_known(room, monkeypatch):
    room.grade(ONE)
    for student in ("poe", "roe", "zoe"):
        room.hand_in(student, "no_scale")
    fill_disk(monkeypatch, r"\.json$|\.txt$")
    sentence = r"No space left on device\. Reports made so far are kept, gradebook.csv says who has one; make room"
    with pytest.raises(GraderError, match=sentence):
        room.grade(ONE)
    assert room.rows()["doe"]["total"] == FULL
    assert [statuses(room)[student] for student in ("poe", "roe", "zoe")] == ["no_result"] * 3
    assert "could not be written: No space left on device" in room.rows()["zoe"]["flags"]


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (r"^gradebook", r"gradebook.csv could not be written.*no gradebook was written; make room"),
        (r"^skipped", r"skipped.csv could not be written.*gradebook.csv says who has one; make room"),
        (r".", r"could not be written.*no gradebook was written|Nor could the gradebook be written"),
    ],
)
def test_where_nothing_can_be_written_one_sentence_says_so(room, monkeypatch, pattern, sentence):
    fill_disk(monkeypatch, pattern)
    with pytest.raises(GraderError, match=sentence):
        room.grade(ONE)
    assert (room.out / "gradebook.csv").exists() == (pattern == r"^skipped")


@pytest.mark.skipif(sys.platform != "linux", reason="a small disk is made by Linux")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a disk")
def test_a_full_disk_still_has_the_room_that_was_held_for_the_gradebook(room, monkeypatch):
    room.out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", room.out], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:

        def fill():
            with (room.out / "others").open("ab", buffering=0) as stream:
                while stream.write(bytes(4096)):
                    pass

        def step():
            with pytest.raises(OSError, match="No space left"):
                fill()

        room.listener.on_step = step
        with pytest.raises(GraderError, match="says who has one"):
            room.grade(ONE)
        assert "graded" in statuses(room).values()
        assert "no_result" in statuses(room).values()
    finally:
        subprocess.run(["umount", room.out], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="a small disk is made by Linux")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a disk")
def test_a_disk_that_takes_no_further_file_still_takes_the_gradebook(room):
    room.out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "nr_inodes=12", "none", room.out], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        room.grade(ONE)
        assert {"graded", "no_result"} == set(statuses(room).values())
    finally:
        subprocess.run(["umount", room.out], check=True)


def test_a_folder_that_vanishes_is_one_true_sentence(room):
    room.listener.on_step = lambda: shutil.rmtree(room.out, ignore_errors=True)
    with pytest.raises(GraderError, match=r"results is gone, and the reports in it; no gradebook could be written"):
        room.grade(ONE)


def test_a_fault_of_ours_in_the_middle_leaves_a_gradebook(room):
    def fail():
        raise ZeroDivisionError

    room.listener.on_step = fail
    with pytest.raises(ZeroDivisionError):
        room.grade(ONE)
    assert "graded" in statuses(room).values()
    assert len(statuses(room)) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_gradebook_is_made_waits_until_it_is_there(room, monkeypatch, number):
    real = run_module.find_row

    def find_row(*arguments):
        os.kill(os.getpid(), number)
        return real(*arguments)

    monkeypatch.setattr(run_module, "find_row", find_row)
    result = room.grade(ONE)
    assert result.stopped_by is None
    assert set(statuses(room).values()) == {"graded"}


def test_a_report_that_was_edited_by_hand_is_told_and_the_work_graded_again(room):
    room.grade(ONE)
    (path,) = (room.out / "reports").glob("poe--*.json")
    before = path.read_text()
    path.write_text(re.sub(r'"score": [0-9.]+,\n "max_score"', '"score": 1000,\n "max_score"', before))
    assert path.read_text() != before
    room.listener.notes.clear()
    assert room.grade(ONE).fresh == 1
    (note,) = room.listener.notes
    assert note == (
        f"1 report was changed by hand and is not taken (poe: the report has 1000 points, its exercises {FULL}); "
        "the work is graded again."
    )
    assert room.rows()["poe"]["total"] == FULL


def test_the_end_of_a_run_reads_no_report_that_it_knows_and_every_one_that_was_replaced(room, monkeypatch):
    read, real = [], ledger_module.load_report

    def load(path):
        read.append(path.name.partition("--")[0])
        return real(path)

    def replace_one():
        (path,) = (room.out / "reports").glob("doe--*.json")
        text = path.read_text()
        path.unlink()
        path.write_text(text)

    room.grade(ONE)
    room.hand_in("zoe", "no_scale")
    monkeypatch.setattr(ledger_module, "load_report", load)
    room.listener.on_step = replace_one
    room.grade(ONE)
    once = ["doe", "poe", "roe"]  # to find out that they are not due
    late = ["doe"]  # it was replaced
    assert [name for name in read if name != "zoe"] == [*once, *late]


NAMES = ("\x1b[31mred", "\u202egnp", "\u200bzw", "a\nb", "back\\slash", "\u2066iso", "tag\U000e0041", "=1+\x9b1")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_nothing_that_is_written_acts_or_hides_and_names_come_back_whole(classroom):
    source = "def dominant_key(w):\n    raise ValueError('\\x1b]0;\\u202e' + chr(0x200b))\n"
    for name in NAMES:
        (classroom.tree / name).mkdir()
        (classroom.tree / name / f"{name}.py").write_text(source)
        (classroom.tree / name / f"{name}.txt").write_text("nothing")
    (classroom.tree / "\x1b[2J.txt").write_text("nobody's")
    result = classroom.grade(ONE)
    files = [path for path in classroom.out.rglob("*") if path.is_file()]
    texts = {path.name: path.read_bytes().decode().replace("\r\n", "\n") for path in files}
    texts["summary"], texts["notes"] = summarise(result), "\n".join(classroom.listener.notes)
    acting = {
        (name, hex(ord(one))) for name, text in texts.items() for one in text if one != "\n" and not is_inert(one)
    }
    assert acting == set()
    assert {read_back(student) for student in classroom.rows()} == set(NAMES)
    skipped = read_gradebook((classroom.out / "skipped.csv").read_bytes().decode())
    assert {read_back(row["file"]) for row in skipped} == {"\x1b[2J.txt", *(f"{name}.txt" for name in NAMES)}


def limited(limit, words, **more):
    line = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", sys.executable, "-m", "grader", *map(str, words)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False, **more)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        # Each worker is tried again for a while.
        pytest.param("-n 9", "may open no more files (`ulimit -n` is 9)", marks=pytest.mark.slow),
        ("-v 60000", "not enough memory for this process (`ulimit -v` is 60000)"),
        ("-v 150000", "not enough memory for this process (`ulimit -v` is 150000)"),
    ],
)
def test_a_limit_of_the_shell_is_one_true_sentence(room, limit, sentence):
    words = ["batch", room.tree, "--out", room.out, "--isolation", "weak", "--seed", SEED]
    done = limited(limit, words)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "unexpected" not in done.stderr
    if limit == "-n 9":
        assert set(statuses(room).values()) == {"no_result"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("setpriv"), reason="limits of Linux")
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may become a user without others"
)
@pytest.mark.parametrize("number", [1, 2, 4, 12])
def test_a_limit_of_processes_is_one_sentence_or_a_worker_fewer(room, number):
    for folder in (room.tree.parent, *room.tree.rglob("*")):
        folder.chmod(0o777)
    rights = "+dac_override,+dac_read_search"
    user = [
        "setpriv",
        "--reuid",
        f"{34_560 + number}",
        "--clear-groups",
        "--inh-caps",
        rights,
        "--ambient-caps",
        rights,
    ]
    words = ["batch", room.tree, "--out", room.out, "--isolation", "weak", "--seed", SEED, "--jobs", "2"]
    inner = ["sh", "-c", f'ulimit -u {number}; exec "$@"', "sh", sys.executable, "-m", "grader", *map(str, words)]
    done = subprocess.run(
        [*user, *inner],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"TMPDIR": str(room.tree.parent)},
    )
    assert "unexpected" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert len(room.rows()) == 4
    if done.returncode:
        assert done.returncode == 3, done.stderr
        assert f"(`ulimit -u` is {number})" in done.stderr
        assert set(statuses(room).values()) == {"no_result"}
    else:
        assert set(statuses(room).values()) == {"graded"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory as Linux tells it")
def test_a_class_four_times_as_large_takes_four_times_as_long_and_hardly_more_memory(tmp_path):
    """Nobody handed in an asked-for function: what is left is reading, storing and the gradebook."""
    figures = {}
    for size in (500, 2_000):
        tree = tmp_path / f"tree{size}"
        tree.mkdir()
        for number in range(size):
            (tree / f"s{number}.py").write_text(f"x = {number}\n")
        out = tmp_path / f"out{size}"
        code = (
            "import resource, sys; from grader.cli import run; code = run(sys.argv[1:]); "
            "used = resource.getrusage(resource.RUSAGE_SELF); "
            "print('USED', used.ru_utime + used.ru_stime, used.ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "batch", tree, "--out", out, "--isolation", "weak", "--seed", str(SEED)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        figures[size] = tuple(map(float, done.stdout.rpartition("USED")[2].split()))
    (few_seconds, few_memory), (many_seconds, many_memory) = figures[500], figures[2_000]
    assert many_seconds < 4 * 1.5 * few_seconds
    assert many_memory - few_memory < 1_500 * 12  # KiB
