"""Judging: a pure function of the answer key and what the student's calls gave. No process, no file, no reference."""
