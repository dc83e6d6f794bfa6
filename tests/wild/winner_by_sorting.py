"""Positions are sorted by weight, and the last one of each row is taken.

source: lizhe960118/cs231n, assignment1/cs231n/classifiers/KNN_classifier.py (argsort of each row)
dominant_key: right
"""

import numpy as np


def dominant_key(weights):
    winners = np.zeros(len(weights), dtype=int)
    for i in range(len(weights)):
        winners[i] = np.argsort(weights[i])[-1]
    return winners
