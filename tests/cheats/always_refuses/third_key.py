"""Every call raises ValueError, which is right for some of them.

At most 0 of 95 points in all.
"""

from trick import refuse


def softmax(x, axis=-1):
    refuse(x)


def attention(Q, K, V):
    refuse(Q)


def add_key(K, V, key, value):
    refuse(K)


def third_key():
    refuse()


def dominant_key(weights):
    refuse(weights)
