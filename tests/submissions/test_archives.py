"""Archives that were packed by anybody: what is unpacked, and what stays packed with its reason."""

import stat
import zipfile

import pytest

from grader.errors import UsageError
from grader.submissions import archives
from grader.submissions.archives import unpack

WORK = b"def softmax(x):\n    return x\n"


def pack(path, *members, compression=zipfile.ZIP_DEFLATED):
    """Write members: names, or (name or ZipInfo, content)."""
    with pytest.warns() if names_repeat(members) else nothing(), zipfile.ZipFile(path, "w", compression) as file:
        for member in members:
            name, content = member if isinstance(member, tuple) else (member, WORK)
            file.writestr(name, content)
    return path


def names_repeat(members):
    names = [member[0] if isinstance(member, tuple) else member for member in members]
    return len(set(map(str, names))) < len(names)


def nothing():
    from contextlib import nullcontext

    return nullcontext()


def unpacked(tmp_path, *members):
    archive, into = pack(tmp_path / "class.zip", *members), tmp_path / "into"
    into.mkdir()
    done = unpack(archive, into)
    files = {path.relative_to(into).as_posix() for path in into.rglob("*") if path.is_file()}
    assert {path.name for path in tmp_path.iterdir()} == {"class.zip", "into"}
    return files, dict(done.refused), done.notes


def test_a_class_is_unpacked_as_it_is(tmp_path):
    files, refused, notes = unpacked(tmp_path, "doe/a.py", "Zoë/b.py", "__MACOSX/doe/._a.py", ("table.csv", b"1"))
    assert (files, refused, notes) == ({"doe/a.py", "Zoë/b.py", "table.csv"}, {}, ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../out.py", "leads out"),
        ("doe/../../out.py", "leads out"),
        ("/etc/out.py", "absolute"),
        ("C:/out.py", "absolute"),
        ("doe\\out.py", "character"),
        ("doe//out.py", "empty part"),
        ("doe/./out.py", "empty part"),
        ("a\x1bb.py", "character"),
        ("a" * 300 + ".py", "too long"),
        ("d/" * 40 + "a.py", "too long"),
    ],
)
def test_a_name_that_leads_out_or_fits_no_disk_stays_packed(tmp_path, name, reason):
    info = zipfile.ZipInfo("x.py")
    info.filename, info.create_system = name, 3
    files, refused, _ = unpacked(tmp_path, "doe/a.py", (info, WORK))
    assert files == {"doe/a.py"}
    (told,) = refused.values()
    assert reason in told


def test_backslashes_of_windows_are_folders(tmp_path):
    info = zipfile.ZipInfo("x.py")
    info.filename, info.create_system = "doe\\a.py", 0
    assert unpacked(tmp_path, (info, WORK))[0] == {"doe/a.py"}
    (tmp_path / "again").mkdir()
    info.filename = "..\\..\\out.py"
    files, refused, _ = unpacked(tmp_path / "again", "doe/a.py", (info, WORK))
    assert files == {"doe/a.py"}
    assert "leads out" in refused["../../out.py"]


def test_links_and_devices_stay_packed(tmp_path):
    members = []
    for name, kind in (("link.py", stat.S_IFLNK), ("pipe.py", stat.S_IFIFO)):
        info = zipfile.ZipInfo(name)
        info.external_attr = (kind | 0o777) << 16
        members.append((info, b"/etc/passwd"))
    files, refused, _ = unpacked(tmp_path, "doe/a.py", *members)
    assert files == {"doe/a.py"}
    assert refused == {"link.py": "a link", "pipe.py": "no file"}


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("doe/a.py", "a second member of this name"),
        ("doe/A.py", "capitals only"),
        ("DOE/b.py", "capitals only"),
        ("doe/a.py/b.py", "a file and a folder"),
    ],
)
def test_names_that_clash_leave_the_first_as_it_is(tmp_path, second, reason):
    files, refused, _ = unpacked(tmp_path, "doe/a.py", (second, b"other"))
    assert files == {"doe/a.py"}
    assert (tmp_path / "into" / "doe" / "a.py").read_bytes() == WORK
    (told,) = refused.values()
    assert reason in told


