"""How fast a class is graded, what the parent holds in memory, and what one hang costs.

`pytest tests/benchmarks/test_batch.py -m benchmark` grades 200 submissions; GRADE_CLASS=5000 grades that many.
"""

import os
import subprocess
import sys
import time

import pytest

from batch.synthetic import make_class, make_work, write_class

SIZE = int(os.environ.get("GRADE_CLASS", "200"))
PER_CORE = 5.0  # submissions a second, with full isolation and hidden inputs: some 260 calls each
PARENT = 200  # MiB


def grade(root, tree, out, *words):
    """Return the seconds that a batch took and the peak memory of its parent process in MiB."""
    program = (
        "import resource, sys; from grader.cli import run; code = run(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr); sys.exit(code)"
    )
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program, "batch", str(tree), "--out", str(out), "--seed", "7", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - began, int(done.stderr.split()[-1])


def test_a_class_is_graded_at_a_steady_rate_with_a_small_parent(root, tmp_path, capsys):
    write_class(make_class(SIZE, hangs=False), tmp_path / "tree")
    cores = len(os.sched_getaffinity(0))
    alone, memory = grade(root, tmp_path / "tree", tmp_path / "results")
    again, _ = grade(root, tmp_path / "tree", tmp_path / "results")
    rate = SIZE / alone / cores
    with capsys.disabled():
        print(f"\n{SIZE} submissions: {alone:.1f} s, {rate:.1f} per second and core, parent {memory} MiB")
        print(f"again, nothing changed: {again:.1f} s")
    assert rate >= PER_CORE
    assert memory <= PARENT


@pytest.mark.parametrize("timeout", [0.5, 2.0])
def test_a_hang_costs_its_time_limit_and_little_else(root, tmp_path, capsys, timeout):
    seconds = {}
    for case in ("right", "hangs"):
        write_class([make_work(case, case)], tmp_path / case)
        seconds[case], _ = grade(root, tmp_path / case, tmp_path / f"{case}-results", "--timeout", str(timeout))
    cost = seconds["hangs"] - seconds["right"]
    with capsys.disabled():
        print(f"\none hang with --timeout {timeout}: {cost:.2f} s more than right work")
    assert cost <= timeout + 2.0
