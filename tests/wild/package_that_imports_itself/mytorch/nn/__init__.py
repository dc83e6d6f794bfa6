from mytorch.nn.activation import Softmax
from mytorch.nn.heads import attention, split_heads

__all__ = ["Softmax", "attention", "split_heads"]
