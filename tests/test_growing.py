"""Growing is safe: an exercise, a mistake and an output format, added as the README says, touch no other file.

`tests/growing/` holds the new files, in the folders where they belong; the rows for them are below. All of it happens
in a copy of the checkout.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import copy_checkout
from grader.exercises import EXERCISES

MATERIAL = Path(__file__).parent / "growing"
STEM = "position_bias"

MISTAKE = """\
    Mistake(
        "E2-90", "the number of heads counts twice", ("score_variance",),
        "Double the number of heads and print your number before and after: how many times smaller is it?",
        "With twice as many heads, each has half of the features.",
        "d_k / h^2", "one head",
    ),
"""
RENDERING = """

def _tsv(report: "Report", view: View) -> str:  # noqa: ARG001 (every format takes a view)
    from grader.feedback.tsv import render_tsv

    return render_tsv(report)
"""
# New rows: the file, the text above the row, the row.
ROWS = (
    (
        "grader/exercises/__init__.py",
        "from grader.exercises.multi_head.asked import EXERCISE as MULTI_HEAD\n",
        "from grader.exercises.position_bias.asked import EXERCISE as POSITION_BIAS\n",
    ),
    (
        "grader/exercises/__init__.py",
        '        "gradient_chain": GRADIENT_CHAIN,\n',
        '        "position_bias": POSITION_BIAS,\n',
    ),
    ("grader/exercises/multi_head/mistakes/head_scale.py", '"(d_k / h)^2", "d_k = h",\n    ),\n', MISTAKE),
    (
        "solutions/mistakes/multi_head.py",
        '        "E2-44": lambda d_k, num_heads: (d_k / num_heads) ** 2,\n',
        '        "E2-90": lambda d_k, num_heads: d_k / num_heads**2,\n',
    ),
    ("grader/feedback/__init__.py", "    return dump_report(report)\n", RENDERING),
    ("grader/feedback/__init__.py", '"json": _json', ', "tsv": _tsv'),
)
BY_HAND = {
    "grader/exercises/__init__.py",
    *(f"grader/exercises/{STEM}/{part}.py" for part in ("__init__", "asked", "ladder", "mistakes", "regions")),
    f"solutions/{STEM}.py",
    f"solutions/mistakes/{STEM}.py",
    "grader/exercises/multi_head/mistakes/head_scale.py",
    "solutions/mistakes/multi_head.py",
    "grader/feedback/__init__.py",
    "grader/feedback/tsv.py",
    "assignments/README.md",
    "README.md",
}
GENERATED = {f"assignments/{STEM}.py", "assignments/attention.ipynb", "grader/public_key.npz"}
# Rooms that know neither exercises nor formats stay out, to save their time.
UNCONCERNED = ("sandbox", "submissions", "benchmarks")

pytestmark = pytest.mark.slow


def run(place: Path, *words: str, seconds: float = 300.0) -> subprocess.CompletedProcess[str]:
    """Run a module of the copy; without PYTHONPATH its tests would meet the grader that is installed here."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=seconds,
    )


def digests(place: Path) -> dict[str, str]:
    files = [path for path in place.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(place).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def changes(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def add_everything(place: Path) -> None:
    """Do by hand what the README's table says; the documents wait for `grade stubs`, which names their lines."""
    for part in ("grader", "solutions"):
        shutil.copytree(MATERIAL / part, place / part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, above, row in ROWS:
        path = place / name
        text = path.read_text(encoding="utf-8")
        assert text.count(above) == 1, f"{name} no longer holds what a new row stands below: {above}"
        path.write_text(text.replace(above, above + row), encoding="utf-8")


def mend_documents(place: Path, told: str) -> None:
    """Mend each line that `grade stubs` names; the heading that it asks for comes with a whole section."""
    section = (MATERIAL / "README.md").read_text(encoding="utf-8")
    for line in reversed(told.splitlines()):  # from below, so that the numbers of the lines above stay right
        found = re.fullmatch(r'(\S+):(\d+): (?:"(.*)" stands here; "(.*)" is right|this is missing: "(.*)")', line)
        if found is None:
            continue
        document, number, wrong, right, missing = found.groups()
        lines = (place / document).read_text(encoding="utf-8").splitlines(keepends=True)
        if wrong:
            assert wrong in lines[int(number) - 1]
            lines[int(number) - 1] = lines[int(number) - 1].replace(wrong, right)
        elif section.startswith(f"{missing}\n"):
            lines.insert(int(number) - 1, section)
        else:
            lines.insert(int(number), f"{missing}\n")
        (place / document).write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return a copy with all three additions, the files changed by hand and those changed by the commands."""
    place = copy_checkout(tmp_path_factory.mktemp("grown"))
    before = digests(place)
    add_everything(place)
    by_hand = changes(before, digests(place))
    told = run(place, "grader", "stubs")
    assert told.returncode == 4, told.stdout + told.stderr
    by_stubs = changes(before, digests(place)) - by_hand
    documents = digests(place)
    mend_documents(place, told.stdout)
    by_hand |= changes(documents, digests(place))
    before = digests(place)
    for command in ("stubs", "key"):
        done = run(place, "grader", command)
        assert done.returncode == 0, done.stdout + done.stderr
    return place, by_hand, by_stubs | changes(before, digests(place))


def named_in_the_table(place: Path) -> list[str]:
    """Return the paths that the table names for these three rows; one that ends with a slash is a folder."""
    text = (place / "README.md").read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if re.match(r"\| (exercise|known mistake|output format) \|", row)]
    assert len(rows) == 3
    spans = [span for row in rows for span in re.findall(r"`([\w/<>.]+)`", row)]
    stems = (STEM, "multi_head")
    return [span.replace("<stem>", stem) for span in spans for stem in stems if "/" in span]


def test_the_files_touched_are_those_that_the_readme_names(grown):
    place, by_hand, by_commands = grown
    assert by_hand == BY_HAND
    assert by_commands == GENERATED
    named = named_in_the_table(place)
    here = "README.md"  # "this file", says the table
    unnamed = {
        path
        for path in by_hand - {here}
        if path not in named and not any(path.startswith(name) for name in named if name.endswith("/"))
    }
    assert unnamed == set()


@pytest.mark.parametrize("words", [["stubs", "--check"], ["key", "--check"], ["selfcheck"]], ids=" ".join)
def test_everything_is_in_step_and_proved(grown, words):
    done = run(grown[0], "grader", *words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_solutions_have_full_marks_in_the_new_exercise_and_in_the_new_format(grown):
    done = run(grown[0], "grader", "solutions/", "--no-report", "--format", "tsv")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{STEM}\t11\t11"
    assert len(done.stdout.splitlines()) == len(EXERCISES) + 1


def test_the_new_mistakes_are_named_where_they_are_made(grown, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\n\ndef score_variance(d_k, num_heads):\n    return d_k / num_heads**2\n\n\n"
        "def key_distance(n, m):\n    return np.arange(n)[:, None] - np.arange(m)\n",
        encoding="utf-8",
    )
    done = run(grown[0], "grader", str(tmp_path), "--no-report")
    assert done.returncode == 1
    for code in ("E2-90", "E4-01"):
        assert code in done.stdout
        assert run(grown[0], "grader", "explain", code).returncode == 0


def test_the_tests_stay_green_and_none_had_to_be_told(grown):
    left_out = [f"--ignore=tests/{room}" for room in UNCONCERNED]
    words = ("pytest", "-n", "2", "--dist", "loadfile", "-q", "-p", "no:cacheprovider", *left_out)
    done = run(grown[0], *words, seconds=1500)
    assert done.returncode == 0, done.stdout[-20_000:]
