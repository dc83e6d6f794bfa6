"""`python -m grader` is `grade`."""

import os
import sys


def main() -> None:
    """Run the command line and end with its exit code."""
    # The grader's own arrays are small: threads for linear algebra would cost more to start than they save.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from grader.cli import run
    from grader.cli.ending import end_when_asked

    end_when_asked()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
