"""The half of the sandbox that runs in the student's process and nowhere else.

It is imported there under a private name (see `boot`), and imports nothing of the grader but `sandbox/shared`. What it
says before student code arrives can be believed. Afterwards student code may have changed anything here, and can only
spoil its own answers by that: no answer of the grader's is ever in this process.
"""
