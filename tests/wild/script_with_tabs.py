"""Tabs, carriage returns and a byte order mark: an editor of another system.

source: yumatsui00/utils, python/AI/common/functions.py (tabs)
softmax: right
grad_weights: right
"""

import numpy as np


def softmax(x, axis=-1):
	x = x - x.max(axis=axis, keepdims=True)
	x = np.exp(x)
	x /= x.sum(axis=axis, keepdims=True)
	return x


def grad_weights(dO, V):
	return np.dot(dO, V.T)
