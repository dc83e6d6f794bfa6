"""`grade key`: the frozen answer key of the public seed, of this course or of the one in `--course DIR`."""

from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.terminal import write_out
from grader.errors import CourseError


@click.command("key")
@click.option("--check", is_flag=True, help="Write nothing; print what differs and end with 4 where something does.")
@course_option
def command(check: bool, course: Path | None) -> int:  # noqa: FBT001 (a flag of the command line)
    """Freeze the answer key of the public seed from solutions/ and the exercises.

    With --course DIR it is DIR's own key, in DIR/grader/ where DIR is a checkout, else in DIR; no other key is touched.
    """
    from grader.course import find_course, key_command
    from grader.key.checking import check_public_key, write_public_key

    place = find_course(course)
    if not check:
        write_out(f"{write_public_key(place)}\n")
        return 0
    differences = check_public_key(place)
    if differences:
        write_out("".join(f"{line}\n" for line in differences))
        command = key_command(place.public_key)
        message = f"the frozen key is out of step with exercises and solutions (see stdout). Run `{command}`."
        raise CourseError(message)
    write_out("The frozen key is in step with exercises and solutions.\n")
    return 0
