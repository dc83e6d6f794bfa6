"""What befalls the processes of a batch costs nobody a mark: they are killed and stopped, as a busy machine does it.

After each run every row is that of a run that nobody disturbed, or says that there is no result; running the same
command again gives the rest.
"""

import subprocess
import sys
from dataclasses import dataclass, replace

import pytest

from batch.conftest import ROOT, SEED
from batch.disturbing import KINDS, Disturber
from batch.synthetic import make_class, make_work, write_class
from builders import automatic_points

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc")

NO_RESULT = ("grader_error", "no_result")
MOST_RUNS = 40  # ends a trial that never gets on; on a fast machine a run is over after four workers were lost
# How fast the disturbances follow one another, at the most: what they meet must have a chance to start.
PAUSES = {("child",): 0.1, ("zygote",): 1.0, ("worker",): 3.0, KINDS: 0.5}


@dataclass(frozen=True)
class Trial:
    """How often which processes of a batch are disturbed, all at once by `hands` threads."""

    kinds: tuple[str, ...]
    times: int
    stop: float = 0.0
    hands: int = 1


def grade(room, trial=None, *, more=("--timeout", "1")):
    """Run the command; return how it ended and how many processes were disturbed."""
    words = ["batch", room.tree, "--out", room.out, "--seed", SEED, "--jobs", "2", *more]
    with subprocess.Popen(
        [sys.executable, "-m", "grader", *map(str, words)], cwd=ROOT, stdin=-3, stdout=-1, stderr=-1, encoding="utf-8"
    ) as batch:
        disturbers = [
            Disturber(batch.pid, trial.kinds, -(-trial.times // trial.hands), stop=trial.stop, pause=pause, seed=hand)
            for hand in range(trial.hands if trial else 0)
            for pause in [PAUSES[trial.kinds]]
        ]
        for disturber in disturbers:
            disturber.start()
        try:
            batch.communicate(timeout=600)
        finally:
            for disturber in disturbers:
                disturber.end()
    return batch.returncode, sum(disturber.done for disturber in disturbers)


def told_alone(row):
    """Return a row without the names of equal works: somebody who has no result is not compared."""
    flags = [flag for flag in row["flags"].split("; ") if not flag.startswith("same-as")]
    return row | {"flags": "; ".join(flags)}


def disturb_and_compare(reference, trial, place, **options):
    """Disturb batches over the same class until it was done so often."""
    undisturbed, left, runs = reference.rows(), trial.times, 0
    while left > 0:
        assert runs < MOST_RUNS
        room = replace(reference, out=place / str(runs))
        code, done = grade(room, replace(trial, times=left), **options)
        left, runs = left - done, runs + 1
        assert code in (0, 3)
        rows = room.rows()
        assert rows.keys() == undisturbed.keys()
        for student, row in rows.items():
            if row["status"] in NO_RESULT:
                assert (row["automatic"], row["mistakes"]) == ("", "")
            else:
                assert told_alone(row) == told_alone(undisturbed[student])
        code, _ = grade(room, **options)
        assert code == 0
        assert room.rows() == undisturbed


@pytest.fixture(scope="module")
def small(tmp_path_factory, everybody):
    """Return a small class, graded in peace."""
    place = tmp_path_factory.mktemp("small")
    room = replace(everybody, tree=place / "tree", out=place / "undisturbed")
    cases = ("right", "no_scale", "crashes", "right", "forward_order", "devours", "right", "leaves", "untouched")
    write_class([make_work(f"{case} {number}", case) for number, case in enumerate(cases)], room.tree)
    assert grade(room)[0] == 0
    return room


@pytest.mark.parametrize(
    "trial",
    [Trial(KINDS, 6), Trial(KINDS, 3, stop=1.5, hands=3)],
    ids=["kill", "stop"],
)
def test_a_few_disturbances_cost_nobody_a_mark(small, trial, tmp_path):
    disturb_and_compare(small, trial, tmp_path)


@pytest.fixture(scope="module")
def large(tmp_path_factory, everybody):
    """Return a class of sixty, some of which hang, crash or take too much memory, graded in peace."""
    place = tmp_path_factory.mktemp("large")
    room = replace(everybody, tree=place / "tree", out=place / "undisturbed")
    write_class(make_class(60, 5), room.tree)
    assert grade(room)[0] == 0
    return room


@pytest.mark.slow
@pytest.mark.parametrize(
    "trial",
    [Trial(("child",), 60), Trial(("zygote",), 60), Trial(("worker",), 60), Trial(KINDS, 60, stop=3.0, hands=3)],
    ids=["child", "zygote", "worker", "stop"],
)
def test_sixty_disturbances_cost_nobody_a_mark(large, trial, tmp_path):
    disturb_and_compare(large, trial, tmp_path)


# a busy machine

BURN = """
import time

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def burn_once(seconds, done=[]):
    if not done:
        done.append(1)
        burn(seconds)
"""
ANSWER = "    winners: np.ndarray = np.argmax("


def slow_work(student, load, call):
    """Return right work that computes for so long when it is imported, and once when it is called."""
    work = make_work(student, "right")
    name = f"{student}/third_key.py"
    before, found, after = work.files[name].decode().partition(ANSWER)
    assert found
    text = f"{before}    burn_once({call})\n{found}{after}\n{BURN}\nburn({load})\n"
    return replace(work, files=work.files | {name: text.encode()})


def keep_points_on_a_busy_machine(everybody, place, *, number, load, call, more):
    room = replace(everybody, tree=place / "tree", out=place / "out")
    write_class([slow_work(f"s{k}", load, call) for k in range(number)], room.tree)
    loops = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(4)]
    try:
        code, _ = grade(room, more=("--jobs", "8", *more))
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    assert code == 0
    assert {student: row["automatic"] for student, row in room.rows().items()} == dict.fromkeys(
        (f"s{k}" for k in range(number)), f"{automatic_points():g}"
    )


@pytest.mark.slow
def test_right_work_keeps_its_points_on_a_busy_machine(everybody, tmp_path):
    limits = ("--timeout", "0.6", "--import-timeout", "1.5", "--total-timeout", "5")
    keep_points_on_a_busy_machine(everybody, tmp_path, number=2, load=1.0, call=0.4, more=limits)


@pytest.mark.slow
def test_fifty_right_works_keep_their_points_on_a_busy_machine(everybody, tmp_path):
    """With a call of 1.2 s and an import of 6 s, eight at once beside four busy loops."""
    keep_points_on_a_busy_machine(everybody, tmp_path, number=50, load=6.0, call=1.2, more=())
