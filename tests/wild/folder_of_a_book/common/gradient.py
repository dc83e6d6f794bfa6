import numpy as np


def differences(f, x, h):
    x = np.array(x, dtype=float)
    grad = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"])
    for value in it:
        idx, old = it.multi_index, float(value)
        x[idx] = old + h
        one = f(x)
        x[idx] = old - h
        grad[idx] = (one - f(x)) / (2 * h)
        x[idx] = old
    return grad
