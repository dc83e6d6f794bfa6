"""Errors that end grading itself, as an instructor or a student sees them.

Each message is a sentence or two: the thing, the value and the next step. The command line prints it without a
traceback and ends with `exit_code`.
"""

from typing import ClassVar


class GraderError(Exception):
    """The grader or its sandbox failed: never a student's zero (exit 3)."""

    exit_code: ClassVar[int] = 3


class UsageError(GraderError):
    """A word or a file cannot be read, or can be read in two ways (exit 2)."""

    exit_code: ClassVar[int] = 2


class CourseError(GraderError):
    """An exercise, a reference solution, a stub or the answer key is broken or out of step (exit 4)."""

    exit_code: ClassVar[int] = 4


class NothingToGradeError(GraderError):
    """No file, or no function that an exercise asks for, was found (exit 5)."""

    exit_code: ClassVar[int] = 5


class UnreadableWorkError(NothingToGradeError):
    """A file or folder is there and cannot be read: nobody knows whether it is work (exit 5)."""


class SandboxError(GraderError):
    """The process that runs student code could not be started or did not keep to the protocol (exit 3)."""


class IsolationError(SandboxError):
    """Full isolation is demanded, and this system does not give it (exit 3)."""
