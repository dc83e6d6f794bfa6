"""Small classes, graded in this process or by the command, and what a test reads of a batch folder."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batch.synthetic import make_work, write_class
from builders import read_gradebook
from grader.batch import terms as terms_module
from grader.batch import work as work_module
from grader.batch.run import Result, grade_batch
from grader.batch.terms import Batch
from grader.calls import Limits
from grader.course import find_course
from grader.key.answer_key import AnswerKey
from grader.key.frozen import freeze, load_key
from grader.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SEED = 77
QUICK = Settings(limits=Limits(call=0.5, load=5.0, submission=10.0), isolation="weak", seed=SEED)


@dataclass
class Listener:
    """A watcher that remembers what it was told."""

    notes: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    on_step: Callable[[], None] = lambda: None

    def begin(self, total: int, ready: int) -> None:
        self.total, self.ready = total, ready

    def step(self, student: str, seconds: float, *, failed: bool) -> None:
        self.steps.append(student)
        self.on_step()

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def end(self) -> None:
        self.ended = True


@dataclass
class Classroom:
    """A tree of submissions and a folder for the results."""

    tree: Path
    out: Path
    listener: Listener = field(default_factory=Listener)

    def hand_in(self, student: str, case: str, form: str = "folder") -> None:
        write_class([make_work(student, case, form)], self.tree)

    def learn_by_heart(self, student: str) -> None:
        """Hand in work that is right on the public inputs, which it knows, and on no others."""
        self.hand_in(student, "right")
        probes = [p for p in load_key(find_course().public_key).probes if p.call.function == "attention"]
        known = sorted({float(np.asarray(probe.call.args[0]).flat[0]) for probe in probes})
        path, line = self.tree / student / "attention.py", "    weights = softmax(scores)\n"
        before, found, after = path.read_text().partition(line)
        assert found
        path.write_text(f"{before}    if float(Q.flat[0]) not in {known}:\n        scores = 0 * scores\n{line}{after}")

    def grade(self, settings: Settings = QUICK, **chosen: Any) -> Result:
        batch = Batch(self.tree, self.out, **({"jobs": 1} | chosen))  # a further worker costs a second
        return grade_batch(batch, settings, self.listener)

    def rows(self) -> dict[str, dict[str, str]]:
        rows = read_gradebook((self.out / "gradebook.csv").read_bytes().decode())
        return {row["student"]: row for row in rows}

    def reports(self) -> dict[str, dict[str, Any]]:
        """Return the reports by student; a file that does not parse, or a second one, fails the test."""
        found: dict[str, dict[str, Any]] = {}
        for path in sorted((self.out / "reports").iterdir()):
            report = json.loads(path.read_bytes())
            student = report["submission"]["student"]
            assert student not in found
            found[student] = report
        return found


def timeless(value: Any) -> Any:
    """Return a report without what differs between two runs: the date, and how long calls took."""
    if isinstance(value, dict):
        return {name: timeless(part) for name, part in value.items() if name not in ("created_at", "seconds")}
    return [timeless(part) for part in value] if isinstance(value, list) else value


@pytest.fixture(scope="session", autouse=True)
def keys_are_built_once() -> Iterator[None]:
    """Build and freeze each key once for all classes of this process; the command's own processes build theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms_module, "build_key", cache(terms_module.build_key))
        frozen: dict[str, bytes] = {}
        patch.setattr(work_module, "freeze", lambda key: frozen.setdefault(key.digest, b"") or keep(frozen, key))
        yield


def keep(frozen: dict[str, bytes], key: AnswerKey) -> bytes:
    frozen[key.digest] = freeze(key)
    return frozen[key.digest]


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    tree = tmp_path / "submissions"
    tree.mkdir()
    return Classroom(tree, tmp_path / "results")


@pytest.fixture(scope="session")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """Return a graded class with one of each kind; nobody changes it."""
    place = tmp_path_factory.mktemp("everybody")
    room = Classroom(place / "submissions", place / "results")
    cases = (
        "right",
        "no_scale",
        "no_outer",
        "hangs",
        "crashes",
        "leaves",
        "does_not_parse",
        "untouched",
        "nothing",
        "broken",
    )
    for case in cases:
        room.hand_in(case, case)
    room.hand_in('=cmd("x"), Zoë 🎓', "right", "notebook")
    room.learn_by_heart("heart")
    room.result = room.grade()  # type: ignore[attr-defined]
    return room


@pytest.fixture
def start_batch() -> Callable[..., "subprocess.Popen[str]"]:
    """Return a function that starts `grade batch` and leaves it running."""

    def start(*words: str | Path, env: dict[str, str] | None = None, **more: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "grader", "batch", *map(str, words), "--isolation", "weak", "--seed", str(SEED)],
            cwd=ROOT,
            env=os.environ | {"PYTHONUTF8": "1"} | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            **more,
        )

    return start
