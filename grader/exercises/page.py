"""The worked example of the handout, which several ladders ask about: with two keys, and with the third one.

The third key equals the query and carries the value (1, 1).
"""

import numpy as np

PAGE_Q = np.array([[1.0, 0.0, 1.0, 0.0]])
PAGE_K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
PAGE_V = np.eye(2)
PAGE_K3 = np.vstack([PAGE_K, PAGE_Q])
PAGE_V3 = np.vstack([PAGE_V, [[1.0, 1.0]]])
