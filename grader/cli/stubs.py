"""`grade stubs`: the student files, generated from the solutions."""

from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.terminal import write_out
from grader.errors import CourseError


@click.command("stubs")
@click.option("--check", is_flag=True, help="Write nothing; print what differs and end with 4 where something does.")
@course_option
def command(check: bool, course: Path | None) -> int:  # noqa: FBT001 (a flag of the command line)
    """Generate assignments/ (scripts and notebook) from solutions/."""
    from grader.authoring.stubs import check_stubs, write_stubs
    from grader.course import find_course
    from grader.exercises import asked_names

    place = find_course(course)
    solutions = place.require_solutions("Generating stubs")
    if not check:
        for path in write_stubs(solutions, place.stubs, asked_names()):
            write_out(f"{path.name}\n")
        return 0
    difference = check_stubs(solutions, place.stubs, asked_names())
    if difference:
        write_out(difference)
        message = "assignments/ is out of step with solutions/ (the difference is on stdout). Run `grade stubs`."
        raise CourseError(message)
    write_out("The stubs are in step with the solutions.\n")
    return 0
