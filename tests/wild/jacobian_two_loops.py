"""Two loops with two cases, after a softmax of the logits.

source: DivyanshuTirkey/da6401_assignment1, nn/Activations/_softmax.py
softmax_jacobian: right
"""

import numpy as np


def softmax_jacobian(z):
    shifted = np.exp(np.array(z) - np.max(z))
    s = shifted / shifted.sum()
    n = len(s)
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                table[i, j] = s[i] - s[i] * s[j]
            else:
                table[i, j] = -s[i] * s[j]
    return table
