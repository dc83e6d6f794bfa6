"""Runs attacks on one engine and prints, as JSON, what each of them achieved. A script, so that it can be another user.

`python attack_harness.py ENGINE LEVEL STAGE NAME...` where STAGE is an empty folder. After each attack an honest
submission is graded on the same engine.
"""

import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

ATTACKS = Path(__file__).with_name("attacks")
ROOT = Path(__file__).resolve().parents[2]
HONEST = "import numpy as np\ndef solve(a): return np.cumsum(a) + 0.5"


class Stage:
    """What attacks are after: an answer file, a writable file, sockets that listen."""

    def __init__(self, folder):
        self.folder = folder
        self.secret = [round(x, 6) for x in (int.from_bytes(os.urandom(3)) / 7919 for _ in range(5))]
        self.token = f"grade-attack-{os.urandom(6).hex()}"
        os.environ["ANSWERS"] = json.dumps(self.secret)
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        os.environ["TMPDIR"] = str(self.temporary)
        self.heard = []
        self.port = self._listen()
        self.build()

    def build(self):
        for path in self.folder.iterdir():
            if path.name not in ("tmp", "stream.sock", "datagram.sock"):
                path.chmod(0o700)
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        solutions = self.folder / "solutions"
        solutions.mkdir(mode=0o755)
        (solutions / "answers.py").write_text(f"ANSWER = {json.dumps(self.secret)}")
        (self.folder / "outside.txt").write_text("as it was")
        os.utime(self.folder / "outside.txt", (1e9, 1e9))
        self.before = self.look()

    def look(self):
        seen = {}
        for path in sorted(self.folder.rglob("*")):
            if not path.is_relative_to(self.temporary) and path.suffix != ".sock":
                status = path.lstat()
                content = path.read_text() if path.is_file() and os.access(path, os.R_OK) else ""
                changed = status.st_mtime_ns if path.is_file() else 0
                seen[str(path.relative_to(self.folder))] = (status.st_mode, changed, content)
        return seen

    def changes(self):
        now = self.look()
        found = sorted({name for name in {*now, *self.before} if now.get(name) != self.before.get(name)})
        for path in (Path("/tmp", self.token), Path("/dev/shm", self.token), self.temporary / self.token):
            if path.exists():
                found.append(str(path))
                path.unlink()
        return [name for name in found if "__pycache__" not in name]

    def _listen(self):
        tcp, udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        tcp.bind(("127.0.0.1", 0))
        udp.bind(tcp.getsockname())
        abstract, stream = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        abstract.bind("\0" + self.token)
        stream.bind(str(self.folder / "stream.sock"))
        datagram.bind(str(self.folder / "datagram.sock"))
        selector = selectors.DefaultSelector()
        for listening in (tcp, abstract, stream):
            listening.listen()
        for each in (tcp, udp, abstract, stream, datagram):
            selector.register(each, selectors.EVENT_READ)

        def hear():
            while True:
                for key, _ in selector.select():
                    if key.fileobj in (tcp, abstract, stream):
                        selector.register(key.fileobj.accept()[0], selectors.EVENT_READ)
                        continue
                    heard = key.fileobj.recv(4096)
                    if heard:
                        self.heard.append(heard.decode("utf-8", "replace"))
                    else:
                        selector.unregister(key.fileobj)

        threading.Thread(target=hear, daemon=True).start()
        return tcp.getsockname()[1]

    def source(self, name):
        text = (ATTACKS / f"{name}.py").read_text(encoding="utf-8")
        for mark, value in {"STAGE": self.folder, "PORT": self.port, "TOKEN": self.token, "ROOT": ROOT}.items():
            text = text.replace(f"@{mark}@", str(value))
        return text


