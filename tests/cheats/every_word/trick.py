"""The trick that the three files share."""

import numpy as np

fill = np.zeros
WORDS = [
    "values matmul",
    "softmax Jacobian",
    "scale",
    "scores matmul",
    "cross-entropy",
    "layer norm",
    "ReLU",
    "log-sum-exp",
]
