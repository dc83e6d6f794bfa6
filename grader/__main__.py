"""`python -m grader` is `grade`."""

import sys


def main() -> None:
    """Run the command line and end with its exit code."""
    from grader.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
