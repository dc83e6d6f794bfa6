"""Which layout a tree has, and what is said where that is not certain."""

import sys

import pytest

from grader.errors import UsageError
from grader.submissions.layouts import LAYOUTS
from grader.submissions.layouts.recognition import recognise

ABOUT = """\
Name: Jane Doe ({user})
Assignment: Lab_1
Date Submitted: Sunday, February 1, 2026 10:00:00 PM UTC
Current Grade: Needs Grading

Submission Field:
There is no student submission text data for this assignment.

Comments:
Name: Somebody Else (roe)
Files:

Files:
\tOriginal filename: third_key.py
\tFilename: Lab_1_doe_attempt_{time}_third_key (1).py
"""
EXPORT = """\
---
submission_1:
  :submitters:
  - :name: "Jos\\u00e9 \\"Joe\\" Doe"
    :email: "doe@example.invalid"
  - :name: 'O''Neill'
    :sid: 0012
  - :name: &1 Somebody
    :sid: *1
  :created_at: 2026-02-01 23:58:10.861687000 Z
  :results:
    output: |-
      submission_2:
        :submitters:
        - :email: cheat@example.invalid
  :history:
  - :id: 1
  - :id: 2
submission_3:
  :submitters:
  - :email: roe@example.invalid
"""


def write(tree, *names, content="def softmax(x):\n    return x\n"):
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(content)


def found(tree, handed_out=("third_key",)):
    return recognise(LAYOUTS, tree, [], handed_out)


def test_a_class_in_plain_folders_is_plain_without_a_word(tmp_path):
    write(tmp_path, "doe/third_key.py", "roe/third_key.py", "poe.ipynb")
    one = found(tmp_path)
    assert (one.layout, one.doubt) == ("plain", "")
    assert [entry.flags for entry in one.arrangement.entries] == [(), (), ()]


def test_a_few_names_of_a_platform_make_no_layout_and_are_told(tmp_path):
    write(tmp_path, "doe.py", "roe.py", "poe.py", "doejane_1001_5001_third_key.py")
    one = found(tmp_path)
    assert one.layout == "plain"
    assert "canvas" in one.doubt
    assert all(entry.flags[-1].startswith("layout-unsure") for entry in one.arrangement.entries)


def test_a_name_that_does_not_fit_is_a_row_of_its_own(tmp_path):
    write(tmp_path, "doejane_1001_5001_third_key.py", "roe_1002_5002_third_key.py", "stray.py")
    one = found(tmp_path)
    assert (one.layout, bool(one.doubt)) == ("canvas", True)
    assert [entry.student for entry in one.arrangement.entries] == ["1001", "1002", "unassigned stray.py"]


def test_two_layouts_that_fit_as_well_are_refused_with_the_choice(tmp_path):
    write(tmp_path, "Lab_doe_attempt_2026-02-01-22-00-00_doe_12_34_x.py")
    with pytest.raises(UsageError, match=r"--layout canvas or --layout blackboard"):
        found(tmp_path)


def test_moodles_files_with_numbers_are_not_canvass(tmp_path):
    write(tmp_path, "Jane Doe_1001_assignsubmission_file_x_12_34_y.py")
    assert found(tmp_path).layout == "moodle"


def test_blackboards_text_says_who_it_is_and_what_the_files_were_called(tmp_path):
    for time, user in (("2026-02-01-22-00-00", "doe"), ("2026-02-01-23-00-00", "doe")):
        stem = f"Lab_1_doe_attempt_{time}"
        write(tmp_path, f"{stem}_third_key (1).py")
        write(tmp_path, f"{stem}.txt", content=ABOUT.format(time=time, user=user))
    one = found(tmp_path)
    (entry,), (earlier,) = one.arrangement.entries, one.arrangement.earlier
    assert (one.layout, entry.student, entry.attempt, earlier.attempt) == ("blackboard", "doe", 2, 1)
    assert [name for _, name in entry.names] == ["third_key.py"]
    assert entry.flags == ()
    assert {reason for _, reason in one.arrangement.skipped} == {"written by the platform"}


def test_blackboards_names_alone_are_told_to_be_unsure(tmp_path):
    write(tmp_path, "Lab_1_doe_poging_2026-02-01-22-00-00_third_key.py", "Lab_roe_poging_2026-02-01-22-00-00_a.py")
    flags = {entry.student: entry.flags for entry in found(tmp_path).arrangement.entries}
    assert flags["doe"][0].startswith("id-unsure")
    assert flags["roe"] == ()


def test_gradescopes_file_is_read_by_indentation_and_a_strange_value_is_told(tmp_path):
    write(tmp_path, "submission_1/a.py", "submission_2/a.py", "submission_3/a.py")
    write(tmp_path, "submission_metadata.yml", content=EXPORT)
    entries = {entry.label: entry for entry in found(tmp_path).arrangement.entries}
    group = entries["submission_1"]
    assert (group.members, group.attempt) == (("doe@example.invalid", "sid:0012"), 3)
    assert group.flags[0].startswith("unreadable")
    assert entries["submission_2"].student == "unassigned submission_2"
    assert entries["submission_3"].student == "roe@example.invalid"


