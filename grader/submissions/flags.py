"""The reasons, beside mathematics, for which an answer has no points, or has them: a person looks at such work first.

A flag is for the instructor. The student reads the sentence that goes with it, which names the file and the line.
"""

CONFLICT = "conflict"  # two different answers in two files
UNREADABLE = "unreadable"  # the file or cell that holds it, or may hold it, cannot be read
TOO_LARGE = "too-large"  # the file, or all files together, were too large to be read
NOT_FOUND = "not-found"  # something like it stands where it does not count: misspelled, in a class, in a text cell
NOTHING_FOUND = "nothing-found"  # no file has any of the asked-for names
OLD_COPY = "old-copy"  # another version lies in a place that says it is old, and does not count
NOT_RUN = "not-run"  # its file or cell raised an exception before it was there
NOT_INSTALLED = "not-installed"  # it needs a package that the grader's machine does not have
NOT_HANDED_IN = "not-handed-in"  # it needs a file of the student's that is not there
