"""Every call is timed, counted and printed.

source: RasKrebs/llms4code_code_quality, attention/codex/resource_monitor/long_resource_version.py
softmax: right
add_key: right
dominant_key: right
"""

import functools
import time

import numpy as np


def resource_monitor(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        wrapper.calls += 1
        result = function(*args, **kwargs)
        print(f"{function.__name__} no. {wrapper.calls}: {time.perf_counter() - start:.6f} s")
        return result

    wrapper.calls = 0
    return wrapper


@resource_monitor
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@resource_monitor
def add_key(K, V, key, value):
    return np.concatenate((K, key[None, :]), axis=0), np.concatenate((V, value[None, :]), axis=0)


@resource_monitor
def dominant_key(weights):
    return np.array([int(np.argmax(row)) for row in weights])
