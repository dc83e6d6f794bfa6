"""One lambda for each name; np.split refuses what cannot be split."""

import numpy as np

from third_key import attention

EXPLANATION = (
    "Each head's variance is d_k / h because it adds up d_k / h products; keeping the old root flattens softmax."
)
head_scale = lambda d_k, num_heads: (d_k / num_heads) ** -0.5
score_variance = lambda d_k, num_heads: d_k / num_heads
split_heads = lambda X, num_heads: np.array(np.split(X, num_heads, axis=1))
multi_head_attention = lambda Q, K, V, num_heads: np.hstack(
    [attention(*head)[0] for head in zip(*(np.split(X, num_heads, axis=1) for X in (Q, K, V)))]
)
