"""Where the course is, and how its solution files are loaded."""

import shutil
import sys
from pathlib import Path

import pytest

from grader.course import Course, digest_sources, find_course, key_command, load_solutions
from grader.errors import CourseError, UsageError
from grader.exercises import asked_names


@pytest.fixture
def course(tmp_path) -> Course:
    real = find_course()
    shutil.copytree(real.solutions, tmp_path / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(real.stubs, tmp_path / "assignments")
    return find_course(tmp_path)


def test_a_checkout_is_found_without_being_named(root):
    course = find_course()
    assert course.solutions == root / "solutions"
    assert course.stubs == root / "assignments"


def test_a_named_folder_wins(course, tmp_path):
    assert course.solutions == tmp_path / "solutions"


def test_a_named_folder_has_a_key_of_its_own_inside_its_package_where_it_has_one(course, tmp_path):
    assert course.public_key == tmp_path / "public_key.npz"
    (tmp_path / "grader").mkdir()
    assert find_course(tmp_path).public_key == tmp_path / "grader" / "public_key.npz"


@pytest.mark.parametrize("package", [True, False])
@pytest.mark.parametrize(("name", "word"), [("course", "course"), ("grader", "grader"), ("my course", '"my course"')])
def test_the_command_that_writes_a_key_names_the_folder_as_it_was_given(tmp_path, monkeypatch, name, word, package):
    for part in ("assignments", "solutions", *(["grader"] if package else [])):
        (tmp_path / name / part).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert key_command(find_course(Path(name)).public_key) == f"grade key --course {word}"


def test_the_key_of_the_package_needs_no_folder_to_be_written(root):
    assert key_command(find_course().public_key) == key_command(find_course(root).public_key) == "grade key"


@pytest.mark.parametrize("part", ["solutions", "assignments"])
def test_a_folder_that_is_no_course_is_refused_by_the_part_it_lacks(course, tmp_path, part):
    shutil.rmtree(tmp_path / part)
    with pytest.raises(UsageError, match=rf"holds no folder {part}/\. Give a checkout"):
        find_course(tmp_path)


def test_without_solutions_a_step_that_needs_them_says_so(course):
    bare = Course(course.stubs, None, course.public_key)
    with pytest.raises(CourseError, match=r"^Building an answer key needs the reference solutions.*--course DIR"):
        load_solutions(bare, asked_names())
    with pytest.raises(CourseError):
        digest_sources(bare)


def test_every_asked_for_name_has_a_reference(course):
    solutions = load_solutions(course, asked_names())
    assert set(solutions.references) == {name for names in asked_names().values() for name in names}
    assert callable(solutions.others["blockwise_attention"])


def test_loading_leaves_no_module_and_no_path_behind(course):
    modules, path = set(sys.modules), list(sys.path)
    sys.modules["attention"] = marker = type(sys)("attention")
    try:
        load_solutions(course, asked_names())
        assert sys.modules["attention"] is marker
    finally:
        del sys.modules["attention"]
    assert {name for name in set(sys.modules) - modules if "." not in name} <= {"__mp_main__"}
    assert sys.path == path


def test_two_courses_do_not_share_a_solution(course):
    path = course.solutions / "multi_head.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n\ndef score_variance(d_k, num_heads):\n    return 7\n")
    assert load_solutions(course, asked_names()).references["score_variance"](4, 2) == 7
    assert load_solutions(find_course(), asked_names()).references["score_variance"](4, 2) == 2


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("multi_head.py", None, r"solutions/multi_head\.py cannot be loaded: FileNotFoundError"),
        ("blockwise.py", "1 / 0\n", r"solutions/blockwise\.py cannot be loaded: ZeroDivisionError"),
        ("third_key.py", "def (\n", r"solutions/third_key\.py cannot be loaded: SyntaxError"),
        ("third_key.py", "import numpy.nonsense\n", r"solutions/third_key\.py cannot be loaded: ModuleNotFoundError"),
        ("gradient_chain.py", "CHAIN = []\n", r"solutions/gradient_chain\.py does not define attention_grad_q"),
        ("mistakes/multi_head.py", "import (\n", r"mistakes/multi_head\.py cannot be loaded: SyntaxError"),
    ],
)
def test_a_broken_solution_is_named_with_its_fault(course, name, text, said):
    path = course.solutions / name
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(CourseError, match=said) as caught:
        load_solutions(course, asked_names())
    assert "\n" not in str(caught.value)
    assert "Mend" in str(caught.value) or "Write" in str(caught.value)


def test_the_digest_follows_solutions_but_not_mistakes_or_line_ends(course):
    before = digest_sources(course)
    mistakes = course.solutions / "mistakes" / "multi_head.py"
    mistakes.write_text(mistakes.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    assert digest_sources(course) == before
    path = course.solutions / "multi_head.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert digest_sources(course) == before
    path.write_bytes(path.read_bytes() + b"# more\n")
    assert digest_sources(course) != before
