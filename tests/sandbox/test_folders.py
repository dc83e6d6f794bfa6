import os
import sys

import pytest

from grader.sandbox import folders

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX names and modes")


def test_three_thousand_nested_folders_are_removed(tmp_path):
    top = tmp_path / "top"
    top.mkdir()
    where = os.open(top, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=where)
        inner = os.open("d", os.O_RDONLY, dir_fd=where)
        os.close(where)
        where = inner
    os.close(where)
    folders.wipe(str(top))
    assert list(tmp_path.iterdir()) == []


def test_closed_folders_and_odd_names_are_removed(tmp_path):
    top = tmp_path / "top"
    closed = top / "closed"
    closed.mkdir(parents=True)
    (closed / "new\nline").write_text("x")
    (closed / "-rf").mkdir()
    (top / ".hidden").touch(mode=0o000)
    os.mkfifo(top / "pipe")
    os.close(os.open(os.fsencode(top) + b"/\xff\xfe", os.O_CREAT))
    closed.chmod(0)
    top.chmod(0)
    folders.wipe(str(top))
    assert list(tmp_path.iterdir()) == []


def test_links_are_removed_and_what_they_point_to_stays(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("stays")
    top = tmp_path / "top"
    top.mkdir()
    (top / "link").symlink_to(kept)
    (top / "file").symlink_to(kept / "file")
    (top / "hard").hardlink_to(kept / "file")
    folders.wipe(str(top))
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "stays"


def test_a_link_in_place_of_the_folder_is_removed_and_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o750)
    (kept / "file").write_text("stays")
    for remove in (folders.wipe, folders.clear):
        (tmp_path / "top").symlink_to(kept)
        remove(str(tmp_path / "top"))
        assert [p.name for p in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "stays"
    assert kept.stat().st_mode & 0o777 == 0o750


def test_clearing_keeps_the_folder_itself(tmp_path):
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "file").touch()
    folders.clear(str(top))
    assert list(top.iterdir()) == []


def test_the_size_counts_files_folders_and_many_empty_files(tmp_path):
    (tmp_path / "big").write_bytes(b"x" * (3 << 20))
    assert folders.measure(str(tmp_path)).size >= 3 << 20
    few = folders.measure(str(tmp_path)).size
    for i in range(200):
        (tmp_path / str(i)).touch()
    assert folders.measure(str(tmp_path)).size >= few + 200 * 512


def test_what_is_not_there_is_no_error(tmp_path):
    folders.wipe(str(tmp_path / "nothing"))
    folders.clear(str(tmp_path / "nothing"))
    assert folders.measure(str(tmp_path / "nothing")) == (0, 0)


def test_a_cleared_folder_is_there_and_empty_or_said_not_to_be(tmp_path):
    top = tmp_path / "top"
    (top / "inner").mkdir(parents=True)
    (top / "file").touch()
    assert folders.clear(str(top))
    assert folders.clear(str(top))
    assert list(top.iterdir()) == []
    top.rmdir()
    assert not folders.clear(str(top))
    top.symlink_to(tmp_path)
    assert not folders.clear(str(top))
    assert not top.is_symlink()
    top.touch()
    assert not folders.clear(str(top))


def test_a_folder_that_cannot_be_emptied_is_not_called_empty(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(folders, "_unlink", lambda _path: None)
    assert not folders.clear(str(tmp_path))


def test_names_like_those_of_the_wiping_itself_are_no_obstacle(tmp_path):
    top = tmp_path / "top"
    for clear in (folders.clear, folders.wipe):
        for k in range(4):
            (top / ("a" + ".1" * k) / "x" / "y").mkdir(parents=True)
            (top / f"{k}" / f"top.{k}").mkdir(parents=True)
        assert clear(str(top)) in (True, None)
        assert [path.name for path in tmp_path.rglob("*")] == (["top"] if clear is folders.clear else [])
