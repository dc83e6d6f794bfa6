"""Unpack a zip archive that anybody may have made: within limits, and nothing outside the folder that is given.

Sizes that an archive declares may be wrong, so that bytes are counted as they come. A member that is refused stays
packed and is told by its name; the others are unpacked all the same.
"""

import stat
import unicodedata
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from grader.errors import UsageError
from grader.submissions.labels import clean
from grader.submissions.reasons import NOISE_FOLDERS

MEBIBYTE = 1024 * 1024
MOST_MEMBERS = 100_000  # a class of 5000 with 20 files each
MOST_TOGETHER = 8192 * MEBIBYTE
MOST_OF_ONE = 320 * MEBIBYTE  # as much as the files of one submission may hold together
_TOO_LARGE = f"too large: the limit is {MOST_OF_ONE // MEBIBYTE} MiB"
# Deflate packs zeros 1030 to one. Notebooks with pictures reach 3, long tables 30; small files may be anything.
MOST_RATIO, RATIO_FROM = 200, 8 * MEBIBYTE
MOST_REFUSED = 200  # beyond, this is no archive of a class
_LONGEST_NAME, _LONGEST_PATH, _DEEPEST = 255, 2000, 32  # bytes in a name and in a path, folders
_CHUNK = 256 * 1024
_UTF8 = 0x800  # the flag that a name is in UTF-8; without it, it is in cp437, or in whatever the maker used
_ENCRYPTED = 0x1
_MS_DOS = 0  # the system of a maker that may write backslashes between folders
# What the standard library raises for bytes that are no sound archive.
_UNSOUND = (BadZipFile, LargeZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, ValueError)


class _RefusedError(Exception):
    """A member that is not unpacked; its message is the reason."""


@dataclass(frozen=True)
class Unpacked:
    """What became of an archive: (name, reason) of refused members, and sentences on names that had to be read anew."""

    refused: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


@dataclass
class _MemberNames:
    """The names unpacked so far, by what a system that folds case and accents makes of them."""

    taken: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)

    def claim(self, name: str) -> None:
        """Take a name for a file. Raise `_RefusedError` where it clashes with another one."""
        parts = PurePosixPath(name).parts
        above = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        for folder in above:
            known = self.taken.get(_fold(folder), folder)
            if known != folder:
                _refuse_clash(folder, known)
            if _fold(folder) in self.taken and _fold(folder) not in self.folders:
                message = f"{clean(folder)} is a file and a folder here"
                raise _RefusedError(message)
        if (other := self.taken.get(_fold(name))) is not None:
            _refuse_clash(name, other)
        self.taken |= {_fold(folder): folder for folder in above} | {_fold(name): name}
        self.folders |= {_fold(folder) for folder in above}


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _refuse_clash(name: str, known: str) -> None:
    if name == known:
        message = "a second member of this name"
    elif unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", known):
        message = "another member's name differs from this one in the spelling of accents only"
    else:
        message = f"another member's name differs from this one in capitals only ({clean(known)})"
    raise _RefusedError(message)


def unpack(archive: Path, into: Path) -> Unpacked:
    """Unpack an archive into an empty folder.

    Parameters
    ----------
    archive : Path
        A zip file.
    into : Path
        A folder that is there.

    Returns
    -------
    Unpacked
        The members that were refused: with a name that leads out or clashes with another one, a link, encrypted,
        corrupt, packed by an unknown method, or too large.

    Raises
    ------
    UsageError
        This is no zip file, or one that no class needs: too many members, too much together, too many refused.
    """
    try:
        with ZipFile(archive) as opened:
            members = [member for member in opened.infolist() if not _is_noise(member.filename)]
            _refuse_size(archive, members)
            return _unpack_members(archive, opened, members, into)
    except (*_UNSOUND, OSError) as error:
        message = f"{archive} cannot be unpacked: {_tell(error)}. Download it again, or unpack it and give the folder."
        raise UsageError(message) from error


