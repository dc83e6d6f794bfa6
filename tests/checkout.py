"""The files of a checkout, without whatever else lies in it: results of a class, somebody's own work, environments."""

import shutil
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# The sdist is a whole checkout, so a copy needs its entries, and the project's own file, which hatchling always adds.
_INCLUDED = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
SDIST = ("pyproject.toml", *(name.lstrip("/") for name in _INCLUDED))


def copy_checkout(place: Path) -> Path:
    """Copy the checkout to `place`, without caches and stray files; return `place`."""
    ignored = shutil.ignore_patterns("__pycache__", "*_cache", ".hypothesis", ".ipynb_checkpoints")
    place.mkdir(parents=True, exist_ok=True)
    for name in SDIST:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, place / name)
    return place


def top_level() -> set[str]:
    """Return the names that git tracks at the top; in a copy without git, those in the sdist."""
    return {Path(name).parts[0] for name in _tracked() or SDIST}


def _tracked() -> list[str]:
    """Return the files that git tracks here; none where there is no git or a folder above is the repository."""
    try:
        above = _git("rev-parse", "--show-prefix")
        return [] if above.strip() else _git("ls-files", "-z").split("\0")[:-1]
    except (OSError, subprocess.CalledProcessError):
        return []


def _git(*words: str) -> str:
    # In CI and in containers the checkout may belong to another user.
    command = ["git", "-c", "safe.directory=*", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout
