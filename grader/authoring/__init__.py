"""Making what students receive out of what the course keeps."""

from grader.authoring.stubs import check_stubs, generate_stubs, write_stubs

__all__ = ["check_stubs", "generate_stubs", "write_stubs"]
