"""A course folder holds an answer key of its own: `--course` writes that one, checks it and grades by it."""

import csv
import re
import shutil

import pytest

from grader.course import key_command
from grader.exercises import EXERCISES

RIGHT = "return d_k / num_heads"
OTHER = "return 2 * d_k / num_heads"


@pytest.fixture
def package_key(checkout):
    """Return the key of the package that the commands of these tests run."""
    return checkout / "grader" / "public_key.npz"


@pytest.fixture
def course(checkout, tmp_path):
    """Return a course folder without a key, in which one right answer is another one."""
    folder = tmp_path / "other"
    for part in ("assignments", "solutions"):
        shutil.copytree(checkout / part, folder / part)
    change(folder / "solutions")
    return folder


@pytest.fixture
def work(course, tmp_path):
    """Return the work of a student who has the answers of that course."""
    folder = tmp_path / "class" / "doe"
    folder.mkdir(parents=True)
    for path in (course / "solutions").glob("*.py"):
        shutil.copy(path, folder)
    return folder


def change(folder):
    path = folder / "multi_head.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1
    path.write_text(text.replace(RIGHT, OTHER), encoding="utf-8")


def test_a_key_is_written_into_the_course_folder_and_the_package_keeps_its_own(grade, checkout, package_key, course):
    before = package_key.read_bytes()
    done = grade("key", "--course", course, cwd=checkout)
    assert (done.returncode, done.stdout) == (0, f"{course / 'public_key.npz'}\n")
    assert grade("key", "--check", "--course", course, cwd=checkout).returncode == 0
    assert package_key.read_bytes() == before != (course / "public_key.npz").read_bytes()


def test_a_checkout_that_is_named_keeps_the_key_inside_its_package(grade, checkout, package_key, course):
    before = package_key.read_bytes()
    (course / "grader").mkdir()
    assert grade("key", "--course", course, cwd=checkout).returncode == 0
    assert [path.relative_to(course).as_posix() for path in course.rglob("*.npz")] == ["grader/public_key.npz"]
    assert package_key.read_bytes() == before


def test_the_check_is_about_the_key_of_the_course_folder(grade, checkout, package_key, course):
    shutil.copy(package_key, course)  # frozen from other solutions than those of this course
    done = grade("key", "--check", "--course", course, cwd=checkout)
    assert done.returncode == 4
    assert "sources have changed" in done.stdout
    assert f"Run `{key_command(course / 'public_key.npz')}`." in done.stderr


def test_one_persons_work_is_graded_by_the_key_of_the_course_folder(grade, checkout, course, work):
    assert grade("key", "--course", course, cwd=checkout).returncode == 0
    words = (work, "--exercise", "multi_head", "--no-report")
    assert grade(*words, "--course", course, cwd=checkout).stdout.startswith("Full marks: ")
    done = grade(*words, cwd=checkout)
    assert done.returncode == 1
    assert "failed: score_variance" in done.stdout


@pytest.mark.slow
def test_a_class_is_graded_by_the_key_of_the_course_folder(grade, checkout, course, work, tmp_path):
    assert grade("key", "--course", course, cwd=checkout).returncode == 0
    out = tmp_path / "results"
    words = ("batch", work.parent, "--out", out, "--course", course, "--isolation", "weak")
    done = grade(*words, cwd=checkout)
    assert done.returncode == 0, done.stderr
    with (out / "gradebook.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (float(row["automatic"]), row["mistakes"]) == (sum(each.max_score for each in EXERCISES.values()), "")


def test_doctor_describes_the_key_of_the_course_folder(grade, checkout, package_key, course):
    assert grade("key", "--course", course, cwd=checkout).returncode == 0
    there, here = (grade("doctor", *words, cwd=checkout).stdout for words in (["--course", course], []))
    assert f"key        {course / 'public_key.npz'}\n" in there
    assert f"key        {package_key}\n" in here
    digests = [re.search(r"seed 1706, digest (\w{16})\n", text)[1] for text in (there, here)]
    assert digests[0] != digests[1]


def test_a_course_folder_without_a_key_is_told_with_the_command_that_writes_it(grade, checkout, course, work, tmp_path):
    for words in (
        [work],
        [course / "assignments"],  # nothing is started here, and the key is still asked for its label
        ["key", "--check"],
        ["batch", work.parent, "--out", tmp_path / "results"],
    ):
        done = grade(*words, "--course", course, cwd=checkout)
        assert (done.returncode, done.stdout) == (4, "")
        assert done.stderr.count("\n") == 1
        assert f"The answer key {course / 'public_key.npz'} cannot be read" in done.stderr
        assert f"`{key_command(course / 'public_key.npz')}`" in done.stderr
    done = grade("doctor", "--course", course, cwd=checkout)
    assert done.returncode == 3
    assert f"`{key_command(course / 'public_key.npz')}`" in done.stdout


def test_a_path_with_blanks_is_one_word_of_the_command_that_is_told(tmp_path):
    for name, word in (("other", "{}"), ("zwei Wörter", '"{}"')):
        folder = tmp_path / name
        (folder / "solutions").mkdir(parents=True)
        quoted = '"{}"' if " " in str(tmp_path) else word
        assert key_command(folder / "public_key.npz") == f"grade key --course {quoted.format(folder)}"