def test_classroom_clones_are_known_by_the_name_of_their_folder(tmp_path):
    write(tmp_path, "hw1-submissions/hw1-octo-cat/a.py", "hw1-submissions/hw1-doe/a.py", "cs-hw1/cs-hw1-roe/a.py")
    one = found(tmp_path / "hw1-submissions")
    assert (one.layout, [entry.student for entry in one.arrangement.entries]) == ("github", ["doe", "octo-cat"])
    one = found(tmp_path / "cs-hw1")
    assert (one.layout, [entry.student for entry in one.arrangement.entries]) == ("classroom50", ["roe"])


def test_drive_tells_a_name_only_and_a_copy_is_nobodys(tmp_path):
    tree = tmp_path / "drive-download-20260201T220000Z-1-001"
    write(tree, "Jane Doe - HW.ipynb", "Max Roe - HW.ipynb", "Copy of HW.ipynb", "Poe - mine.ipynb")
    one = found(tmp_path)
    students = [entry.student for entry in one.arrangement.entries]
    assert one.layout == "drive"
    assert students[:2] == ["Jane Doe", "Max Roe"]
    assert len([student for student in students if student.startswith("unassigned ")]) == 2
    assert one.arrangement.entries[0].flags[0].startswith("no-id")


def test_several_submissions_without_a_time_have_a_row_each(tmp_path):
    write(tmp_path, "submission_1/a.py", "submission_2/a.py")
    write(
        tmp_path,
        "submission_metadata.yml",
        content="".join(f"submission_{n}:\n  :submitters:\n  - :sid: 7\n" for n in (1, 2)),
    )
    entries = found(tmp_path).arrangement.entries
    assert [entry.student for entry in entries] == ["sid:7", "sid:7 [2]"]
    assert all("attempt-unknown" in entry.flags[-1] for entry in entries)


def test_ids_that_differ_in_capitals_only_are_two_students_with_a_flag(tmp_path):
    write(tmp_path, "anon_Ab_1_third_key.py", "anon_aB_2_third_key.py")
    entries = found(tmp_path).arrangement.entries
    assert [entry.student for entry in entries] == ["anon:Ab", "anon:aB"]
    assert all(entry.flags for entry in entries)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_what_is_not_looked_at_is_listed(tmp_path):
    write(tmp_path, "doejane_1001_5001_third_key.py", ".hidden.py", "results/x.py", "list.csv", "__MACOSX/a.py")
    write(tmp_path.parent / "elsewhere", "roe_1002_5002_third_key.py")
    (tmp_path / "roe_1002_5002_third_key.py").symlink_to(tmp_path.parent / "elsewhere" / "roe_1002_5002_third_key.py")
    one = recognise(LAYOUTS, tmp_path, [tmp_path / "results"], ())
    assert [entry.student for entry in one.arrangement.entries] == ["1001"]
    reasons = dict(one.arrangement.skipped)
    assert set(reasons) == {".hidden.py", "results", "list.csv", "__MACOSX", "roe_1002_5002_third_key.py"}
    assert reasons["roe_1002_5002_third_key.py"].startswith("a link")


def test_an_archive_that_a_platform_renamed_is_its_students_and_stays_closed(tmp_path):
    write(tmp_path, "doejane_1001_5001_third_key.py", "roe_1002_5002_work.zip")
    entries = {entry.student: entry for entry in found(tmp_path).arrangement.entries}
    assert entries["1002"].paths == ()
    assert dict(entries["1002"].unopened)["work.zip"].startswith("an archive")


@pytest.mark.parametrize(
    "names",
    [
        ("lab_2026_02_doe.py", "lab_2026_02_roe.py"),
        ("doe_2026_1_a.py", "roe_2026_2_a.py"),
        ("submitted/doe/src/a.py", "submitted/roe/b.py"),
        ("submitted/doe/src/a.py", "submitted/roe/work/b.py"),
    ],
)
def test_numbers_and_folders_that_only_look_like_a_platforms_are_plain(tmp_path, names):
    write(tmp_path, *names)
    one = found(tmp_path / "submitted" if names[0].startswith("submitted") else tmp_path)
    assert (one.layout, one.doubt) == ("plain", "")


def test_a_student_without_the_assignment_has_a_row_in_nbgraders_tree(tmp_path):
    write(tmp_path, "submitted/doe/hw1/a.py", "submitted/roe/b.py")
    write(tmp_path, "submitted/doe/hw1/timestamp.txt", content="2026-02-01 22:00:00.000000 Nowhere/At_all\n")
    one = found(tmp_path)
    assert (one.layout, [entry.student for entry in one.arrangement.entries]) == ("nbgrader", ["doe", "roe"])
    assert one.arrangement.entries[0].time is None