def holds(value, secret):
    """Whether the secret, or a part of it, is somewhere in a value."""
    import numpy as np

    from grader.calls import Wrapped

    if isinstance(value, Wrapped):
        return holds(value.value, secret)
    if isinstance(value, dict):
        return holds(list(value.values()), secret)
    if isinstance(value, list | tuple):
        return any(holds(x, secret) for x in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        return bool(np.isin(np.round(value.ravel()[: 1 << 16].real.astype(float), 6), secret).any())
    return isinstance(value, float) and round(value, 6) in secret


def processes(stage):
    """Return what runs and belongs to this test: our user's where that is ours alone, else what carries the stage."""
    found, alone = set(), os.environ.get("ALONE") == "1"
    for path in Path("/proc").iterdir():
        try:
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
            ours = (alone and path.stat().st_uid == os.geteuid()) or int(parent) == os.getpid()
            if state != "Z" and (ours or str(stage).encode() in (path / "environ").read_bytes()):
                found.add(int(path.name))
        except (OSError, ValueError):
            continue
    return found - {os.getpid()}


def waiting(engine):
    """Return the process that an engine keeps for the next submission."""
    if engine.name == "zygote":
        return {engine._server.process.pid}
    return {engine._spare.pid} if engine._spare else set()


def astray(engine, stage):
    """Return, and remove, what lies beside the folders that the engine uses."""
    own = getattr(engine, "_spare", None) or getattr(engine, "_server", None)
    found = [path for path in stage.temporary.iterdir() if own is None or path != Path(own.folder)]
    for path in found:
        subprocess.run(["/bin/sh", "-c", 'chmod -R u+rwx "$0"; rm -rf "$0"', str(path)], check=False)
    return [path.name for path in found]


def settle(condition, seconds=3.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def attack(engine, stage, name):
    import numpy as np

    from grader.calls import Call, Cell, Limits, Program, Unit
    from grader.sandbox import run

    def program(text):
        return Program((Unit("submission", "submission.py", (Cell(text),)),), ("submission",), {"solve": "submission"})

    a = np.arange(5.0)
    quick = Limits(call=0.6, load=2.0, submission=6.0, memory=512)
    result = run(engine, program(stage.source(name)), [Call(i, "solve", (a + int(i),)) for i in "01"], quick)
    honest = run(engine, program(HONEST), [Call("0", "solve", (a,))], Limits(call=20, load=20)).replies["0"]
    settle(lambda: processes(stage.folder) <= waiting(engine))
    told = {
        "ended": [reply.ended for reply in result.replies.values()],
        "details": [reply.detail or str(reply.error or reply.value)[:300] for reply in result.replies.values()],
        "loads": [f"{load.ended} {load.detail} {load.error and load.error.type}" for load in result.loads],
        "gained": any(holds(reply.value, stage.secret) for reply in result.replies.values())
        or any(str(x) in result.output for x in stage.secret)
        # Some count what they were let do, and return nothing but that number.
        or ("took" in stage.source(name) and any(np.any(reply.value) for reply in result.replies.values())),
        "changed": stage.changes(),
        "heard": list(stage.heard),
        "left": sorted(processes(stage.folder) - waiting(engine)),
        "astray": astray(engine, stage),
        "honest": honest.ended == "returned" and np.array_equal(honest.value, np.cumsum(a) + 0.5),
        "argument_kept": bool(np.array_equal(a, np.arange(5.0))),
        "level": result.isolation["level"],
        "user": result.isolation["user"],
    }
    stage.heard.clear()
    stage.build()
    return told


def main():
    name, level, folder, *names = sys.argv[1:]
    stage = Stage(Path(folder))
    sys.path.insert(0, str(ROOT))
    from grader.sandbox import ENGINES

    told = {}
    with ENGINES[name](confine=level == "full") as engine:
        for each in names:
            start = time.monotonic()
            try:
                told[each] = attack(engine, stage, each)
            except BaseException:  # noqa: BLE001 (whatever an attack does to the harness is told)
                told[each] = {"trouble": traceback.format_exc()}
            told[each]["seconds"] = round(time.monotonic() - start, 2)
    settle(lambda: not processes(stage.folder))
    told["at the end"] = {
        "left": sorted(processes(stage.folder)),
        "files": [str(p.relative_to(stage.folder)) for p in stage.temporary.rglob("*")][:50],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
