"""Whatever comes is made a float64 array first; each step has a name.

source: trnthienphc2003/TensorTonic-Solutions, info-nce-loss/info-nce-loss.py
softmax: right
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    peak = np.max(x, axis=axis, keepdims=True)
    lifted = np.exp(x - peak)
    bottom = np.sum(lifted, axis=axis, keepdims=True)
    return lifted / bottom
