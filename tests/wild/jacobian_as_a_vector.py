"""One derivative for each logit: its own.

source: davidjentjens/computer-vision, T2/old/MNIST Neural Network from Scratch (RECOVER).ipynb
softmax_jacobian: wrong, E3J-02
"""

import numpy as np


def softmax_jacobian(z):
    exps = np.exp(z - z.max())
    ratio = exps / np.sum(exps, axis=0)
    return ratio * (1 - ratio)
