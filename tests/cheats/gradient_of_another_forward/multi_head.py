"""A gradient that is the derivative of another forward, which attention becomes for a few shapes.

At most 11 of 95 points in all.
"""

EXPLANATION = "It scales."
