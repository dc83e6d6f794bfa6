"""Names are made from a table with globals()[...].

source: numpy/numpy, numpy/__init__.py (globals()[ta] = ...); Jeevan-Gharate/python-runtime-function-creation, README.md
grad_weights: right
grad_queries: right
"""

import numpy as np

TABLE = {
    "weights": lambda dO, V: dO @ V.T,
    "queries": lambda dS, K: dS @ K / np.sqrt(K.shape[1]),
}

for stage, function in TABLE.items():
    globals()[f"grad_{stage}"] = function