def test_names_that_differ_in_the_spelling_of_accents_clash(tmp_path):
    files, refused, _ = unpacked(tmp_path, "Zo\u00eb.py", "Zoe\u0308.py")
    assert files == {"Zo\u00eb.py"}
    assert "accents only" in refused["Zo\u00eb.py"]


def test_a_member_that_grows_beyond_its_ratio_leaves_nothing(tmp_path):
    files, refused, _ = unpacked(tmp_path, "doe/a.py", ("bomb.py", bytes(9 << 20)))
    assert files == {"doe/a.py"}
    assert refused == {"bomb.py": "unpacked it is more than 200 times as large"}


def test_sizes_are_counted_and_not_believed(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_OF_ONE", 1 << 20)
    files, refused, _ = unpacked(tmp_path, "doe/a.py", ("large.py", b"0123456789" * 200_000))
    assert files == {"doe/a.py"}
    assert "too large" in refused["large.py"]
    monkeypatch.setattr(archives, "MOST_TOGETHER", len(WORK))
    (tmp_path / "again").mkdir()
    with pytest.raises(UsageError, match="holds more than"):
        unpacked(tmp_path / "again", "a.py", "b.py")


def test_too_many_members_or_refusals_are_no_class(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    with pytest.raises(UsageError, match="4 members, the limit is 3"):
        unpacked(tmp_path, "a.py", "b.py", "c.py", "d.py")
    monkeypatch.setattr(archives, "MOST_REFUSED", 1)
    (tmp_path / "again").mkdir()
    with pytest.raises(UsageError, match="more than 1 members that are not unpacked"):
        unpacked(tmp_path / "again", "../a.py", "../b.py")


def test_an_encrypted_a_corrupt_and_a_strangely_packed_member_stay_packed(tmp_path):
    archive = pack(tmp_path / "class.zip", "good.py", "secret.py", "torn.py", "odd.py", compression=zipfile.ZIP_STORED)
    content = bytearray(archive.read_bytes())
    for name, offset, value in ((b"secret.py", 8, 1), (b"odd.py", 10, 9)):
        content[content.rindex(name) - 46 + offset] = value  # flags and method, in the central directory
    content[content.index(b"torn.py") + 10] ^= 0xFF
    archive.write_bytes(content)
    (tmp_path / "into").mkdir()
    refused = dict(unpack(archive, tmp_path / "into").refused)
    assert [path.name for path in (tmp_path / "into").iterdir()] == ["good.py"]
    assert refused["secret.py"] == "encrypted"
    assert refused["torn.py"] == "cannot be unpacked: Bad CRC-32"
    assert refused["odd.py"].startswith("cannot be unpacked:")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"no archive"])
def test_what_is_no_archive_is_refused(tmp_path, content):
    (tmp_path / "class.zip").write_bytes(content)
    with pytest.raises(UsageError, match=r"cannot be unpacked: .*Download it again"):
        unpack(tmp_path / "class.zip", tmp_path)


@pytest.mark.parametrize(("encoding", "name"), [("utf-8", "Zoë/a.py"), ("cp437", "Zoë/a.py")])
def test_names_without_the_mark_of_their_spelling_are_read_and_told(tmp_path, encoding, name):
    placeholder = "x" * len(name.encode(encoding))
    archive = pack(tmp_path / "class.zip", placeholder)
    archive.write_bytes(archive.read_bytes().replace(placeholder.encode(), name.encode(encoding)))
    (tmp_path / "into").mkdir()
    done = unpack(archive, tmp_path / "into")
    assert (tmp_path / "into" / name).read_bytes() == WORK
    assert "1 of them" in done.notes[0]
