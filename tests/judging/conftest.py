"""The frozen public key, loaded once."""

import pytest

from grader.course import find_course
from grader.key.answer_key import AnswerKey
from grader.key.frozen import load_key


@pytest.fixture(scope="session")
def key() -> AnswerKey:
    return load_key(find_course().public_key)
