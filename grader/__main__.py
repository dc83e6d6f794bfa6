"""`python -m grader` is `grade`."""

import os
import signal
import sys
from types import FrameType

_HEEDED = ("SIGINT", "SIGTERM", "SIGHUP")


def main() -> None:
    """Run the command line and end with its exit code."""
    # Where whoever started this has it ignored, the system forgets how a child ended as soon as it has.
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Importing takes longer than Python does to start, and a signal in the middle of it would end in a traceback.
    _heed(_end_at_once)
    # The grader's own arrays are small: threads for linear algebra would cost more to start than they save.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from grader.cli import run
    from grader.cli.ending import end_when_asked

    code = run(sys.argv[1:], end_when_asked)
    _heed(signal.SIG_IGN)  # all is said and done
    sys.exit(code)


def _heed(handler: "signal._HANDLER") -> None:
    for name in _HEEDED:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` has it ignored
            signal.signal(number, handler)


def _end_at_once(number: int, _frame: FrameType | None) -> None:
    """End while nothing is open and nothing is written yet."""
    by_hand = number == signal.SIGINT
    os.write(2, f"grade: {'interrupted' if by_hand else 'ended by a signal'} before anything was done.\n".encode())
    os._exit(130 if by_hand else 143)


if __name__ == "__main__":
    main()
