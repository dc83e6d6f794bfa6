"""The one record of how to grade: what it is without a choice, and its way into another process."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.limits import Limits
from grader.settings import Settings

SECONDS = st.floats(0.001, 86_400)
CHOSEN = st.builds(
    Settings,
    exercises=st.lists(st.sampled_from(["third_key", "multi_head"]), unique=True).map(tuple),
    limits=st.builds(Limits, SECONDS, SECONDS, SECONDS, st.integers(16, 1 << 20), st.integers(0, 1 << 20)),
    isolation=st.sampled_from([None, "full", "weak"]),
    seed=st.none() | st.integers(0, 2**63),
)


@given(CHOSEN)
def test_settings_come_out_of_json_as_they_went_in(settings):
    assert Settings.unpack(json.loads(json.dumps(settings.pack()))) == settings


@pytest.mark.parametrize("name", ["course", "Zoë 🎓", "no text \udcff"])
def test_a_course_is_the_same_folder_in_another_process(name, tmp_path):
    settings = Settings(course=tmp_path / name)
    text = json.dumps(settings.pack())
    assert text.isascii()
    assert Settings.unpack(json.loads(text)) == settings


def test_a_course_that_is_named_from_here_is_found_from_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    packed = Settings(course=Path("course")).pack()
    monkeypatch.chdir("/")
    assert Settings.unpack(packed).course == tmp_path / "course"


def test_every_field_is_packed():
    assert set(Settings().pack()) == set(Settings.__dataclass_fields__)


def test_settings_do_not_change():
    with pytest.raises(AttributeError):
        Settings().seed = 3
