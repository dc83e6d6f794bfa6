"""argmax without an axis is one number, so somebody gave it the first one.

source: mcwehner/learns-deep-learning-on-udacity, quiz-softmax/README.md (axis=0 as the cure for a missing axis)
dominant_key: wrong, E1-53
"""

import numpy as np


def dominant_key(weights):
    # without an axis there is one winner for the whole table
    return weights.argmax(axis=0)
