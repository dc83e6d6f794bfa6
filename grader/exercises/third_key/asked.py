"""Exercise 1: a third key identical to the query; softmax and attention themselves."""

from grader.exercises.exercise import Check, Exercise, Function, Item, Rule

FUNCTIONS = (
    Function("softmax", "softmax(x, axis=-1)", (Item("probabilities", "same shape as x"),)),
    Function("attention", "attention(Q, K, V)", (Item("output", "(n, d_v)"), Item("weights", "(n, m)"))),
    Function("add_key", "add_key(K, V, key, value)", (Item("K", "(m+1, d_k)"), Item("V", "(m+1, d_v)"))),
    Function("third_key", "third_key()", (Item("output", "(1, 2)"), Item("weights", "(1, 3)")), secret=True),
    Function("dominant_key", "dominant_key(weights)", (Item("index", "(n,)"),)),
)

CHECKS = (
    Check("softmax.rows", "softmax over the last axis", "softmax", 2.75, Rule.VALUES),
    Check("softmax.axes", "any axis, 1-D to 3-D, integers", "softmax", 1.25, Rule.VALUES),
    Check("softmax.large", "softmax of very large and very small scores", "softmax", 1.5, Rule.VALUES),
    Check("softmax.unmodified", "x stays as it was", "softmax", 0.25, Rule.UNMODIFIED, needs_value=True),
    Check("softmax.form", "an array of the right shape", "softmax", 0.25, Rule.FORM),
    Check("attention.weights", "the attention weights", "attention", 4.0, Rule.VALUES, items=(1,)),
    Check("attention.output", "the attention output", "attention", 3.5, Rule.VALUES, items=(0,)),
    Check("attention.inputs", "integers, Fortran order, many keys, repeated calls", "attention", 2.0, Rule.VALUES),
    Check("attention.large", "very large and very small scores", "attention", 2.0, Rule.VALUES),
    Check("attention.unmodified", "Q, K and V stay as they were", "attention", 0.25, Rule.UNMODIFIED, needs_value=True),
    Check("attention.form", "a pair of arrays of the right shapes", "attention", 0.25, Rule.FORM),
    Check("add_key.values", "the key and the value in the last row", "add_key", 3.5, Rule.VALUES),
    Check("add_key.unmodified", "K and V stay as they were", "add_key", 0.25, Rule.UNMODIFIED, needs_value=True),
    Check("add_key.form", "a pair of arrays of the right shapes", "add_key", 0.25, Rule.FORM),
    Check(
        "third_key.values",
        "output and weights with the third key",
        "third_key",
        3.75,
        Rule.OWN,
        builds_on="attention",
    ),
    Check("third_key.form", "a pair of arrays of the right shapes", "third_key", 0.25, Rule.FORM),
    Check("dominant_key.values", "the index of the largest weight", "dominant_key", 3.75, Rule.VALUES),
    Check("dominant_key.form", "an integer array of shape (n,)", "dominant_key", 0.25, Rule.FORM),
)

EXERCISE = Exercise("third_key", "A third key", FUNCTIONS, CHECKS)
