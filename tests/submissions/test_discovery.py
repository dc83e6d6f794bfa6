"""Which files are read, which are not, and what is said about them."""

import os
import socket
import sys
from pathlib import Path

import pytest

from grader.errors import NothingToGradeError, UsageError
from grader.submissions import FunctionState, read_submission
from grader.submissions import discover as discover_files
from grader.submissions.discovery import MAX_LISTED, MAX_SCRIPT, TooMuchError
from grader.submissions.reasons import tell_skipped


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")
    return folder


def names_in(*paths: Path) -> list[str]:
    return [file.name for file in discover_files(paths).files]


def reasons_in(*paths: Path) -> dict[str, str]:
    return dict(discover_files(paths).skipped)


def test_files_come_in_a_fixed_order_outer_folders_first(tmp_path):
    write(tmp_path, "b.py", "a.ipynb", "sub/a.py", "another/z.py")
    assert names_in(tmp_path) == ["a.ipynb", "b.py", "another/z.py", "sub/a.py"]


@pytest.mark.parametrize(
    "name", ["third_key.py", "THIRD_KEY.PY", "hw 1 (final).ipynb", "Ünal, Zoë.py", "作业1.ipynb", "🙂.py", "a.b.py"]
)
def test_unusual_names_are_found(tmp_path, name):
    write(tmp_path, name)
    assert names_in(tmp_path) == [name]


def test_names_are_given_in_composed_form(tmp_path):
    write(tmp_path, "Zoe\u0308.py")
    assert names_in(tmp_path) == ["Zoë.py"]


def test_names_that_cannot_be_written_are_written_out(tmp_path):
    try:
        (Path(os.fsencode(tmp_path).decode()) / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (tmp_path / "two\nlines.py").write_text("x = 1\n")
    names = names_in(tmp_path)
    assert sorted(names) == ["caf\\udce9.py", "two\\nlines.py"]


@pytest.mark.parametrize("name", ["attention.ipynb.txt", "attention.ipynb.json", "third_key.py.txt"])
def test_an_ending_that_a_browser_added_does_not_hide_a_file(tmp_path, name):
    write(tmp_path, name)
    assert names_in(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        (".ipynb_checkpoints/attention-checkpoint.ipynb", ".ipynb_checkpoints/", "checkpoints of a notebook editor"),
        ("__MACOSX/._third_key.py", "__MACOSX/", "left by macOS"),
        ("._third_key.py", "._third_key.py", "left by macOS"),
        (".git/hooks/x.py", ".git/", "hidden"),
        (".hidden.py", ".hidden.py", "hidden"),
        ("__pycache__/third_key.py", "__pycache__/", "compiled Python"),
        ("lib/site-packages/x.py", "lib/site-packages/", "installed packages"),
        ("weights.npy", "weights.npy", "not Python"),
        ("a-checkpoint.ipynb", "a-checkpoint.ipynb", "a checkpoint of the notebook beside it"),
    ],
)
def test_noise_is_skipped_with_its_reason(tmp_path, name, entry, reason):
    write(tmp_path, "a.ipynb", name)
    assert names_in(tmp_path) == ["a.ipynb"]
    assert reasons_in(tmp_path) == {entry: reason}


def test_a_virtual_environment_is_skipped_by_its_marker_whatever_it_is_called(tmp_path):
    write(tmp_path, "a.py", "my env/pyvenv.cfg", "my env/lib/random_things.py", "environment/helper.py")
    assert names_in(tmp_path) == ["a.py", "environment/helper.py"]
    assert reasons_in(tmp_path) == {"my env/": "a virtual environment"}


def test_a_checkpoint_without_its_notebook_is_read(tmp_path):
    write(tmp_path, "a-checkpoint.ipynb")
    assert names_in(tmp_path) == ["a-checkpoint.ipynb"]


def test_folders_that_the_caller_leaves_out_are_not_entered(tmp_path):
    write(tmp_path, "a.py", "mistakes/a.py")
    found = discover_files([tmp_path], [tmp_path / "mistakes"])
    assert [file.name for file in found.files] == ["a.py"]
    assert found.skipped == (("mistakes/", "not part of the answers"),)


