"""From a tree to whose work is whose, with a reason for every file that is left out."""

import sys
import unicodedata

import pytest

from grader.batch.collect import DownloadOptions, collect
from grader.errors import NothingToGradeError, UsageError

PLAIN = DownloadOptions("plain")
WORK = "def softmax(x, axis=-1):\n    return x\n"


def write(tree, *names):
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(WORK)


def students(tree, *leave_out):
    return {hand_in.entry.student: hand_in for hand_in in collect(tree, PLAIN, leave_out).hand_ins}


def reasons(tree, *leave_out):
    return {(s.student, s.file): s.reason for s in collect(tree, PLAIN, leave_out).skipped}


def test_a_folder_and_files_of_one_name_are_one_submission(tmp_path):
    write(tmp_path, "doe/third_key.py", "doe.py", "doe.ipynb", "roe.ipynb.txt")
    found = students(tmp_path)
    assert set(found) == {"doe", "roe"}
    assert {file.name for file in found["doe"].files} == {"third_key.py", "doe.py", "doe.ipynb"}
    assert found["doe"].entry.label == "doe, doe.ipynb, doe.py"


def test_an_accent_in_two_spellings_is_one_student(tmp_path):
    for form in ("NFC", "NFD"):
        write(tmp_path, unicodedata.normalize(form, "Zoë") + {"NFC": "/a.py", "NFD": ".py"}[form])
    assert set(students(tmp_path)) == {"Zoë"}


def test_each_file_that_is_left_out_has_its_reason(tmp_path):
    write(
        tmp_path, "doe/a.py", "doe/.ipynb_checkpoints/a.py", "doe/.a.py", "__MACOSX/doe/a.py", "._doe.py", ".git/a.py"
    )
    (tmp_path / "doe" / "table.csv").write_text("1,2\n")
    (tmp_path / "roe.zip").write_bytes(b"PK")
    (tmp_path / "list.txt").write_text("doe\n")
    assert reasons(tmp_path) == {
        ("", "__MACOSX"): "left by macOS",
        ("", "._doe.py"): "left by macOS",
        ("", ".git"): "hidden",
        ("roe", "roe.zip"): "an archive, which is not opened; unpack it first",
        ("", "list.txt"): "not Python",
        ("doe", ".ipynb_checkpoints/"): "checkpoints of a notebook editor",
        ("doe", ".a.py"): "hidden",
        ("doe", "table.csv"): "not Python",
    }


def test_the_files_of_somebody_without_python_have_reasons_too(tmp_path):
    (tmp_path / "doe").mkdir()
    (tmp_path / "doe" / "answers.docx").write_bytes(b"PK")
    assert students(tmp_path)["doe"].files == ()
    assert reasons(tmp_path) == {("doe", "answers.docx"): "not Python"}


def test_the_folder_of_the_results_is_nobodys_work(tmp_path):
    write(tmp_path, "doe.py", "results/x.py", "roe/results/x.py", "roe/a.py")
    assert set(students(tmp_path, tmp_path / "results")) == {"doe", "roe"}
    assert reasons(tmp_path, tmp_path / "results") == {("", "results"): "not part of the answers"}
    assert [file.name for file in students(tmp_path, tmp_path / "roe" / "results")["roe"].files] == ["a.py"]


def test_a_tree_without_anybodys_work_says_so(tmp_path):
    (tmp_path / "readme.txt").write_text("nothing\n")
    with pytest.raises(NothingToGradeError, match=r"readme.txt: not Python.*folder or file per student"):
        collect(tmp_path, PLAIN, [])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_that_is_not_followed_is_somebodys_all_the_same(tmp_path):
    write(tmp_path, "tree/doe.py", "elsewhere.py", "elsewhere/a.py")
    tree = tmp_path / "tree"
    (tree / "out.py").symlink_to(tmp_path / "elsewhere.py")
    (tree / "folder").symlink_to(tmp_path / "elsewhere")
    (tree / "gone.ipynb").symlink_to("nowhere.ipynb")
    (tree / "loop.py").symlink_to("loop.py")
    (tree / "notes.txt").symlink_to("nowhere.txt")
    found = students(tree)
    assert [student for student, hand_in in found.items() if hand_in.entry.paths] == ["doe"]
    assert set(found) == {"doe", "out", "folder", "gone", "loop"}
    told = reasons(tree)
    assert told[("gone", "gone.ipynb")] == told[("loop", "loop.py")] == "a link that leads nowhere"
    assert told[("", "notes.txt")] == "a link that leads nowhere"
    assert told[("out", "out.py")] == told[("folder", "folder")]
    assert told[("out", "out.py")].startswith("a link to a folder, or to something outside")


def test_what_belongs_to_somebody_with_work_makes_no_second_entry(tmp_path):
    write(tmp_path, "doe/a.py")
    (tmp_path / "doe.tar.gz").write_bytes(b"x")
    (hand_in,) = students(tmp_path).values()
    assert hand_in.entry.paths == (tmp_path / "doe",)
    assert [name for name, _ in hand_in.entry.unopened] == ["doe.tar.gz"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems fold such names themselves")
def test_names_that_only_a_system_tells_apart_are_two_students_with_a_flag(tmp_path):
    composed, spelled = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))
    write(
        tmp_path, f"{composed}/a.py", f"{spelled}/b.py", f"{composed}.py", f"{spelled}.py", "Doe.py", "doe/c.py", "x.py"
    )
    found = students(tmp_path)
    assert set(found) == {"Zoë", "Zoë [2]", "Doe", "doe", "x"}
    assert {student for student, hand_in in found.items() if hand_in.entry.flags} == {"Zoë", "Zoë [2]", "Doe", "doe"}
    for student in ("Zoë", "Zoë [2]"):
        assert len({path.stem for path in found[student].entry.paths}) == 1  # the same bytes stay together
        assert len(found[student].entry.paths) == 2


def test_a_second_name_never_takes_somebodys_own(tmp_path):
    write(tmp_path, "doe.py", "doe.py.txt", "doe [2]/a.py")
    assert set(students(tmp_path)) == {"doe", "doe [2]", "doe [3]"}


def test_the_results_of_an_earlier_batch_are_nobodys_work(tmp_path):
    write(tmp_path, "doe.py", "old/x.py", "old/reports/y.py", "older/students/z.py", "older/reports/z.py")
    (tmp_path / "old" / "hidden_seed").write_text("1")
    (tmp_path / "older" / "gradebook.csv").write_text("")
    assert set(students(tmp_path)) == {"doe"}
    assert reasons(tmp_path)[("", "old")] == reasons(tmp_path)[("", "older")] == "the results of an earlier batch"


def test_a_tree_one_level_too_high_is_refused_with_the_right_one(tmp_path):
    write(tmp_path, "wrap/doe/a.py", "wrap/roe/b.py")
    with pytest.raises(UsageError, match=r"Did you mean .*wrap\?"):
        collect(tmp_path, PLAIN, [])
    write(tmp_path, "wrap/c.py")
    assert set(students(tmp_path)) == {"wrap"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_text_stay_different(tmp_path):
    write(tmp_path, "doe\udcff.py", "doe\udcfe.py", "new\nline.py")
    assert set(students(tmp_path)) == {"doe\\udcff", "doe\\udcfe", "new\\nline"}
