"""The process that reads work which is unusually much. Run by `apart`, never by a person.

    python -P -m grader.submissions.reader

It gets one request on stdin, tells on stdout what it is about to read, and at the end what it made of the files. It
runs none of the work. Its own time and memory are limited: where it ends early, the last line says over which piece.
"""

import contextlib
import json
import os
import sys
from typing import Any

from grader.errors import NothingToGradeError
from grader.submissions.pace import Pace
from grader.submissions.parcels import pack_submission, unpack_request
from grader.submissions.steps import read_found


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    mark = request["mark"]
    _limit(request["cpu"], request["memory"])

    def tell(*words: Any) -> None:
        # In one piece and at once: the next moment may be the last one. The mark tells these lines from what a
        # `sitecustomize` of this machine may print.
        os.write(1, f"{mark}{json.dumps(words)}\n".encode())

    found, asked, refused, known = unpack_request(request)
    pace = Pace(refused, known, request["rest"], begin=lambda place, size: tell("at", *place, size))
    try:
        submission = read_found(found, asked, pace)
    except NothingToGradeError as error:
        tell("nothing", str(error))
    except MemoryError:
        tell("memory")
    else:
        sys.stdout.write(f"{mark}{json.dumps(['read', pack_submission(submission)])}\n")


def _limit(seconds: int, memory: int) -> None:
    """Limit this process's own time and memory, where the system can."""
    with contextlib.suppress(ImportError):
        import resource

        wanted = {"RLIMIT_CPU": seconds, "RLIMIT_AS": memory, "RLIMIT_CORE": 0}
        for name, most in wanted.items():
            with contextlib.suppress(AttributeError, OSError, ValueError):
                kind = getattr(resource, name)
                hard = resource.getrlimit(kind)[1]
                limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(kind, (limit, hard))


if __name__ == "__main__":
    main()
