"""What a child gives up, on this system and on simulated lesser ones."""

import errno
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.sandbox import isolation
from sandbox.conftest import LINUX
from sandbox.programs import value

if not LINUX:
    pytest.skip("Linux only", allow_module_level=True)

from grader.sandbox.child import grants, landlock, rlimits, seccomp
from grader.sandbox.shared import linux
from grader.sandbox.zygote import ZygoteEngine

needs_landlock = pytest.mark.skipif(landlock.abi() < 1, reason="this kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not seccomp.available(), reason="the filter is for x86_64")

EPERM, ENOSYS = seccomp._ERROR | errno.EPERM, seccomp._ERROR | errno.ENOSYS
ALLOW, KILL = seccomp._ALLOW, seccomp._KILL


def evaluate(program, number, *arguments, machine=seccomp._X86_64):
    """Run a filter as the kernel would, in Python."""
    call = struct.pack("<IIQ6Q", number, machine, 0, *([*arguments, *[0] * 6][:6]))
    accumulator, at = 0, 0
    while True:
        code, yes, no, k = struct.unpack_from("HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", call, k)
            case 0x54:
                accumulator &= k
            case 0x06:
                return k
            case 0x15:
                at += yes if accumulator == k else no
            case 0x35:
                at += yes if accumulator >= k else no
            case 0x45:
                at += yes if accumulator & k else no


PID = 4242
FILTER = seccomp.program(PID)


@pytest.mark.parametrize(("name", "number"), [item for group in seccomp.REFUSED.values() for item in group.items()])
def test_each_listed_call_is_refused(name, number):
    assert evaluate(FILTER, number) == EPERM


@pytest.mark.parametrize(
    ("number", "arguments", "expected"),
    [
        (0, (3, 0, 10), ALLOW),  # read
        (257, (), ALLOW),  # openat
        (9, (), ALLOW),  # mmap
        (56, (0x3D0F00,), ALLOW),  # clone as for a thread
        (56, (0x1200011,), EPERM),  # clone as for a fork
        (435, (), ENOSYS),  # clone3
        (62, (PID, 15), ALLOW),  # end itself
        (62, (PID, 9), EPERM),  # kill itself: a child that was killed was killed by somebody else
        (62, (PID, 19), EPERM),  # stop itself
        (62, (PID, 20), EPERM),  # the same, as from a terminal
        (62, (PID, 1 << 32 | 9), EPERM),  # the kernel reads 32 bits
        (62, (1, 9), EPERM),
        (62, (0xFFFFFFFF, 9), EPERM),  # everyone
        (62, (0, 9), EPERM),  # its group
        (234, (PID, PID, 6), ALLOW),  # abort
        (234, (PID, PID, 9), EPERM),
        (234, (PID, PID, 22), EPERM),
        (222, (1, 1, 1), EPERM),  # a timer may send any signal
        (234, (1, 1, 6), EPERM),
        (302, (0, 7, 0), ALLOW),  # read a limit
        (302, (0, 7, 0x7FFF00000000), EPERM),  # set one
        (302, (0, 7, 0x1000), EPERM),
        (16, (0, 0x5401), ALLOW),  # isatty
        (16, (0, 0x5451), ALLOW),  # close on exec
        (16, (0, 0x5412), EPERM),  # type into a terminal
        (16, (0, 0x541C), EPERM),
        (16, (3, 0x40086602), EPERM),  # flags of a folder
        (16, (3, 0x401C5820), EPERM),
        (16, (3, 0x800C6613), EPERM),  # its encryption
        (157, (1, 0), EPERM),  # outlive the parent
        (157, (4, 1), EPERM),  # become readable
        (157, (15, 0), ALLOW),  # name a thread
        (53, (1, 1, 0), ALLOW),  # a pair of streams
        (53, (1, 1 | 0o2000000, 0), ALLOW),  # closed on exec
        (53, (1, 2, 0), EPERM),  # datagrams
        (53, (1, 5, 0), EPERM),
        (2, (1, os.O_RDONLY | os.O_CLOEXEC), ALLOW),  # open
        (2, (1, os.O_RDWR | os.O_TRUNC), ALLOW),
        (2, (1, os.O_RDONLY | os.O_TRUNC), EPERM),
        (257, (0xFFFFFF9C, 1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), ALLOW),  # openat
        (257, (0xFFFFFF9C, 1, os.O_RDONLY | os.O_DIRECTORY), ALLOW),
        (257, (0xFFFFFF9C, 1, os.O_RDONLY | os.O_TRUNC), EPERM),
        (257, (0xFFFFFF9C, 1, os.O_RDONLY | os.O_TRUNC | os.O_CREAT | os.O_CLOEXEC), EPERM),
        (257, (0xFFFFFF9C, 1, 3 | os.O_TRUNC), EPERM),
        (257, (0xFFFFFF9C, 1, 1 << 32 | os.O_RDONLY | os.O_TRUNC), EPERM),  # the kernel reads 32 bits
        (437, (), ENOSYS),  # openat2
        (72, (3, 1030, 0), ALLOW),  # copy a descriptor
        (72, (3, 3, 0), ALLOW),  # its mode
        (72, (3, 4, os.O_NONBLOCK), ALLOW),
        *((72, (3, command, 0), EPERM) for command in (1024, 1025, 1026)),  # leases, notices
        *((72, (3, command, 0), EPERM) for command in (8, 10, 15)),  # owners and signals of a descriptor
        *((72, (3, command, 0), EPERM) for command in (5, 6, 7, 36, 37, 38)),  # locks
        (72, (3, 1 << 32 | 1024, 0), EPERM),  # the kernel reads 32 bits
        (436, (), ALLOW),  # close_range
        (439, (), ALLOW),  # faccessat2
        (467, (), ENOSYS),  # open_tree_attr
        (335, (), ENOSYS),
        (600, (), ENOSYS),  # whatever comes
        (0x40000000, (), ENOSYS),  # x32
        (0x40000000 + 59, (), ENOSYS),
    ],
)
def test_calls_that_depend_on_their_arguments(number, arguments, expected):
    assert evaluate(FILTER, number, *arguments) == expected


def test_calls_of_another_machine_end_the_process():
    assert evaluate(FILTER, 11, machine=0x40000003) == KILL


def test_the_filter_ends_after_every_number():
    assert {evaluate(FILTER, number) for number in range(700)} <= {ALLOW, EPERM, ENOSYS}


def in_a_fork(check):
    """Return what `check` returns in a process of its own."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, json.dumps(check()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        told = file.read()
    os.waitpid(pid, 0)
    return json.loads(told)


def can(attempt, *args):
    try:
        result = attempt(*args)
    except OSError as error:
        return errno.errorcode[error.errno]
    if isinstance(result, int):
        os.close(result)
    return "yes"


@needs_landlock
@pytest.mark.parametrize("version", range(1, landlock.abi() + 1))
def test_rules_trimmed_to_older_kernels_are_accepted_and_hold(version, tmp_path, monkeypatch):
    monkeypatch.setattr(landlock, "abi", lambda: version)
    for name in ("seen", "own", "hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)

    def check():
        rules = landlock.build(
            [(str(tmp_path / "seen"), landlock.READ), (str(tmp_path / "own"), landlock.CHANGE), ("/nothing", 1)]
        )
        return {
            "said": rules.enforce(),
            **{f"read {n}": can(os.open, tmp_path / n / "file", os.O_RDONLY) for n in ("seen", "own", "hidden")},
            **{f"write {n}": can(os.open, tmp_path / n / "file", os.O_WRONLY) for n in ("seen", "own", "hidden")},
            "make a file": can(os.open, tmp_path / "own" / "new", os.O_CREAT | os.O_WRONLY),
            "make a link": can(os.symlink, "/etc/passwd", tmp_path / "own" / "link"),
            "move it out": can(os.rename, tmp_path / "own" / "file", tmp_path / "hidden" / "moved"),
            "list": can(os.listdir, tmp_path / "hidden"),
        }

    told = in_a_fork(check)
    assert told.pop("said") == {"abi": version, "fs": True, "tcp": version >= 4, "signals": version >= 6}
    assert told.pop("move it out") in ("EXDEV", "EACCES")
    assert told == {
        "read seen": "yes",
        "read own": "yes",
        "read hidden": "EACCES",
        "write seen": "EACCES",
        "write own": "yes",
        "write hidden": "EACCES",
        "make a file": "yes",
        "make a link": "EACCES",
        "list": "EACCES",
    }


TRUNCATE = (Path(__file__).parent / "attacks" / "truncate_readable_files.py").read_text(encoding="utf-8")


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("version", range(1, min(landlock.abi(), 3) + 1))
@pytest.mark.parametrize("filtered", [True, False], ids=["with the filter", "without"])
def test_a_file_that_may_be_read_cannot_be_emptied_on_older_kernels(version, filtered, tmp_path, monkeypatch):
    monkeypatch.setattr(landlock, "abi", lambda: version)
    outside = tmp_path / "outside.txt"
    outside.write_text("as it was")
    attack = {}
    exec(TRUNCATE.replace("@STAGE@", str(tmp_path)), attack)

    def check():
        held = [bool(landlock.build([(str(tmp_path), landlock.READ)]).enforce())]
        if filtered:
            held.append(bool(seccomp.enforce(seccomp.program(os.getpid()))))
        return [*held, attack["solve"](1)]

    assert in_a_fork(check) == [True, *([True] if filtered else []), 1]
    assert outside.read_text() == ("as it was" if filtered or version >= 3 else "")


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("version", range(1, landlock.abi() + 1))
def test_own_files_can_be_written_anew_on_every_kernel(version, tmp_path, monkeypatch):
    monkeypatch.setattr(landlock, "abi", lambda: version)
    (tmp_path / "own").write_text("long text")

    def check():
        landlock.build([(str(tmp_path), landlock.CHANGE)]).enforce()
        seccomp.enforce(seccomp.program(os.getpid()))
        (tmp_path / "own").write_text("text")
        with (tmp_path / "own").open("r+") as file:
            file.truncate(2)
        return (tmp_path / "own").read_text()

    assert in_a_fork(check) == "te"


def test_without_landlock_nothing_is_built(monkeypatch):
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    assert landlock.build([("/", landlock.READ)]) is None


def test_limits_are_what_the_system_accepted():
    def check():
        import resource

        said = rlimits.apply(200, 5, 1)
        return said, {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in ("CPU", "FSIZE", "AS")}

    said, found = in_a_fork(check)
    assert said == {"memory_mib": 200, "cpu_seconds": 5, "file_mib": 1, "descriptors": 64, "core": 0}
    assert found["CPU"] == [5, 6]
    assert found["FSIZE"] == [1 << 20, 1 << 20]
    assert found["AS"][0] - (200 << 20) < rlimits.address_space() + (64 << 20)


def test_the_grader_is_never_among_what_may_be_read(tmp_path, monkeypatch):
    site = tmp_path / "lib" / "site-packages"
    for name in ("numpy", "grader", "grader_extra", "attention_grader-0.1.0.dist-info", "other"):
        (site / name).mkdir(parents=True)
    for name in ("__editable__.attention_grader.pth", "a.pth", "__editable___finder.py", "module.py"):
        (site / name).touch()
    inner = tmp_path / "stdlib"
    (inner / "json").mkdir(parents=True)
    (inner / "site-packages" / "grader").mkdir(parents=True)
    course = inner / "course"
    course.mkdir()
    monkeypatch.setattr(sys, "path", [str(inner), str(site)])
    found = [path for path in grants.readable([str(course), str(site / "grader")]) if path.startswith(str(tmp_path))]
    assert sorted(os.path.relpath(path, tmp_path) for path in found) == [
        "lib/site-packages/module.py",
        "lib/site-packages/numpy",
        "lib/site-packages/other",
        "stdlib/json",
    ]


@needs_landlock
@needs_seccomp
def test_both_engines_are_fully_isolated_here(engine):
    report = engine.isolation()
    assert report["level"] == "full"
    assert report["missing"] == []
    assert report["landlock"]["fs"] is True
    assert report["seccomp"] == {"on": True, "machine": "x86_64"}
    assert len(report["selftest"]) >= 6
    assert set(report["selftest"].values()) == {"refused"}


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("name", ["locks_as_a_channel", "pages_held_by_pipes", "descriptors_in_flight"])
def test_nothing_is_had_of_what_neighbours_share_or_no_limit_counts(engine, name):
    attack = Path(__file__).with_name("attacks") / f"{name}.py"
    given = value(engine, f"{attack.read_text(encoding='utf-8')}\nf = solve", np.ones(2))
    assert given.tolist() == [0, 0]


def test_files_are_copied_and_streams_are_written_by_the_calls_that_are_left(engine):
    given = value(
        engine,
        """
        import asyncio, shutil, socket
        async def talk():
            ours, theirs = socket.socketpair()
            reader, kept = await asyncio.open_connection(sock=ours)
            unread, writer = await asyncio.open_connection(sock=theirs)
            writer.writelines([b"one ", b"two"])
            writer.close()
            return (await reader.read()).decode()
        def f():
            with open("first", "w") as file:
                file.write("three")
            shutil.copyfile("first", "second")
            with open("second") as file:
                return [asyncio.run(talk()), file.read()]
        """.replace("\n        ", "\n"),
    )
    assert given == ["one two", "three"]


def test_a_weak_engine_says_what_is_missing_and_what_the_self_test_could_do():
    with ZygoteEngine(confine=False) as engine:
        report = engine.isolation()
    assert report["level"] == "weak"
    assert {"landlock", "seccomp"} <= set(report["missing"])
    assert report["selftest"]["start a process"] == "allowed"


def test_the_level_follows_from_what_was_said_and_tested():
    said = {"engine": "zygote", "isolation": {"landlock": {"fs": True}, "seccomp": {"on": True}, "rlimits": {}}}
    tests = {"read": "refused", "start a process": "refused"}
    assert isolation.assess(said, tests)["level"] == "full"
    assert isolation.assess(said, tests | {"read": "allowed"})["level"] == "weak"
    assert isolation.assess(said, tests | {"read": "failed (No such file)"})["level"] == "weak"
    assert isolation.assess(said, {})["missing"] == ["memory limit", "self-test"]
    said["isolation"]["seccomp"] = {}
    assert isolation.assess(said, tests)["missing"] == ["seccomp", "memory limit"]


# lesser systems, simulated by a filter that is there before the grader starts

SIMULATE = """
import json, struct, sys
from grader.sandbox.child import seccomp
from grader.sandbox.shared import linux
refuse, result = json.loads(sys.argv[2])
step, give = seccomp._step, seccomp._give
program = step(seccomp._LOAD, 0)
for number, argument in refuse:
    if argument is None:
        program += step(0x15, number, 0, 1) + give(seccomp._ERROR | result)
    else:
        program += step(0x15, number, 0, 4) + seccomp._argument(0) + step(0x15, argument, 0, 1)
        program += give(seccomp._ERROR | result) + give(seccomp._ALLOW)
linux.forgo_new_privileges()
assert linux.filter_calls(program + give(seccomp._ALLOW))
from grader.sandbox import open_engine, run
from grader.calls import *
work = Program((Unit("w", "w.py", (Cell("import numpy as np\\ndef f(x): return x + 1"),)),), ("w",), {"f": "w"})
with open_engine(sys.argv[1]) as engine:
    found = run(engine, work, [Call("f", "f", (1,))], Limits())
print(json.dumps({"value": found.replies["f"].value} | dict(found.isolation)))
"""
DOCKER = [[n, None] for n in (272, 308, 165, 166, 155, 442, 428, 321, 323, 298, 250, 304, 135)]
NO_LANDLOCK = [[n, None] for n in (444, 445, 446)]
NO_PIDFD = [[n, None] for n in (434, 424)]
NO_SECCOMP = [[317, None], [157, 22]]


def graded_under(name, refuse, result):
    done = subprocess.run(
        [sys.executable, "-c", SIMULATE, name, json.dumps([refuse, result])],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["value"] == 2
    return told


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("name", ["spawn", "zygote"])
def test_dockers_default_profile_costs_nothing(name):
    assert graded_under(name, DOCKER, errno.EPERM)["level"] == "full"


@needs_landlock
@needs_seccomp
@pytest.mark.parametrize("result", [errno.ENOSYS, errno.EPERM])
def test_a_kernel_without_descriptors_of_processes_costs_nothing(result):
    assert graded_under("zygote", NO_PIDFD, result)["level"] == "full"


@needs_seccomp
@pytest.mark.parametrize("name", ["spawn", "zygote"])
def test_a_kernel_without_landlock_is_weak_and_still_grades(name):
    told = graded_under(name, NO_LANDLOCK, errno.ENOSYS)
    assert (told["level"], told["landlock"], told["seccomp"]["on"]) == ("weak", {}, True)
    assert "landlock" in told["missing"]
    assert told["selftest"]["read"] == "allowed"
    assert told["selftest"]["start a process"] == "refused"


@needs_landlock
@pytest.mark.parametrize("name", ["spawn", "zygote"])
def test_a_system_without_seccomp_is_weak_and_still_grades(name):
    told = graded_under(name, NO_SECCOMP, errno.EINVAL)
    assert (told["level"], told["seccomp"], told["landlock"]["fs"]) == ("weak", {}, True)
    assert told["selftest"]["read"] == "refused"
    assert told["selftest"]["start a process"] == "allowed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything; the attacks run as another user")
def test_the_grader_and_the_zygote_cannot_be_read_by_processes_of_the_same_user():
    with ZygoteEngine() as engine:
        assert value(engine, "def f(): return 1") == 1
        for pid in (engine._server.process.pid, os.getpid()):
            reader = subprocess.run(["cat", f"/proc/{pid}/environ"], capture_output=True, check=False)
            assert reader.returncode != 0


def test_linux_calls_tell_whether_they_worked():
    assert in_a_fork(lambda: [linux.adopt_orphans(), linux.hide_memory(), linux.forgo_new_privileges()]) == [True] * 3
    assert in_a_fork(lambda: linux.filter_calls(b"\0" * 8)) is False
