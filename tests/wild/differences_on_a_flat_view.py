"""A float copy is laid flat, and each of its entries is moved and put back.

source: its-wasp/GPT2-from-scratch-numpy, rmk/gradcheck.py
numerical_gradient: right
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    data = np.array(x, dtype=np.float64)
    num = np.zeros_like(data)
    flat_data, flat_num = data.reshape(-1), num.reshape(-1)
    for i in range(flat_data.size):
        orig = float(flat_data[i])
        flat_data[i] = orig + h
        up = float(f(data))
        flat_data[i] = orig - h
        down = float(f(data))
        flat_data[i] = orig
        flat_num[i] = (up - down) / (2 * h)
    return num
