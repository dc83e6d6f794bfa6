"""What is no class is refused in one sentence with the command that works."""

import pytest

from batch.conftest import ROOT
from batch.test_collect import students, write
from grader.errors import UsageError
from grader.files import quote_path

WEAK = ("--isolation", "weak", "--seed", "77")


@pytest.mark.parametrize(
    "names",
    [
        ("third_key.py", "multi_head.py", "gradient_chain.py"),
        ("third_key.py",),
        ("third_key.py", "third_key (1).py", "notes.py"),
        ("third_key.py", "multi_head.py", "old/third_key.py", "utils/shapes.py"),
    ],
)
def test_one_persons_folder_is_refused(tmp_path, names):
    write(tmp_path, *names)
    with pytest.raises(UsageError, match=r"looks like one person's work.*grade it with `grade "):
        students(tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ("doe_third_key.py", "doe_multi_head.py", "roe_third_key.py", "roe_multi_head.py"),
        ("Doe Jane_123_assignsubmission_file_third_key.py", "Roe_124_assignsubmission_file_work.ipynb"),
        ("doejane_LATE_12345_678901_third_key-1.py", "roejim_12346_678902_multi_head.py"),
        ("Lab_doe_attempt_2025-01-31-10-00-00_a.py", "Lab_roe_attempt_2025-01-31-11-00-00_a.py"),
    ],
)
def test_a_flat_download_is_refused(tmp_path, names):
    write(tmp_path, *names)
    with pytest.raises(UsageError, match=r"looks like a flat download.*then run `grade batch .* --out DIR`"):
        students(tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ("doe/third_key.py", "roe/third_key.py", "third_key.py"),
        ("doe_attention.ipynb", "roe_attention.ipynb"),
        ("doe.py", "roe.ipynb", "poe.py"),
        ("Doe_123_assignsubmission_file_/third_key.py", "Roe_124_assignsubmission_file_/third_key.py"),
    ],
)
def test_a_class_is_none_of_these(tmp_path, names):
    write(tmp_path, *names)
    assert len(students(tmp_path)) == len({name.partition("/")[0] for name in names})


@pytest.mark.parametrize("place", ["assignments", "tests/samples/right-scripts", "tests/samples/right-notebook"])
def test_the_command_says_so_in_one_sentence_and_the_command_in_it_works(grade, tmp_path, place):
    done = grade("batch", ROOT / place, "--out", tmp_path / "out", *WEAK)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert f"`grade {quote_path(ROOT / place)}`" in done.stderr
    assert not (tmp_path / "out").exists()
    assert grade(ROOT / place, "--no-report").returncode in (0, 1)
