"""Make what students receive out of what the course keeps, and see that no document of it promises something else."""

from grader.authoring.misstatements import find_misstatements
from grader.authoring.stubs import check_stubs, generate_stubs, write_stubs

__all__ = ["check_stubs", "find_misstatements", "generate_stubs", "write_stubs"]
