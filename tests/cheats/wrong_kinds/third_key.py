"""Texts, None, dictionaries, generators, functions: nothing that holds numbers.

At most 1 of 95 points in all.
"""


def softmax(x, axis=-1):
    return "softmax"


def attention(Q, K, V):
    return {"output": Q, "weights": K}


def add_key(K, V, key, value):
    return None


def third_key():
    return lambda: None


def dominant_key(weights):
    return (row for row in weights)
