"""The module answers for names that it does not have.

source: numpy/numpy, numpy/__init__.py (module-level __getattr__)
add_key: right
"""

import numpy as np


def _grown(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def __getattr__(name):
    if name == "add_key":
        return _grown
    raise AttributeError(name)
