"""The frozen key: exact, byte-stable, and held against the sources."""

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.course import Course, find_course, key_command
from grader.errors import CourseError
from grader.exercises.probe import Tolerance
from grader.key.answer_key import AnswerKey
from grader.key.checking import check_public_key, write_public_key
from grader.key.frozen import freeze, load_key, thaw
from grader.key.label import FORMAT, MEMBER, KeyLabel, read_label, write_label


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    return load_key(find_course().public_key)


@pytest.fixture
def course(tmp_path) -> Course:
    """Return a course whose solutions and frozen key may be changed."""
    real = find_course()
    shutil.copytree(real.solutions, tmp_path / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(real.public_key, tmp_path / "public_key.npz")
    return Course(real.stubs, tmp_path / "solutions", tmp_path / "public_key.npz")


def same_value(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same_value, a, b))
    return type(a) is type(b) and a == b


def same_answer(a, b):
    return (
        (a.raises, a.changed) == (b.raises, b.changed)
        and len(a.items) == len(b.items)
        and all(
            x.shape == y.shape and np.array_equal(x, y, equal_nan=True) for x, y in zip(a.items, b.items, strict=True)
        )
    )


def test_a_key_comes_back_exactly_as_it_was_frozen(key):
    back = thaw(freeze(key))
    assert (back.seed, back.digest) == (key.seed, key.digest)
    for one, other in zip(key.probes, back.probes, strict=True):
        assert same_value(one.call.args, other.call.args)
        assert same_value(one.call.again, other.call.again)
        plain = {"args": (), "again": None}
        assert one._replace(call=one.call._replace(**plain)) == other._replace(call=other.call._replace(**plain))
    assert set(back.answers) == set(key.answers)
    assert all(same_answer(key.answers[name], back.answers[name]) for name in key.answers)
    assert {name: set(table) for name, table in back.mistakes.items()} == {n: set(t) for n, t in key.mistakes.items()}
    for name, table in key.mistakes.items():
        for code, answers in table.items():
            assert all(same_answer(answers[probe], back.mistakes[name][code][probe]) for probe in answers)


def test_freezing_again_gives_the_same_bytes(key):
    once = freeze(key)
    assert freeze(key) == once
    assert freeze(thaw(once)) == once


def test_the_file_holds_numbers_and_json_and_no_pickle(key):
    with np.load(io.BytesIO(freeze(key)), allow_pickle=False) as archive:
        kinds = {"": "|u1", "_f": "<f8", "_i": "<i8", "_b": "|b1"}
        expected = {part + end: kind for part in ("right", "wrong") for end, kind in kinds.items()}
        assert {name: archive[name].dtype.str for name in archive.files if name != MEMBER} == expected
        assert json.loads(archive[MEMBER]) == {"format": FORMAT, "seed": key.seed, "digest": key.digest}


def test_seed_and_digest_are_read_without_numpy():
    code = "import sys; from grader.key.label import *; print(*read_label(Path(sys.argv[1])), 'numpy' in sys.modules)"
    path = find_course().public_key
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    label = load_key(path).label
    assert done.stdout.split() == [str(label.seed), label.digest, "False"]


def test_arrays_of_a_loaded_key_cannot_be_written_to(key):
    array = key.answers["softmax/rectangle"].items[0]
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_the_frozen_key_of_the_package_is_in_step():
    assert check_public_key(find_course()) == []


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_changed_solution_is_found_and_freezing_again_mends_it(course):
    change(course.solutions / "multi_head.py", "def score_variance", "# another remark\n\n\ndef score_variance")
    assert check_public_key(course) == ["The inputs, tolerances or sources have changed since the key was frozen."]
    write_public_key(course)
    assert check_public_key(course) == []


def test_line_ends_of_another_system_are_no_change(course):
    path = course.solutions / "multi_head.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert check_public_key(course) == []


def test_a_changed_mistake_is_found_by_its_code(course):
    path = course.solutions / "mistakes" / "third_key.py"
    with path.open("a", encoding="utf-8") as stream:
        stream.write('\nMISTAKES["dominant_key"]["E1-54"] = lambda weights: np.zeros(len(weights), int)\n')
    faults = check_public_key(course)
    assert faults
    assert all(fault.startswith("dominant_key: E1-54 gives another answer on ") for fault in faults)


def test_a_mistake_that_came_or_went_is_found(course, key):
    mistakes = {name: dict(table) for name, table in key.mistakes.items()}
    del mistakes["dominant_key"]["E1-54"]
    assert refreeze(course, key, mistakes=mistakes) == ["dominant_key: the known mistakes have changed."]


def refreeze(course, key, **changes):
    course.public_key.write_bytes(freeze(key._replace(**changes)))
    return check_public_key(course)


