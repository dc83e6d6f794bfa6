"""A package that names itself in its imports, two folders deep, with a star in between.

source: ChristianByabushi/transformers, hw4lib/__init__.py and mytorch/nn
attention: right
split_heads: right
"""

from mytorch import nn
from mytorch.nn import *
