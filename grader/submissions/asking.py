"""What is asked of everybody: the names of the exercises, with the stubs that students were given for them."""

from grader.course import Course
from grader.errors import CourseError
from grader.exercises import asked_names
from grader.submissions.records import Asked
from grader.submissions.sites import normal_forms


def read_asked(course: Course) -> Asked:
    """Return the asked-for names with the stubs that were shipped for them. Raise `CourseError` naming a broken one.

    Stubs are read anew in each run, because the form in which they are compared differs between Python versions.
    """
    asked = asked_names()
    stems = {name: slug for slug, names in asked.items() for name in names}
    stubs: dict[str, str] = {}
    for slug, names in asked.items():
        path = course.stubs / f"{slug}.py"
        try:
            stubs |= normal_forms(path.read_text(encoding="utf-8"), names)
        except (OSError, SyntaxError, ValueError) as error:
            kind = type(error).__name__
            message = f"The stub {path.name} cannot be read ({kind}). Write it again with `grade stubs`."
            raise CourseError(message) from error
    return Asked(stems, stubs)
