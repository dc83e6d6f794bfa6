"""The step that was asked for is replaced by 1e-4.

source: itsmedachan/deep-learning-from-zero, Chapter4LearningWithNeuralNetwork/4-4-0Gradient.py
numerical_gradient: wrong, unnamed: h is ignored, the step is always 1e-4
"""

import numpy as np


def numerical_gradient(f, x, h=None):
    h = 1e-4  # 0.0001
    moved = np.array(x, dtype=float)
    slope = np.zeros(moved.shape)
    for at, value in np.ndenumerate(np.array(x, dtype=float)):
        moved[at] = value + h
        more = f(moved)
        moved[at] = value - h
        slope[at] = (more - f(moved)) / (2 * h)
        moved[at] = value
    return slope
