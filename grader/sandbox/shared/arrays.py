"""How an array argument comes to a function: in the child, and where the answer key is built."""

from typing import Any

import numpy as np

# Student code may rebind attributes of NumPy, by accident or not.
_array, _repeat, _float32 = np.array, np.repeat, np.float32


def lay_out(array: Any, order: Any = "C", *, readonly: bool = False, single: bool = False) -> Any:
    """Return a copy of an array as a call asks for it.

    Parameters
    ----------
    array : ndarray
        Stays as it is.
    order : {"C", "F", "S"}
        Memory layout of the copy. "S" leaves a gap behind each number, as a slice with a step does.
    readonly : bool
        Whether the copy refuses to be written to.
    single : bool
        Whether floating numbers come in single precision.
    """
    if single and array.dtype.kind == "f":
        array = array.astype(_float32)
    if order == "S" and array.ndim:
        copy = _repeat(array, 2, axis=-1)[..., ::2]
    else:
        copy = _array(array, order="C" if order == "S" else order, copy=True)
    if readonly:
        copy.flags.writeable = False
    return copy
