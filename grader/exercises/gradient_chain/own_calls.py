"""The calls on which a student's functions are compared with one another: how they are named. Needs no NumPy.

At one point the student's dQ is held against differences of that student's own `attention`, and against the stages.
"""

OWN_SHAPE = (2, 2)  # n, d_k; d_v is another number than d_k, so that no returned input has the shape of dQ
TAYLOR_STEPS = (2.0**-3, 2.0**-4, 2.0**-5, 2.0**-6)


def own_id(name: str, *, hidden_prefix: str = "") -> str:
    """Return the id of a call at that point: `dQ`, `weights`, `fine/0,1/up`, `taylor/0`, ..."""
    return f"{hidden_prefix}attention_grad_q/own/{name}"


def own_entries() -> tuple[tuple[int, int], ...]:
    """Return the indices of Q that are moved, one pair of calls each."""
    n, d_k = OWN_SHAPE
    return tuple((i, j) for i in range(n) for j in range(d_k))
