"""Opening files: nothing but plain ones, without waiting, and no more of them than agreed."""

import errno
import os
import socket
import sys

import pytest

from grader.submissions import FunctionState, read_submission
from grader.submissions.opening import hash_plain_file, read_plain_file

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no such things there")


def test_a_plain_file_is_read_and_hashed(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert read_plain_file(tmp_path / "a", 3) == b"abc"
    assert hash_plain_file(tmp_path / "a").startswith("ba7816bf")


def test_a_file_that_has_grown_is_not_read(tmp_path):
    (tmp_path / "a").write_bytes(b"abcd")
    with pytest.raises(OSError, match="large") as caught:
        read_plain_file(tmp_path / "a", 3)
    assert caught.value.errno == errno.EFBIG


@POSIX
@pytest.mark.parametrize("kind", ["fifo", "socket", "device", "folder", "loop", "nothing"])
def test_what_is_no_plain_file_is_never_waited_for(tmp_path, monkeypatch, kind):
    place = tmp_path / "x.py"
    monkeypatch.chdir(tmp_path)  # a socket's path is limited to 100 characters
    with socket.socket(socket.AF_UNIX) as bound:
        match kind:
            case "fifo":
                os.mkfifo(place)
            case "socket":
                bound.bind("x.py")
            case "device":
                place.symlink_to("/dev/zero")
            case "folder":
                place.mkdir()
            case "loop":
                place.symlink_to(place)
        with pytest.raises(OSError):  # noqa: PT011 (which one depends on the system)
            read_plain_file(place, 10)
        assert hash_plain_file(place) == ""


@POSIX
def test_a_file_that_becomes_a_pipe_after_it_was_found_costs_itself_only(tmp_path, asked, monkeypatch):
    from grader import submissions

    (tmp_path / "third_key.py").write_text("def attention(Q, K, V):\n    return Q, K\n")
    (tmp_path / "b.py").write_text("x = 1\n")
    discover = submissions.discover

    def exchange(*arguments):
        found = discover(*arguments)
        (tmp_path / "b.py").unlink()
        os.mkfifo(tmp_path / "b.py")
        return found

    monkeypatch.setattr(submissions, "discover", exchange)
    submission = read_submission([tmp_path], asked)
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["softmax"].cause == "b.py cannot be read (not a regular file)"
