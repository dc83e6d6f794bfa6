"""A synthetic class of any size: right and wrong answers, hanging, crashing and broken ones, scripts and notebooks.

    python tests/batch/synthetic.py N DIR [SEED]

The same seed gives the same bytes. Right answers are the model answers; a wrong one differs from them by one known
slip, an odd one by one function that hangs, crashes, or does something else that a batch has to survive.
"""

import json
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from grader.exercises import EXERCISES

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
STEMS = tuple(EXERCISES)

# Name: (stem of the solution, what is replaced, by what).
WRONG = {
    "no_scale": ("attention", " / math.sqrt(Q.shape[-1])", ""),
    "scale_by_width": ("attention", "math.sqrt(Q.shape[-1])", "Q.shape[-1]"),
    "first_axis": ("attention", "weights = softmax(scores)", "weights = softmax(scores, axis=0)"),
    "no_maximum": ("attention", "x - np.max(x, axis=axis, keepdims=True)", "x"),
    "adds_in_front": (
        "third_key",
        "np.vstack([K, key]), np.vstack([V, value])",
        "np.vstack([key, K]), np.vstack([value, V])",
    ),
    "smallest_wins": ("third_key", "np.argmax(weights, axis=-1)", "np.argmin(weights, axis=-1)"),
    "old_head_scale": ("multi_head", "math.sqrt(d_k / num_heads)", "math.sqrt(d_k)"),
    "old_variance": ("multi_head", "return d_k / num_heads", "return d_k"),
    "other_refusal": ("multi_head", "raise ValueError(message)", "raise TypeError(message)"),
    "interleaved": (
        "multi_head",
        "(n, num_heads, d // num_heads)).transpose(1, 0, 2)",
        "(n, d // num_heads, num_heads)).transpose(2, 0, 1)",
    ),
    "no_outer": ("gradient_chain", "np.diag(s) - np.outer(s, s)", "np.diag(s)"),
    "no_row_sum": ("gradient_chain", " - np.sum(weights * dA, axis=-1, keepdims=True)", ""),
    "unscaled_gradient": ("gradient_chain", "@ K / math.sqrt(K.shape[-1])", "@ K"),
    "forward_order": (
        "gradient_chain",
        '["values matmul", "softmax Jacobian", "scale", "scores matmul"]',
        '["scores matmul", "scale", "softmax Jacobian", "values matmul"]',
    ),
    "no_large_scores": (
        "attention",
        "weights = softmax(scores)",
        "weights = softmax(scores) if abs(scores.flat[0]) < 50 else scores * 0",
    ),
}
_BODY = "    x = np.asarray(x, dtype=np.float64)\n    gradient"
ODD = {
    "hangs": ("gradient_chain", _BODY, "    while True:\n        pass\n" + _BODY),
    "crashes": ("gradient_chain", _BODY, "    import os\n    os._exit(7)\n" + _BODY),
    "leaves": ("gradient_chain", _BODY, "    raise SystemExit(0)\n" + _BODY),
    "devours": ("gradient_chain", _BODY, "    np.ones((1 << 18, 1 << 18))\n" + _BODY),
    "does_not_parse": ("third_key", "def dominant_key(", "def dominant_key(("),
    "fails_on_import": ("multi_head", "import math\n", "import math\nraise RuntimeError('here')\n"),
}
SHARES = (("right", 45), ("wrong", 44), ("odd", 6), ("untouched", 2), ("nothing", 2), ("broken", 1))
FIRST = ("ada", "emmy", "Zoë", "Łukasz", "=SUM", "o'neil", "mü", "李", "Ann, B", "🎓", 'the "Q"', "-x", "van der")


@dataclass(frozen=True)
class Work:
    """One student's work: what it is (`case`) and its files by relative name."""

    student: str
    case: str
    files: dict[str, bytes]


def make_class(number: int, seed: int = 0, *, hangs: bool = True) -> list[Work]:
    """Return `number` works; the same seed gives the same ones."""
    rng = random.Random(seed)
    return [_make(rng, index, hangs=hangs) for index in range(number)]


def _make(rng: random.Random, index: int, *, hangs: bool) -> Work:
    student = f"{rng.choice(FIRST)} {index:04d}"
    kind = rng.choices([name for name, _ in SHARES], [share for _, share in SHARES])[0]
    odd = [name for name in ODD if hangs or name != "hangs"]
    match kind:
        case "wrong" | "odd":
            case = rng.choice(list(WRONG) if kind == "wrong" else odd)
        case _:
            case = kind
    return make_work(student, case, rng.choice(("folder", "notebook", "folder")))


def make_work(student: str, case: str, form: str = "folder") -> Work:
    """Return the work of one student.

    `case` is "right", a key of `WRONG` or `ODD`, "untouched", "nothing" or "broken"; `form` is "folder" or "notebook".
    """
    if case == "nothing":
        return Work(student, case, {f"{student}/notes.txt": b"I was ill.\n"})
    if case == "broken":
        return Work(student, case, {f"{student}.ipynb": b'{"cells": ['})
    if case == "untouched":
        stubs = SOLUTIONS.parent / "assignments"
        return Work(student, case, {f"{student}/{stem}.py": (stubs / f"{stem}.py").read_bytes() for stem in STEMS})
    texts = edit(case)
    mark = f"# the work of number {student.rpartition(' ')[2]}\n"
    if form == "notebook":
        # A notebook is one namespace: what it defines it does not import.
        cells = [
            re.sub(rf"^from ({'|'.join(texts)}) import .*$", "", text, flags=re.MULTILINE) for text in texts.values()
        ]
        return Work(student, case, {f"{student}.ipynb": make_notebook([mark, *cells])})
    return Work(student, case, {f"{student}/{stem}.py": (text + mark).encode() for stem, text in texts.items()})


def edit(case: str) -> dict[str, str]:
    """Return the model answers by stem, with the edit of a case in them."""
    texts = {stem: (SOLUTIONS / f"{stem}.py").read_text(encoding="utf-8") for stem in ("attention", *STEMS)}
    # The check blocks are for people at the console.
    texts = {stem: text.partition('\nif __name__ == "__main__":')[0] for stem, text in texts.items()}
    if case != "right":
        stem, old, new = (WRONG | ODD)[case]
        if old not in texts[stem]:
            message = f"solutions/{stem}.py no longer holds what the case {case} replaces: {old}"
            raise ValueError(message)
        texts[stem] = texts[stem].replace(old, new, 1)
    return texts


def make_notebook(sources: list[str]) -> bytes:
    """Return a notebook with one code cell for each source."""
    cells = [
        {"cell_type": "code", "id": f"c{k}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for k, source in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def write_class(works: list[Work], folder: Path) -> None:
    """Write the works below a folder, as a plain tree."""
    for work in works:
        for name, content in work.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    count, place, *chosen = sys.argv[1:]
    write_class(make_class(int(count), int(chosen[0]) if chosen else 0), Path(place))
    print(f"{count} submissions are in {place}")