def test_known_mistakes_beside_model_answers_are_nobodys_answers(tmp_path, monkeypatch):
    write(tmp_path, "solutions/a.py", "solutions/mistakes/a.py", "mistakes/b.py", "solutions/deep/mistakes/c.py")
    assert names_in(tmp_path) == ["mistakes/b.py", "solutions/a.py", "solutions/deep/mistakes/c.py"]
    assert reasons_in(tmp_path) == {"solutions/mistakes/": "not part of the answers"}
    monkeypatch.chdir(tmp_path / "solutions")
    assert names_in(Path()) == ["a.py", "deep/mistakes/c.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_are_followed_inside_the_submission_only(tmp_path):
    outside = write(tmp_path / "outside", "secret.py")
    work = write(tmp_path / "work", "a.py", "sub/b.py")
    (work / "out.py").symlink_to(outside / "secret.py")
    (work / "in.py").symlink_to(work / "sub" / "b.py")
    (work / "folder").symlink_to(outside)
    (work / "gone.py").symlink_to(work / "nowhere.py")
    (work / "loop.py").symlink_to(work / "loop.py")
    names = names_in(work)
    assert names == ["a.py", "in.py"]
    reasons = reasons_in(work)
    assert reasons["out.py"] == reasons["folder"] == "a link that leads out of the submission"
    assert reasons["gone.py"] == reasons["loop.py"] == "a link that leads nowhere"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such thing on this system")
def test_pipes_and_sockets_are_not_opened(tmp_path, monkeypatch):
    write(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe.py")
    monkeypatch.chdir(tmp_path)  # a socket's path is limited to 100 characters
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s.py")
        assert reasons_in(tmp_path) == {"pipe.py": "not a regular file", "s.py": "not a regular file"}


def test_a_file_over_the_limit_is_skipped_and_the_limit_is_named(tmp_path):
    write(tmp_path, "a.py")
    with (tmp_path / "big.py").open("wb") as file:
        file.truncate(MAX_SCRIPT + 1024)
    with (tmp_path / "big.ipynb").open("wb") as file:
        file.truncate(257 * 1024 * 1024)  # sparse: takes no space
    reasons = reasons_in(tmp_path)
    assert reasons["big.py"] == "too large: 4097 KiB, the limit is 4096 KiB"
    assert "257 MiB, the limit is 256 MiB; clear its outputs" in reasons["big.ipynb"]


def test_very_many_entries_end_the_search(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.submissions.discovery.MAX_LISTED", 30)
    write(tmp_path, *(f"{i}.txt" for i in range(31)))
    with pytest.raises(UsageError, match="holds more than 30 files"):
        discover_files([tmp_path])
    assert MAX_LISTED > 1000


def test_a_tree_deeper_than_a_path_may_be_long_is_no_failure(tmp_path, monkeypatch):
    write(tmp_path, "a.py")
    monkeypatch.chdir(tmp_path)
    for _ in range(1500):
        Path("deeper").mkdir()
        os.chdir("deeper")
    try:
        assert names_in(tmp_path) == ["a.py"]
    finally:
        for _ in range(1500):  # `shutil.rmtree` would exhaust the stack
            os.chdir("..")
            Path("deeper").rmdir()


def test_the_same_file_given_twice_is_one(tmp_path):
    write(tmp_path, "a.py")
    assert names_in(tmp_path, tmp_path / "a.py") == ["a.py"]


def test_two_files_of_one_name_keep_apart(tmp_path):
    write(tmp_path, "x/a.py", "y/a.py", "p/x/a.py")
    assert names_in(tmp_path / "x", tmp_path / "y", tmp_path / "p" / "x") == ["x/a.py", "y/a.py", "x/a.py [2]"]


def test_no_absolute_path_is_shown(tmp_path, monkeypatch):
    write(tmp_path, "work/a.py")
    assert discover_files([tmp_path / "work"]).label == "work"
    assert discover_files([tmp_path / "work" / "a.py"]).label == "a.py"
    monkeypatch.chdir(tmp_path / "work")
    assert discover_files([Path()]).label == "."
    assert discover_files([Path("../work/a.py")]).label == "a.py"


@pytest.mark.parametrize(
    ("prepare", "kind", "sentence"),
    [
        (lambda top: top / "nowhere", UsageError, "nowhere does not exist"),
        (lambda top: top / ("n" * 3000), UsageError, "cannot be read"),
        (lambda top: Path("nul\0.py"), UsageError, "cannot be read"),
        (lambda top: top, NothingToGradeError, "is empty"),
        (lambda top: write(top, "notes.txt") / "notes.txt", NothingToGradeError, r"notes.txt was skipped: not Python"),
        (lambda top: write(top, "a.txt", "b.txt"), NothingToGradeError, "a.txt, b.txt were skipped: not Python"),
        (lambda top: write(top, ".git/a.py"), NothingToGradeError, r"\.git/: hidden"),
    ],
)
def test_nothing_to_read_is_one_sentence(tmp_path, prepare, kind, sentence):
    with pytest.raises(kind, match=sentence) as caught:
        discover_files([prepare(tmp_path)])
    assert str(tmp_path.parent) not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_path_at_all_is_one_sentence():
    with pytest.raises(NothingToGradeError, match="no path was given"):
        discover_files([])


def test_notes_on_skipped_files_are_grouped_and_leave_noise_out():
    skipped = [(f"{i}.csv", "not Python") for i in range(5)] + [(".git/", "hidden"), ("README.md", "not Python")]
    assert tell_skipped(skipped) == ["0.csv, 1.csv, 2.csv and 2 more were skipped: not Python"]
    assert tell_skipped([("scratch.txt", "not Python")]) == ["scratch.txt was skipped: not Python"]


# limits on what lies together


def test_twenty_five_thousand_files_are_refused_with_a_sentence_that_a_class_takes_for_no_work(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.submissions.discovery.MAX_LISTED", 50)
    write(tmp_path, *(f"{i}.py" for i in range(51)))
    with pytest.raises(TooMuchError, match="holds more than 50 files") as caught:
        discover_files([tmp_path])
    assert isinstance(caught.value, NothingToGradeError)
    assert caught.value.exit_code == UsageError.exit_code


def test_files_that_are_too_large_together_are_left_out_before_any_is_opened(tmp_path, read):
    write(tmp_path / "work", "a.py")
    for number in range(60):
        with (tmp_path / "work" / f"n{number}.ipynb").open("wb") as file:
            file.write(b"{")
            file.truncate(250 * 1024 * 1024)  # sparse: takes no space
    found = discover_files([tmp_path / "work"])
    assert [file.name for file in found.files] == ["a.py", "n0.ipynb"]
    assert len(found.skipped) == 59
    assert found.skipped[0][1] == "too large: the files hold 15001 MiB together, the limit is 320 MiB"


def test_functions_say_which_file_was_not_read(tmp_path, asked):
    write(tmp_path, "third_key.py")
    with (tmp_path / "multi_head.py").open("wb") as file:
        file.truncate(MAX_SCRIPT + 1)
    (tmp_path / "third_key.py").write_text("def softmax(x, axis=-1):\n    return x\n")
    submission = read_submission([tmp_path], asked)
    sentence = "multi_head.py was not read: too large: 4097 KiB, the limit is 4096 KiB"
    assert submission.definitions["softmax"].state is FunctionState.DEFINED
    for name in ("split_heads", "head_scale", "attention", "CHAIN"):
        assert submission.definitions[name].state is FunctionState.UNREADABLE
        assert submission.definitions[name].cause == sentence
    assert [file.name for file in submission.files] == ["third_key.py"]
    assert submission.notes == ("multi_head.py was skipped: too large: 4097 KiB, the limit is 4096 KiB",)


def test_work_that_is_nothing_but_too_large_is_work_all_the_same(tmp_path, asked):
    with (tmp_path / "multi_head.py").open("wb") as file:
        file.truncate(MAX_SCRIPT + 1)
    submission = read_submission([tmp_path], asked)
    assert {definition.state for definition in submission.definitions.values()} == {FunctionState.UNREADABLE}
    assert submission.files == ()


def test_names_that_differ_in_unseen_characters_only_stay_apart(tmp_path):
    write(tmp_path, "a.py", "a\u200b.py", "\u202ea.py")
    assert sorted(names_in(tmp_path)) == ["\\u202ea.py", "a.py", "a\\u200b.py"]


def test_a_thousand_files_of_one_name_get_a_thousand_names(tmp_path):
    for number in range(300):
        write(tmp_path / str(number), "x/a.py")
    names = names_in(*(tmp_path / str(number) / "x" for number in range(300)))
    assert len(set(names)) == 300
    assert names[:3] == ["x/a.py", "x/a.py [2]", "x/a.py [3]"]
