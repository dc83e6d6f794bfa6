"""Cells pasted into a script, with their magics and a shell line.

source: cs231n/cs231n.github.io, assignment1/softmax.ipynb (its setup cell)
softmax: right
softmax_jacobian: right
"""

!pip install --quiet numpy
import numpy as np
%matplotlib inline
%load_ext autoreload
%autoreload 2


def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def softmax_jacobian(z):
    p = softmax(z)
    return np.diag(p) - np.outer(p, p)


%time softmax(np.zeros((2, 3)))