def test_a_changed_tolerance_is_found(course, key):
    probes = list(key.probes)
    k = next(k for k, probe in enumerate(probes) if probe.id == "softmax/rectangle")
    probes[k] = probes[k]._replace(tolerances=(Tolerance(right=1e-3, scale=1.0),))
    assert refreeze(course, key, probes=tuple(probes)) == [
        "The inputs, tolerances or sources have changed since the key was frozen."
    ]


def test_a_changed_answer_is_found_by_its_probe(course, key):
    answers = dict(key.answers)
    wrong = answers["softmax/rectangle"].items[0] + 1e-6
    answers["softmax/rectangle"] = answers["softmax/rectangle"]._replace(items=(wrong,))
    assert refreeze(course, key, answers=answers) == ["softmax/rectangle: the right answer has moved."]


def test_last_bits_that_differ_between_processors_are_no_change(course, key):
    answers = dict(key.answers)
    near = answers["softmax/rectangle"].items[0] * (1 + 1e-14)
    answers["softmax/rectangle"] = answers["softmax/rectangle"]._replace(items=(near,))
    assert refreeze(course, key, answers=answers) == []


def test_any_damage_is_a_course_error_or_harmless(key):
    content = freeze(key)
    rng, told = np.random.default_rng(0), []
    ends = [*range(0, 200, 11), *range(len(content) - 400, len(content), 23)]  # the headers of the archive
    for place in [*ends, *rng.integers(0, len(content), 20)]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        try:
            dict(thaw(bytes(damaged)).mistakes)
        except CourseError as error:
            told.append(str(error))
    assert len(told) > 10
    assert all("`grade key`" in text and "\n" not in text for text in told)
    for size in (0, 1, 100, len(content) // 2, len(content) - 1):
        with pytest.raises(CourseError, match="damaged"):
            thaw(content[:size])


@pytest.mark.parametrize("content", [b"", b"PK", b"text", b"\x93NUMPY\x01\x00"])
def test_bytes_that_are_no_archive_are_refused(content):
    with pytest.raises(CourseError, match=r"damaged .*grade key"):
        thaw(content)


def labelled(content):
    stream = io.BytesIO(content)
    write_label(stream, KeyLabel(1706, "0" * 64))
    return stream.getvalue()


def test_a_key_of_another_format_is_refused_by_its_number(monkeypatch, key):
    monkeypatch.setattr("grader.key.label.FORMAT", 99)
    content = freeze(key)
    monkeypatch.undo()
    with pytest.raises(CourseError, match=rf"has format 99, not {FORMAT}\. Write it with `grade key`\."):
        thaw(content)


def saved(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def test_other_archives_are_refused():
    header = np.frombuffer(json.dumps({"probes": [{}]}).encode(), np.uint8)
    empty = {"right_f": np.empty(0), "right_i": np.empty(0, int), "right_b": np.empty(0, bool)}
    for members in ({"x": np.ones(2)}, {"right": header}, {"right": header, **empty}):
        for content in (saved(**members), labelled(saved(**members))):
            with pytest.raises(CourseError, match=r"damaged.*grade key"):
                thaw(content)
    stream = io.BytesIO()
    np.save(stream, np.ones(3))
    with pytest.raises(CourseError, match="damaged"):
        thaw(stream.getvalue())


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"public_key\.npz cannot be read.*grade key"):
        load_key(tmp_path / "public_key.npz")


def test_a_damaged_file_is_told_with_the_command_that_writes_that_file(course):
    course.public_key.write_bytes(b"PK")
    command = re.escape(f"`{key_command(course.public_key)}`")
    for read in (load_key, read_label):
        with pytest.raises(CourseError, match=rf"damaged.*{command}"):
            read(course.public_key)


def other_rounding(answer, right, scale):
    """Return what another processor may give for a mistake that is all rounding: as far from the right answer."""
    rng = np.random.default_rng(0)
    items = tuple(
        r + scale * rng.choice([-1, 1], np.shape(r)) * np.abs(a - r)
        for a, r in zip(answer.items, right.items, strict=True)
    )
    return answer._replace(items=items)


@pytest.mark.parametrize(("scale", "found"), [(1, False), (20, True)])
def test_errors_of_rounding_may_differ_between_processors_as_far_as_they_go(course, key, scale, found):
    mistakes = {name: dict(table) for name, table in key.mistakes.items()}
    table = mistakes["numerical_gradient"]
    table["FD-02"] = {name: other_rounding(a, key.answers[name], scale) for name, a in table["FD-02"].items()}
    faults = refreeze(course, key, mistakes=mistakes)
    assert bool(faults) == found
    assert all("FD-02" in fault for fault in faults)
