"""`grade stubs`: the student files, generated from the solutions, and what is said about them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import course_option
from grader.cli.terminal import write_out
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.course import Course


@click.command("stubs")
@click.option("--check", is_flag=True, help="Write nothing; print what differs and end with 4 where something does.")
@course_option
def command(check: bool, course: Path | None) -> int:  # noqa: FBT001 (a flag of the command line)
    """Generate assignments/ (scripts and notebook) from solutions/.

    Titles, points and signatures in the solutions' docstrings, the handout and the README are compared with the
    exercises; each line that says something else is printed, and the command ends with 4.
    """
    from grader.authoring import check_stubs, write_stubs
    from grader.course import find_course
    from grader.exercises import asked_names

    place = find_course(course)
    solutions = place.require_solutions("Generating stubs")
    if check:
        difference = check_stubs(solutions, place.stubs, asked_names())
        write_out(difference)
    else:
        difference = ""
        for path in write_stubs(solutions, place.stubs, asked_names()):
            write_out(f"{path}\n")
    wrong = _print_misstatements(place, solutions)
    if wrong:
        lines = "one line says" if wrong == 1 else f"{wrong} lines say"
        message = (
            f"{lines} something else than the exercises (see stdout). Mend what is printed, then run `grade stubs`."
        )
        raise CourseError(message)
    if difference:
        message = "assignments/ is out of step with solutions/ (the difference is on stdout). Run `grade stubs`."
        raise CourseError(message)
    if check:
        write_out("The stubs are in step with the solutions, and all documents with the exercises.\n")
    return 0


def _print_misstatements(place: "Course", solutions: Path) -> int:
    from grader.authoring import find_misstatements
    from grader.exercises import EXERCISES

    found = find_misstatements(solutions, place.stubs, EXERCISES)
    write_out("".join(f"{misstatement}\n" for misstatement in found))
    return len(found)