def _refuse_size(archive: Path, members: list[ZipInfo]) -> None:
    if len(members) > MOST_MEMBERS:
        message = f"{archive} has {len(members)} members, the limit is {MOST_MEMBERS}. Unpack it and give the folder."
        raise UsageError(message)


def _unpack_members(archive: Path, opened: ZipFile, members: list[ZipInfo], into: Path) -> Unpacked:
    names, together, mended = _MemberNames(), 0, 0
    refused: list[tuple[str, str]] = []
    for member in members:
        name, was_mended = _read_name(member)
        mended += was_mended
        try:
            _judge(member, name)
            if name.endswith("/"):
                continue  # a folder is made with its first file
            names.claim(name)
            together += _write(opened, member, into / name)
        except _RefusedError as error:
            refused.append((clean(name), str(error)))
        except (*_UNSOUND, OSError) as error:
            refused.append((clean(name), f"cannot be unpacked: {_tell(error)}"))
        if together > MOST_TOGETHER:
            message = f"{archive} holds more than {MOST_TOGETHER // MEBIBYTE} MiB. Unpack it and give the folder."
            raise UsageError(message)
        if len(refused) > MOST_REFUSED:
            name, reason = refused[0]
            message = f"{archive} has more than {MOST_REFUSED} members that are not unpacked ({name}: {reason})."
            raise UsageError(message)
    note = f"{archive.name} does not say how names are spelled; {mended} of them were read as UTF-8, or else as cp437."
    return Unpacked(tuple(refused), (note,) if mended else ())


def _tell(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).split(" for file ")[0]


def _is_noise(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return any(part in NOISE_FOLDERS for part in parts[:-1]) or parts[-1].startswith("._")


def _read_name(member: ZipInfo) -> tuple[str, bool]:
    """Return the name of a member, and whether its spelling had to be found out."""
    name, mended = member.filename, False
    if not member.flag_bits & _UTF8 and not name.isascii():
        mended = True
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = member.filename
    if member.create_system == _MS_DOS:
        name = name.replace("\\", "/")
    return name, mended


def _judge(member: ZipInfo, name: str) -> None:
    """Raise `_RefusedError` where a member must not be unpacked, from what is said about it."""
    parts = name.removesuffix("/").split("/")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if "\0" in member.orig_filename or "\\" in name or any(ord(letter) < ord(" ") for letter in name):
        reason = "a name with a character that no file should have"
    elif name.startswith("/") or PureWindowsPath(name).drive:
        reason = "an absolute name, which leads out of the archive"
    elif ".." in parts:
        reason = "a name that leads out of the archive"
    elif "" in parts or "." in parts:
        reason = "a name with an empty part"
    elif len(parts) > _DEEPEST or len(name.encode()) > _LONGEST_PATH or _longest(parts) > _LONGEST_NAME:
        reason = "a name that is too long"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        reason = "a link" if kind == stat.S_IFLNK else "no file"
    elif member.flag_bits & _ENCRYPTED:
        reason = "encrypted"
    elif member.file_size > MOST_OF_ONE:
        reason = _TOO_LARGE
    else:
        return
    raise _RefusedError(reason)


def _longest(parts: list[str]) -> int:
    return max(len(part.encode("utf-8", "surrogatepass")) for part in parts)


def _write(opened: ZipFile, member: ZipInfo, place: Path) -> int:
    """Write a member and return its size. Raise `_RefusedError` where it grows too large; nothing is left then."""
    place.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    # "x": whatever the system makes of names, nothing is written over.
    with opened.open(member) as packed, place.open("xb") as file:
        try:
            while chunk := packed.read(_CHUNK):
                written += len(chunk)
                _refuse_growth(written, member)
                file.write(chunk)
        except BaseException:
            place.unlink(missing_ok=True)
            raise
    return written


def _refuse_growth(written: int, member: ZipInfo) -> None:
    if written > MOST_OF_ONE:
        raise _RefusedError(_TOO_LARGE)
    if written > RATIO_FROM and written > MOST_RATIO * max(member.compress_size, 1):
        message = f"unpacked it is more than {MOST_RATIO} times as large"
        raise _RefusedError(message)
