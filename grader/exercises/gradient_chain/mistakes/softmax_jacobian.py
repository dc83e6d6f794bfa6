"""Exercise 3, mistakes in the matrix of softmax's derivatives. Codes E3J-18 to E3J-24 were added to the research's."""

from grader.exercises.exercise import Mistake, Severity

GITHUB = "https://github.com/"
JACOBIAN = ("softmax_jacobian",)

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
SOFTMAX_JACOBIAN: tuple[Mistake, ...] = (
    Mistake(
        "E3J-01", "only the diagonal is filled", JACOBIAN,
        "Raise one logit a little and print all weights: how many of them move?",
        "The weights always sum to 1, so none can move alone.",
        "diag(s (1 - s))", "one logit; saturated weights",
        sources=(GITHUB + "deeplearning4j/libnd4j/issues/440", "https://stackoverflow.com/questions/36279904"),
    ),
    Mistake(
        "E3J-02", "a vector in place of a matrix", JACOBIAN,
        "Count the pairs of one weight and one logit.",
        "Each weight depends on each logit.",
        "s (1 - s)", "one logit, up to the shape",
        sources=("https://huggingface.co/datasets/nvidia/Nemotron-CC-Math-v1",),
    ),
    Mistake(
        "E3J-03", "the second term is added", JACOBIAN,
        "Add up each column: what must the weights' changes sum to?",
        "What one weight gains the others lose.",
        "diag(s) + s s^T", "never",
    ),
    Mistake(
        "E3J-04", "the other weights rise together with the first", JACOBIAN,
        "Raise one logit a little: do the other weights grow or shrink?",
        "What one weight gains the others lose.",
        "s_i (1 - s_i) on the diagonal, +s_i s_j elsewhere", "one logit; saturated weights",
    ),
    Mistake(
        "E3J-05", "the diagonal term is missing", JACOBIAN,
        "Raise one logit a little and compare the change of its own weight with your diagonal entry.",
        "A logit acts on its own weight in two ways.",
        "-s s^T", "never",
    ),
    Mistake(
        "E3J-06", "logits stand where weights belong", JACOBIAN,
        "Add 5 to all logits and print your matrix again: softmax does not notice, so may it change?",
        "The derivative can be written with the weights alone.",
        "diag(s) - s z^T", "z = softmax(z)",
        sources=("https://newbe.dev/numpy-calculate-the-derivative-of-the-softmax-function",),
    ),
    Mistake(
        "E3J-07", "softmax is applied twice", JACOBIAN,
        "Print the weights inside your function next to softmax of the argument.",
        "The argument holds logits, and they pass through softmax once.",
        "J(softmax(softmax(z)))", "all logits equal",
    ),
    Mistake(
        "E3J-08", "all signs are turned round", JACOBIAN,
        "Raise one logit a little: does its own weight grow or shrink?",
        "Gradients of some losses carry the opposite sign; here there is no loss.",
        "s s^T - diag(s)", "saturated weights", sources=(GITHUB + "mantasu/cs231n/issues/10",),
    ),
    Mistake(
        "E3J-09", "entries overwrite each other", JACOBIAN,
        "Count how many numbers your loops compute and how many come back.",
        "Every pair of weight and logit needs a place of its own.",
        "g[i] = ... in the inner loop", "never as a matrix",
        sources=("https://readforlearn.com/numpy-calculate-the-derivative-of-the-softmax-function/",),
    ),
    Mistake(
        "E3J-10", "a product of two vectors is a single number here", JACOBIAN,
        "Print the shape of your second term before it is subtracted.",
        "A vector with one axis has no columns to transpose.",
        "diag(s) - s @ s.T", "one logit",
    ),
    Mistake(
        "E3J-11", "exponentials are not normalised", JACOBIAN,
        "Print the sum of the vector that your matrix is made of.",
        "The formula speaks of weights, and they sum to 1.",
        "diag(e) - e e^T", "saturated weights",
    ),
    Mistake(
        "E3J-12", "the derivative of the logarithm of softmax", JACOBIAN,
        "Compare one row of your matrix with differences of softmax: which factor is missing?",
        "A logarithm changes the derivative by a factor for each row.",
        "I - 1 s^T", "never", sources=(GITHUB + "mlpack/mlpack/issues/2360",),
    ),
    Mistake(
        "E3J-13", "the gradient of a loss in place of the matrix", JACOBIAN,
        "Print the shape of what comes back for three logits.",
        "That shortcut already contains a loss and a label; here there is neither.",
        "s - onehot", "never", sources=(GITHUB + "LittletreeZou/Python-Projects/issues/1",),
    ),
    Mistake(
        "E3J-14", "each logit is treated as a sigmoid of its own", JACOBIAN,
        "Raise one logit a little and print all weights: how many of them move?",
        "Weights that compete are not independent switches.",
        "diag(sigmoid(z) (1 - sigmoid(z)))", "two logits (t, 0): the diagonal",
    ),
    Mistake(
        "E3J-15", "softmax overflows for large logits", JACOBIAN,
        "Print np.exp(1000.). What can be subtracted from all logits without changing softmax?",
        "Only differences of logits matter, so none of the exponents has to be large.",
        "exp(z) / sum exp(z)", "largest logit below 709.78",
    ),
    Mistake(
        "E3J-16", "the matrix is divided by the number of logits", JACOBIAN,
        "Divide differences of softmax by your entries: is the ratio the same everywhere?",
        "There is no average in a derivative.",
        "J / k", "one logit",
    ),
    Mistake(
        "E3J-17", "the second term is a row in place of a matrix", JACOBIAN,
        "Print the shape of your second term before it is subtracted.",
        "Entry (i, j) involves weight i as well as weight j.",
        "diag(s) - s^2", "one logit; all logits equal",
    ),
    Mistake(
        "E3J-18", "the logits are changed in place", JACOBIAN,
        "Print z before and after the call.",
        "The caller still owns what was passed in.",
        "z -= max(z)", "a largest logit of 0",
    ),
    Mistake(
        "E3J-19", "logits are taken for weights", JACOBIAN,
        "Read what the argument holds, then print its sum.",
        "The weights have to be made from the argument first.",
        "diag(z) - z z^T", "z = softmax(z)",
    ),
    Mistake(
        "E3J-20", "single precision inside", JACOBIAN,
        "Print the dtype of every array on the way.",
        "Single precision keeps about seven digits, double precision sixteen.",
        "the same in float32", "numbers that are exact in single precision", Severity.NOTE,
    ),
    Mistake(
        "E3J-21", "the logits are shifted by another number than the largest", JACOBIAN,
        "Try the logits -1000, 0 and 1000 and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent from growing: how large can yours get?",
        "exp(z - min z)", "largest logit less than 709 above what is subtracted",
        aliases=frozenset({"E3J-22", "E3J-23"}),
    ),
    Mistake(
        "E3J-22", "the mean of the logits is subtracted", JACOBIAN,
        "Try the logits -1000, 0 and 1000 and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent from growing: how large can yours get?",
        "exp(z - mean z)", "largest logit less than 709 above the mean",
        aliases=frozenset({"E3J-21", "E3J-23"}),
    ),
    Mistake(
        "E3J-23", "the first logit is subtracted", JACOBIAN,
        "Try the logits -1000, 0 and 1000 and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent from growing: how large can yours get?",
        "exp(z - z[0])", "largest logit less than 709 above the first one",
        aliases=frozenset({"E3J-21", "E3J-22"}),
    ),
    Mistake(
        "E3J-24", "logits are clipped before the exponential", JACOBIAN,
        "Compare your matrix for the logits 0, 1, 2 with that for 1000, 1001, 1002.",
        "Only differences of logits matter, and cutting large logits off changes their differences.",
        "softmax(clip(z, -50, 50))", "all logits within the bounds",
    ),
)
