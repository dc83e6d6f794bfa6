"""When two works have too much code in common to be chance."""

import pytest

from grader.batch.equal_works import COMMON, NAMED, find_alike
from grader.export.gradebook import Row
from grader.submissions.prints import take_print
from grader.submissions.sites import find_sites


def row(student, *prints):
    return Row(student, "graded", prints=prints)


def work(*sizes, mark="x"):
    return tuple((f"f{number}", f"{mark}{number}", size) for number, size in enumerate(sizes))


def print_of(text):
    import ast

    (site,) = find_sites(ast.parse(text), {"softmax"})
    return take_print(site)


@pytest.mark.parametrize(
    ("common", "own", "alike"),
    [
        ((39,) * 20, 1, False),  # what everybody writes alike, however much of it
        ((61, 72, 54), 1, False),  # three textbook formulas
        ((61, 72, 67), 1, True),
        ((61, 72), 0, False),
        ((61, 72, 17), 0, True),  # one exercise, equal as a whole
        ((61, 72, 17), 1, False),
    ],
)
def test_the_threshold_lies_between_chance_and_a_copy(common, own, alike):
    rows = [row(name, *work(*common), *((f"g{name}", name, 50),) * own) for name in ("a", "b")]
    assert bool(find_alike(rows, ())) is alike


def test_a_class_that_writes_one_line_alike_is_not_flagged():
    rows = [row(f"s{number}", ("softmax", "same", 61), ("f", f"own{number}", 300)) for number in range(40)]
    assert find_alike(rows, ()) == {}


def test_many_equal_works_are_counted_and_only_some_named():
    rows = [row(f"s{number:03}", *work(100, 100)) for number in range(300)]
    found = find_alike(rows, ())
    assert found["s000"] == ("same-as:s001", "same-as:s002", "same-as:s003", "same-as: 296 more")
    assert found["s299"] == ("same-as:s000", "same-as:s001", "same-as:s002", "same-as: 296 more")
    assert {len(flags) for flags in found.values()} == {NAMED + 1}


def test_works_that_differ_in_one_function_are_paired():
    rows = [row(name, *work(100, 100), ("g", name, 50)) for name in "abc"]
    assert find_alike(rows, ())["b"] == ("same-as:a", "same-as:c")


def test_a_form_that_very_many_share_begins_no_comparison():
    rows = [row(f"s{number}", *work(100, 100), ("g", str(number), 50)) for number in range(COMMON + 1)]
    assert find_alike(rows, ()) == {}


def test_the_model_answers_are_told_from_other_works():
    rows = [row("a", *work(100, 100)), row("b", *work(100, 100, mark="y")), row("c")]
    model = print_of("def softmax(x):\n    return x")
    assert find_alike(rows, (model,)) == {}
    answers = [type(model)(*one) for one in work(100, 100)]
    assert find_alike(rows, answers) == {"a": ("model-answer",)}


def test_comments_docstrings_and_annotations_make_no_other_print():
    plain = print_of("def softmax(x, axis=-1):\n    y = x - 1\n    return y\n")
    other = print_of(
        'def softmax(x: float, axis: int = -1) -> float:\n    """Mine."""\n    y = (x - 1)  # so\n    return y\n'
    )
    assert plain == other
    assert plain != print_of("def softmax(x, axis=-1):\n    y = x - 2\n    return y\n")
    assert plain != print_of("def softmax(x, axis=0):\n    y = x - 1\n    return y\n")
