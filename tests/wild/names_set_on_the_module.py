"""setattr on the module's own entry in sys.modules.

source: marjanme/transformer-numpy, implementation/transformer_helper.py (setattr for each head, by a made-up name)
softmax: right
"""

import sys

import numpy as np

module = sys.modules[__name__]


def by_rows(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


setattr(module, f"soft{'max'}", by_rows)
