"""The rule for one variable, handed an array: every entry moves, and one number comes back.

source: hhtwht75/redfish, bkup_codes/diff.py; gs-yoon/handmade_learning_py, src/essential/difference.py
numerical_gradient: wrong, FD-17: (f(x + h) - f(x - h)) / 2h with h added to the whole array, a single number
"""


def numerical_gradient(f, x, h=1e-5):
    return (f(x + h) - f(x - h)) / (2 * h)
