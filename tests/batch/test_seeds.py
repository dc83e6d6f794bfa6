"""The hidden seed of a batch folder."""

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.batch.seeds import NAME, keep_seed, settle_seed
from grader.errors import UsageError


def test_a_seed_is_drawn_once_and_read_afterwards(tmp_path):
    (tmp_path / "other").mkdir()
    first = settle_seed(tmp_path, None)
    assert settle_seed(tmp_path, None) == first
    assert settle_seed(tmp_path / "other", None) != first
    assert first.bit_length() > 32


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
@pytest.mark.parametrize("chosen", [None, 5])
def test_only_the_owner_may_read_it(tmp_path, chosen):
    settle_seed(tmp_path, chosen)
    if chosen is not None:
        keep_seed(tmp_path, chosen)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_chosen_seed_is_the_folders_seed_from_then_on(tmp_path):
    drawn = settle_seed(tmp_path, None)
    assert settle_seed(tmp_path, 5) == 5
    assert settle_seed(tmp_path, None) == drawn  # nothing was graded with 5
    keep_seed(tmp_path, 5)
    assert settle_seed(tmp_path, None) == 5


def test_an_equal_seed_is_not_written_again(tmp_path):
    keep_seed(tmp_path, 5)
    before = (tmp_path / NAME).stat()
    keep_seed(tmp_path, 5)
    after = (tmp_path / NAME).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_runs_that_draw_at_the_same_time_agree(tmp_path):
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: settle_seed(tmp_path, None), range(32)))) == 1


@pytest.mark.parametrize("content", ["", "-3", "five", "1 2"])
def test_a_file_that_holds_no_seed_is_not_replaced_silently(tmp_path, content):
    (tmp_path / NAME).write_text(content)
    with pytest.raises(UsageError, match="everybody is graded again"):
        settle_seed(tmp_path, None)
    assert (tmp_path / NAME).read_text() == content


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    with pytest.raises(UsageError, match="--out DIR"):
        settle_seed(tmp_path / "missing", None)
    with pytest.raises(UsageError, match="--out DIR"):
        keep_seed(tmp_path / "missing", 5)


@pytest.mark.parametrize("content", [b"7" * 5000, b"\xff\x00" * 20, b"7" * (1 << 20), "\u0663".encode()])
def test_what_nobody_wrote_as_a_seed_is_one_sentence(tmp_path, content):
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(UsageError, match="holds no seed"):
        settle_seed(tmp_path, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names there")
def test_a_pipe_in_the_place_of_the_seed_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(UsageError, match="holds no seed"):
        settle_seed(tmp_path, None)
