"""The derivative of a sigmoid stands for that of softmax.

source: deeplearning4j/libnd4j, issue 440; Apiquet/DeepLearningFrameworkFromScratchCpp, issue 1
grad_scores: wrong, E3B-01
"""


def grad_scores(weights, dA):
    slope = weights * (1.0 - weights)
    return dA * slope
