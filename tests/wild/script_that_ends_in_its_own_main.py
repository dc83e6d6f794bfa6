"""Arguments, data and a report at the bottom; the file of data was never handed in.

source: imzwz/tensor, cs224d/q2_gradcheck.py (checks below the guard)
numerical_gradient: right
"""

import argparse
import sys

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    """Central differences, entry by entry, on copies."""
    where = np.asarray(x, dtype=float)
    result = np.zeros(where.shape)
    for k in np.ndindex(where.shape):
        e = np.zeros(where.shape)
        e[k] = h
        result[k] = (f(where + e) - f(where - e)) / (2 * h)
    return result


def sanity_check():
    quad = lambda x: np.sum(x**2)
    point = np.random.randn(4, 5)
    print(np.abs(numerical_gradient(quad, point) - 2 * point).max())


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    np.random.seed(parser.parse_args(argv).seed)
    sanity_check()
    return 0


if __name__ == "__main__":
    sys.exit(main())

trained = np.load("trained.npz")
print(trained.files)
