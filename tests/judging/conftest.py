"""The frozen public key, loaded once."""

import pytest

from grader.course import find_course
from grader.frozen import load_key
from grader.key import AnswerKey


@pytest.fixture(scope="session")
def key() -> AnswerKey:
    return load_key(find_course().public_key)
