"""A gradient that is the derivative of its own forward, which is no attention: the row sums of Q.

At most 7 of 95 points in all.
"""

EXPLANATION = "It scales."
