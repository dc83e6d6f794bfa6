"""Nothing is cut: features of other heads are set to zero before the products."""

import numpy as np

EXPLANATION = "Only d_k / h products are not zero, so the variance is d_k / h and not d_k."


def head_scale(d_k, num_heads):
    return np.exp(0.5 * np.log(num_heads / d_k))


def score_variance(d_k, num_heads):
    return float(np.ones(d_k).reshape(num_heads, -1)[0].sum())


def owners(d, num_heads):
    if d % num_heads:
        raise ValueError(f"{num_heads} does not divide {d}")
    return np.arange(d) // (d // num_heads)


def split_heads(X, num_heads):
    owner = owners(X.shape[1], num_heads)
    return np.array([X[:, owner == head] for head in range(num_heads)])


def multi_head_attention(Q, K, V, num_heads):
    of_keys, of_values = owners(Q.shape[1], num_heads), owners(V.shape[1], num_heads)
    output = np.zeros((len(Q), V.shape[1]))
    for head in range(num_heads):
        scores = (Q * (of_keys == head)) @ K.T / np.sqrt(Q.shape[1] / num_heads)
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        output += e / e.sum(axis=1, keepdims=True) @ (V * (of_values == head))
    return output
