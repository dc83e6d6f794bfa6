"""What students are told about points, titles and signatures is what the exercises say, or each wrong line is told."""

import re
import shutil

import pytest

from grader.authoring import find_misstatements
from grader.exercises import EXERCISES
from grader.exercises.exercise import Check, Exercise, Function, Item, Rule


@pytest.fixture
def course(root, tmp_path):
    """Return a copy of all documents, which a test may change."""
    for part in ("solutions", "assignments"):
        shutil.copytree(root / part, tmp_path / part)
    shutil.copy(root / "README.md", tmp_path)
    return tmp_path


def find(course, exercises=EXERCISES):
    return [str(found) for found in find_misstatements(course / "solutions", course / "assignments", exercises)]


def change(path, old, new):
    """Replace `old`, which stands there once, and return the number of its line."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_the_committed_documents_say_what_the_exercises_say(root):
    assert find(root) == []


def in_all(exercises=EXERCISES, more=0):
    """Return the sentence about all points, and the points that are given automatically."""
    automatic = sum(exercise.max_score for exercise in exercises.values()) + more
    written = sum(exercise.pending_score for exercise in exercises.values())
    sentence = f"{automatic + written:g} points: {automatic:g} are given automatically, {written:g} by a person"
    return sentence, f"{automatic:g}"


def heading(slug, more=0):
    """Return the header of a student file, as it is right or with more points."""
    exercise = EXERCISES[slug]
    total = exercise.max_score + exercise.pending_score + more
    return f"Exercise {[*EXERCISES].index(slug) + 1}: {exercise.title} ({total:g} points)."


def worth(name, more=0):
    checks = [check for exercise in EXERCISES.values() for check in exercise.checks if check.function == name]
    return f"{sum(check.points for check in checks) + more:g}"


SENTENCE, AUTOMATIC = in_all()
HANDOUT = "assignments/README.md"
ROW = f"| `third_key.py` | 1. {EXERCISES['third_key'].title} | {EXERCISES['third_key'].max_score:g} |"
WRONG = [
    ("solutions/third_key.py", heading("third_key"), heading("third_key", 1)),
    ("solutions/multi_head.py", heading("multi_head"), heading("multi_head").replace("head", "tail")),
    ("solutions/third_key.py", f"`softmax` ({worth('softmax')} points)", "`softmax` (1 point)"),
    (HANDOUT, SENTENCE, SENTENCE.replace(AUTOMATIC, "1")),
    (HANDOUT, ROW, ROW.replace("1. ", "7. ")),
    (HANDOUT, ROW, f"{ROW[:-1]}+ 5 |"),
    (HANDOUT, f"`softmax(x, axis=-1)` | {worth('softmax')}", "`softmax(x, axis=-1)` | 1"),
    (HANDOUT, "`softmax(x, axis=-1)`", "`softmax(x, axis=0)`"),
    (HANDOUT, f"`EXPLANATION` | {worth('EXPLANATION')}", "`EXPLANATION` | 1"),
    ("README.md", f"model answers: {AUTOMATIC} of {AUTOMATIC}", "model answers: 1 of 1"),
]


@pytest.mark.parametrize(("name", "right", "wrong"), WRONG)
def test_a_wrong_line_is_told_with_what_stands_there_and_what_is_right(course, name, right, wrong):
    line = change(course / name, right, wrong)
    (told,) = find(course)
    assert told.startswith(f'{name}:{line}: "{wrong}')
    assert told.endswith(" is right")
    assert right in told


MISSING = [
    ("solutions/third_key.py", f"`add_key` ({worth('add_key')} points)", "`add_key`", None),
    (HANDOUT, f"`dominant_key(weights)` | {worth('dominant_key')}", "the winner | 1", None),
    (HANDOUT, f"{ROW}\n", "", ROW),
    (HANDOUT, f"## {heading('third_key').removesuffix(' points).')})", "", None),
    (HANDOUT, SENTENCE, "You get points", None),
]


@pytest.mark.parametrize(("name", "old", "new", "missing"), MISSING)
def test_a_line_that_is_missing_is_told(course, name, old, new, missing):
    change(course / name, old, new)
    told = [line for line in find(course) if "this is missing" in line]
    assert told
    assert all(re.match(rf"{re.escape(name)}:\d+: ", line) for line in told)
    assert any(line.endswith(f': "{missing or old}"') for line in told)


def test_points_over_a_line_break_are_read(course):
    path, right = course / "solutions" / "third_key.py", f"`add_key` ({worth('add_key')} points)"
    broken = right.replace(" points", "\npoints")
    change(path, right, broken)
    assert find(course) == []
    line = change(path, broken, "`add_key` (99\npoints)")
    assert find(course) == [f'solutions/third_key.py:{line}: "`add_key` (99 points)" stands here; "{right}" is right']


def test_a_name_that_nobody_asks_for_has_no_points(course):
    change(course / "solutions" / "third_key.py", "\n- `add_key`", "\n- `gone` (2 points)\n- `add_key`")
    (told,) = find(course)
    assert '"`gone` (2 points)" stands here; "no points, because nobody asks for that name" is right' in told


def test_the_shares_of_a_rubric_add_up_to_the_points_of_the_written_answer(course):
    change(course / "assignments" / "README.md", "then does to the weights | 1 |", "does | 77 |")
    change(course / "solutions" / "multi_head.py", "then does to the weights (1 point)", "does (77 points)")
    solution, handout = find(course)
    written = worth("EXPLANATION")
    assert re.fullmatch(rf'solutions/multi_head.py:\d+: ".* \+ 77" stands here; "{written}" is right', solution)
    assert re.fullmatch(rf'{HANDOUT}:\d+: ".* \+ 77" stands here; "a rubric of {written} points" is right', handout)


def test_a_course_without_a_handout_is_told_and_one_without_a_readme_is_not(course):
    (course / "README.md").unlink()
    assert find(course) == []
    (course / "assignments" / "README.md").unlink()
    assert find(course) == ['assignments/README.md:1: this is missing: "the handout"']


def test_points_that_are_changed_in_an_exercise_are_told_wherever_they_stand(root):
    exercise = EXERCISES["third_key"]
    checks = [check._replace(points=check.points + (check.name == "softmax.form")) for check in exercise.checks]
    told = find(root, EXERCISES | {"third_key": exercise._replace(checks=tuple(checks))})
    sentence, automatic = in_all(more=1)
    total = f"{exercise.max_score + 1:g}"
    assert [line.partition("; ")[2].removesuffix(" is right") for line in told] == [
        f'"{heading("third_key", 1)}"',
        f'"`softmax` ({worth("softmax", 1)} points)"',
        f'"{sentence}"',
        f'"| `third_key.py` | 1. {exercise.title} | {total} |"',
        f'"## Exercise 1: {exercise.title} ({total})"',
        f'"`softmax(x, axis=-1)` | {worth("softmax", 1)}"',
        f'"model answers: {automatic} of {automatic}"',
    ]


@pytest.fixture
def larger(course):
    """Return the exercises and one more, whose solution is written and whose lines in the handout are not."""
    number = len(EXERCISES) + 1
    function = Function("blend", "blend(a, b)", (Item("mean", "(n,)"),))
    check = Check("blend.values", "the mean", "blend", 2.5, Rule.VALUES)
    task = f"Exercise {number}: One more (2.5 points).\n\n- `blend` (2.5 points)\n"
    (course / "solutions" / "one_more.py").write_text(f'"""{task}"""\n\n\ndef blend(a, b):\n    """Blend."""\n')
    return EXERCISES | {"one_more": Exercise("one_more", "One more", (function,), (check,))}


def test_a_new_exercise_without_its_lines_in_the_handout_is_told(course, larger):
    told = find(course, larger)
    assert [line.partition(": ")[2] for line in told if "missing" in line] == [
        f'this is missing: "| `one_more.py` | {len(larger)}. One more | 2.5 |"',
        f'this is missing: "## Exercise {len(larger)}: One more (2.5)"',
    ]
    assert any(line.endswith(f'; "{in_all(larger)[0]}" is right') for line in told)
    assert all(line.startswith(("assignments/README.md:", "README.md:")) for line in told)


def test_the_number_of_exercises_in_words_follows(course, larger):
    (course / "README.md").write_text("Two exercises, two exercises, the other two exercises.\n", encoding="utf-8")
    words = {4: "four", 5: "five", 6: "six"}
    found = [line for line in find(course, larger) if line.startswith("README.md")]
    assert found == [f'README.md:1: "two exercises" stands here; "{words[len(larger)]} exercises" is right']


def test_a_section_without_the_row_of_its_function_is_told(course, larger):
    handout = course / "assignments" / "README.md"
    section = f"## Exercise {len(larger)}: One more (2.5)"
    change(handout, "## What the grader looks at", f"{section}\n\n## What the grader looks at")
    assert any(line.endswith('this is missing: "`blend(a, b)` | 2.5"') for line in find(course, larger))


def test_an_exercise_that_went_is_told(root):
    told = find(root, {slug: EXERCISES[slug] for slug in [*EXERCISES][:-1]})
    assert any('"no row, because there is no such exercise" is right' in line for line in told)
    assert any('"no section, because there is no such exercise" is right' in line for line in told)


def change_points(checkout):
    """Give a check of softmax one point more, in whichever file the checks of its exercise stand."""
    for path in (checkout / "grader" / "exercises").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        changed = re.sub(r'(Check\(\s*"softmax\.rows".*?\b)\d+\.\d+', r"\g<1>77.0", text, flags=re.DOTALL)
        if changed != text:
            path.write_text(changed, encoding="utf-8")
            return
    pytest.fail("the check softmax.rows was not found")


@pytest.mark.parametrize("words", [["stubs", "--check"], ["stubs"]], ids=" ".join)
def test_the_command_ends_with_4_and_prints_each_line_to_mend(grade, checkout, words):
    change_points(checkout)
    done = grade(*words, cwd=checkout)
    assert done.returncode == 4
    assert f'solutions/third_key.py:1: "{heading("third_key")}" stands here' in done.stdout
    assert re.search(r'assignments/README\.md:\d+: "`softmax\(x, axis=-1\)` \| [\d.]+" stands here', done.stdout)
    assert done.stderr == (
        "grade: 6 lines say something else than the exercises (see stdout). "
        "Mend what is printed, then run `grade stubs`.\n"
    )
