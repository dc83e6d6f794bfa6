"""How long `grade assignments/` takes from a cold start, against `import numpy`: medians of interleaved runs."""

import statistics
import subprocess
import sys
import time

ROUNDS = 15
LIMIT = 3.0


def seconds(command, cwd):
    began = time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


def test_grading_untouched_work_takes_at_most_three_imports_of_numpy(root, tmp_path, capsys):
    commands = {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "grade --help": [sys.executable, "-m", "grader", "--help"],
        "grade assignments/": [sys.executable, "-m", "grader", str(root / "assignments")],
    }
    taken = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            taken[name].append(seconds(command, tmp_path))
    medians = {name: statistics.median(values) for name, values in taken.items()}
    with capsys.disabled():
        print()
        for name, median in medians.items():
            print(f"{name:20} {1000 * median:6.0f} ms, {median / medians['import numpy']:.2f} of numpy")
    assert medians["grade assignments/"] <= LIMIT * medians["import numpy"]
