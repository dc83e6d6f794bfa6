"""The calls on which a student's functions are compared with one another: how they are named. Needs no NumPy.

On four small cases the student's dQ is held against differences of that student's own `attention`, and against the
stages. One case would not do: a gradient that is right for a single shape would pass for the derivative of anything.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class OwnShape(NamedTuple):
    """The sizes of a case. d_v is another number than d_k, so that no returned dO has the shape of dQ."""

    n: int
    m: int
    d_k: int
    d_v: int


OWN_CASES: Mapping[str, OwnShape] = MappingProxyType(
    {
        "wide": OwnShape(2, 3, 3, 8),
        "square": OwnShape(4, 4, 6, 5),
        "tall": OwnShape(5, 3, 4, 2),
        "single": OwnShape(1, 6, 5, 3),
    }
)
"""Fewer queries than keys, as many, more, and one query alone. The error against the step is read on the first.

Most have the sizes of a probe on which `attention` itself is judged: a function that is another one where it is
compared loses more there than a gradient of it could earn.
"""

FIRST_CASE = next(iter(OWN_CASES))
TAYLOR_STEPS = (2.0**-3, 2.0**-4, 2.0**-5, 2.0**-6)


def own_id(case: str, name: str, *, hidden_prefix: str = "") -> str:
    """Return the id of a call of a case: `dQ`, `forward`, `fine/up`, `taylor/0`, ..."""
    return f"{hidden_prefix}attention_grad_q/own/{case}/{name}"
