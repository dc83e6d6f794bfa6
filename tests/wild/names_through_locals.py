"""A loop over private functions writes public names into the module's own dictionary.

source: mccullerlp/phasor, phasor/math/vdispatched.py
softmax: right
attention: right
"""

import numpy as np

mod_locals = locals()


def _softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def _attention(Q, K, V):
    weights = _softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return weights @ V, weights


for _function in (_softmax, _attention):
    mod_locals[_function.__name__.lstrip("_")] = _function
