"""The temporary folder of a batch, and those that nobody holds any more."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.batch import scratch
from grader.batch.scratch import PREFIX, open_scratch, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "YOUNG", -1.0)
    return tmp_path


def test_it_goes_with_all_that_is_in_it(place):
    with open_scratch() as top:
        (Path(top) / "a" / "b").mkdir(parents=True)
        assert Path(top).stat().st_mode & 0o077 == 0
    assert list(place.iterdir()) == []


def test_a_folder_that_a_killed_batch_left_is_removed_by_the_next_one(place):
    program = (
        "import os, sys\nfrom grader.batch.scratch import open_scratch\n"
        "with open_scratch() as top:\n    open(top + '/x', 'w').close()\n    os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"TMPDIR": str(place)}, check=False)
    (left,) = place.iterdir()
    with open_scratch() as top:
        assert [str(path) for path in place.iterdir()] == [top]
    assert not left.exists()


def test_a_folder_in_use_stays(place):
    with open_scratch() as top:
        sweep()
        assert Path(top).is_dir()


def test_a_young_folder_stays_for_it_may_not_be_locked_yet(place, monkeypatch):
    monkeypatch.setattr(scratch, "YOUNG", 60.0)
    (place / f"{PREFIX}young").mkdir()
    sweep()
    assert (place / f"{PREFIX}young").is_dir()


def test_other_names_and_links_stay(place):
    (place / "other").mkdir()
    (place / f"{PREFIX}link").symlink_to(place / "other")
    (place / f"{PREFIX}file").write_text("")
    sweep()
    assert len(list(place.iterdir())) == 3
