import numpy as np

from attention.scaled_dot_product import attention


class MultiHead:
    def __init__(self, num_heads):
        self.num_heads = num_heads

    def cut(self, x):
        return np.split(x, self.num_heads, axis=1)

    def forward(self, Q, K, V):
        triples = zip(self.cut(Q), self.cut(K), self.cut(V))
        return np.concatenate([attention(*three)[0] for three in triples], axis=1)


def multi_head_attention(Q, K, V, num_heads):
    return MultiHead(num_heads).forward(Q, K, V)
