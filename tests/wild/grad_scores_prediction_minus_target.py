"""The short cut of cross-entropy, as if what comes in were a target.

source: thxuan/Deep-ML-solutions, Deep-ML/Machine_Learning/hard/3Train Softmax Regression.py (p - y)
grad_scores: wrong, E3B-36: weights - dA
"""


def grad_scores(weights, dA):
    return weights - dA
