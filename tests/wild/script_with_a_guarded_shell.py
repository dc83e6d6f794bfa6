"""The shell is asked for behind a try, and plots are optional.

source: BCDA-APS/bluesky_training, issues 57 and 58
softmax: right
"""

try:
    from IPython import get_ipython

    get_ipython().run_line_magic("matplotlib", "inline")
    import matplotlib.pyplot as plt
except Exception:
    plt = None

import numpy as np


def softmax(x, axis=-1):
    x = np.exp(x - np.amax(x, axis=axis, keepdims=True))
    return x / np.sum(x, axis=axis, keepdims=True)


if plt is not None:
    plt.plot(softmax(np.arange(5.0)))
    plt.show()
