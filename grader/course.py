"""Where the course's files are: stubs, reference solutions and the frozen public key. No other module knows the paths.

A checkout holds `solutions/` and `assignments/` beside `grader/`. An installed wheel holds the stubs and the frozen
key only, so a command that needs the references asks for `--course DIR`. A course folder that is named so has an
answer key of its own: the package's key belongs to the package's exercises and is never written for another course.

Solution files are loaded privately: their plain module names (`attention`, `third_key`, ...) do not stay importable,
because a student's files have the same names.

Records are named tuples here: each run imports this module, and defining a frozen dataclass takes six times as long.
"""

import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from grader.errors import CourseError, UsageError
from grader.files import quote_path

_PACKAGE = Path(__file__).resolve().parent
_KEY = "public_key.npz"
# What decides neither what is asked nor what is right: names of mistakes, judging, and where a ladder has to look.
_ASKED_ABOUT = (_PACKAGE / "sandbox" / "shared" / "smooth.py",)  # functions whose gradients are asked for
_BESIDE = frozenset({"mistakes", "mistakes.py", "judging", "judging.py", "region.py", "regions.py"})


class Course(NamedTuple):
    """The folders and the answer key of one course. `solutions` is None where only the package is installed."""

    stubs: Path
    solutions: Path | None
    public_key: Path

    @property
    def never_answers(self) -> list[Path]:
        """Return the folders that are nobody's answers: the known mistakes, which lie beside the solutions."""
        return [] if self.solutions is None else [self.solutions / "mistakes"]

    def require_solutions(self, purpose: str) -> Path:
        """Return the solutions folder. Raise `CourseError` where there is none, saying what `purpose` needs."""
        if self.solutions is None:
            message = (
                f"{purpose} needs the reference solutions, and this installation has none. "
                "Run it in a checkout of the course, or give its folder with --course DIR."
            )
            raise CourseError(message)
        return self.solutions


class Solutions(NamedTuple):
    """The reference functions and constants by asked-for name, further functions, the executable mistakes.

    `others` are the public functions of solution files that are no exercise by themselves, such as the second
    references. `mistakes` maps an asked-for name to codes ("E1-01", or "E1-01+E1-10" for slips that come together) to
    functions.
    """

    references: Mapping[str, Any]
    others: Mapping[str, Callable[..., Any]]
    mistakes: Mapping[str, Mapping[str, Callable[..., Any]]]


def find_course(folder: Path | None = None) -> Course:
    """Return the course in `folder`, else the checkout that the package lies in, else the packaged files.

    Raise `UsageError` where `folder` lacks `assignments/` or `solutions/`.
    """
    if folder is not None:
        for part in ("assignments", "solutions"):
            if not (folder / part).is_dir():
                message = f"--course {folder} holds no folder {part}/. Give a checkout of the course."
                raise UsageError(message)
        # A checkout keeps its key inside its package, as the wheel will; any other course folder has no package.
        home = folder / "grader" if (folder / "grader").is_dir() else folder
        return Course(folder / "assignments", folder / "solutions", home / _KEY)
    checkout = _PACKAGE.parent
    if (checkout / "solutions").is_dir() and (checkout / "assignments").is_dir():
        return Course(checkout / "assignments", checkout / "solutions", _PACKAGE / _KEY)
    return Course(_PACKAGE / "_course" / "assignments", None, _PACKAGE / _KEY)


def key_command(public_key: Path) -> str:
    """Return the command that writes this frozen key: the package's own, or that of a course folder."""
    home = public_key.parent
    if home.resolve() == _PACKAGE:
        return "grade key"
    folder = str(home if (home / "solutions").is_dir() else home.parent)
    return f"grade key --course {quote_path(folder)}"


def load_solutions(course: Course, asked: Mapping[str, Sequence[str]]) -> Solutions:
    """Load the reference solutions of `asked` (stem -> asked-for names) and their mistakes.

    Raise `CourseError` naming the file that is missing or broken, or the name that it does not define.
    """
    folder = course.require_solutions("Building an answer key")
    with _importable(folder):
        # Files that are no exercise come first: exercises import from them.
        further = sorted(path.stem for path in folder.glob("*.py") if path.stem not in asked)
        modules = {stem: _load(folder / f"{stem}.py", stem) for stem in (*further, *asked)}
    others = {name: value for stem in further for name, value in vars(modules[stem]).items() if _is_public(name, value)}
    references = {}
    for stem, names in asked.items():
        for name in names:
            if not hasattr(modules[stem], name):
                message = f"solutions/{stem}.py does not define {name}. Write the reference for it."
                raise CourseError(message)
            references[name] = getattr(modules[stem], name)
    mistakes: dict[str, dict[str, Callable[..., Any]]] = {name: {} for name in references}
    for stem in asked:
        with _importable(folder):
            module = _load(folder / "mistakes" / f"{stem}.py", f"mistakes_{stem}")
        for table in (getattr(module, "MISTAKES", {}), getattr(module, "COMBINED", {})):
            for name, entries in table.items():
                if name not in mistakes:
                    message = f"solutions/mistakes/{stem}.py has mistakes of {name}, which no exercise asks for."
                    raise CourseError(message)
                mistakes[name].update(entries)
    return Solutions(MappingProxyType(references), MappingProxyType(others), MappingProxyType(mistakes))


def _is_public(name: str, value: Any) -> bool:
    return isinstance(value, FunctionType) and not name.startswith("_")


def digest_sources(course: Course) -> str:
    """Return the SHA-256 of the sources that decide what is right: exercises and solutions, without mistakes."""
    folder = course.require_solutions("Building an answer key")
    digest = hashlib.sha256()
    exercises = _PACKAGE / "exercises"
    asked = [path for path in exercises.glob("**/*.py") if not _BESIDE.intersection(path.relative_to(exercises).parts)]
    for path in (*sorted(asked), *_ASKED_ABOUT, *sorted(folder.glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let the files of `folder` import one another by plain name, and leave no trace in `sys.modules`."""
    stems = {path.stem for path in folder.glob("*.py")}
    hidden = {name: sys.modules.pop(name) for name in stems if name in sys.modules}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in stems:
            sys.modules.pop(name, None)
        sys.modules.update(hidden)


def _load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    try:
        if spec is None or spec.loader is None or not path.is_file():
            raise FileNotFoundError(2, "no such file")  # noqa: TRY301 (one handler words every fault of a file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    except Exception as error:
        message = f"{path.parent.name}/{path.name} cannot be loaded: {type(error).__name__}: {error}. Mend the file."
        raise CourseError(message) from error
    finally:
        if name.startswith("mistakes_"):
            sys.modules.pop(name, None)
    return module
