"""The body is a docstring; the decorator brings the function.

source: numpy/numpy, doc/neps/nep-0018-array-function-protocol.rst (functions from C, documented in Python); scientific-python/spatch, prototype_module.py
dominant_key: right
"""

import functools

import numpy as np


def implemented_by(function):
    def decorate(documented):
        @functools.wraps(documented)
        def call(*args, **kwargs):
            return function(*args, **kwargs)

        return call

    return decorate


@implemented_by(lambda weights: np.argmax(weights, axis=-1))
def dominant_key(weights):
    """Position of the largest weight in each row."""
