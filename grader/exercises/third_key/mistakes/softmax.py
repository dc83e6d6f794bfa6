"""Exercise 1, mistakes about turning scores into weights: axis, shift, precision, memory."""

from grader.exercises.exercise import Mistake, Severity

GITHUB = "https://github.com/"
SOFTMAX = ("softmax",)
BOTH = ("softmax", "attention")

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
SOFTMAX_AXIS: tuple[Mistake, ...] = (
    Mistake(
        "E1-10", "softmax runs over the queries", (*BOTH, "third_key"),
        "Which axis runs over the keys being chosen from?",
        "Each query distributes one whole weight among the keys; other queries take no part in that.",
        "exp(S) / sum over axis 0", "S symmetric with equal row sums, n = m; in softmax: one axis, or axis 0 asked for",
        sources=(GITHUB + "PetrochukM/PyTorch-NLP/issues/2", GITHUB + "nerminnuraydogan/vision-transformer/issues/1",
                 GITHUB + "labmlai/annotated_deep_learning_paper_implementations/issues/146",
                 GITHUB + "nerdai/llms-from-scratch-rs/pull/30"),
    ),
    Mistake(
        "E1-11", "one softmax over the whole score matrix", BOTH,
        "Take two queries in place of one and add up all weights: how much should there be altogether?",
        "Every query makes a choice of its own.",
        "exp(S) / sum of all entries", "n = 1, so exactly right on the page; one axis",
    ),
    Mistake(
        "E1-35", "the sum of a row loses its axis", BOTH,
        "Print the shape of the sum next to the shape of what it divides, for a square score matrix as well.",
        "Broadcasting lines shapes up from the right, so a vector of row sums is taken for a row.",
        "e / e.sum(axis=-1)", "n = 1, or equal row sums; n != m raises; n = m divides column j by the sum of row j",
    ),
    Mistake(
        "E1-41", "the axis that was asked for is ignored", SOFTMAX,
        "Call softmax with axis=0 on a 2 x 3 array and add up the columns.",
        "The caller chooses the axis along which the weights sum to 1.",
        "softmax over the last axis, whatever axis says", "the last axis is asked for, so in attention always",
    ),
    Mistake(
        "E1-42", "the axis is fixed to the second one", SOFTMAX,
        "Call softmax with a single row, np.array([1., 2., 3.]), and then with a 3-D array.",
        "Counting axes from the front fits only one number of axes; the default counts from the back.",
        "softmax over axis 1", "2-D input and its last axis; one axis raises AxisError",
    ),
    Mistake(
        "E1-43", "the maximum of a row loses its axis", BOTH,
        "Print the shape of the maximum next to the shape it is subtracted from, for a square score matrix as well.",
        "Broadcasting takes a vector of row maxima for a row, so column j is shifted by the maximum of row j.",
        "exp(S - S.max(axis=-1))", "n = 1, equal row maxima; n != m raises",
    ),
    Mistake(
        "E1-44", "maximum and sum of a row lose their axis", BOTH,
        "Print the shapes of the maximum and of the sum, for a square score matrix as well.",
        "Broadcasting lines shapes up from the right, so both vectors are taken for rows.",
        "exp(S - S.max(axis=-1)) / sum(axis=-1)", "n = 1; n != m raises",
        sources=("https://huggingface.co/datasets/nvidia/Nemotron-CC-Math-v1",),
    ),
)

SOFTMAX_SHIFT: tuple[Mistake, ...] = (
    Mistake(
        "E1-14", "softmax overflows for large scores", BOTH,
        "Print np.exp(1000.). What can be subtracted from all scores of a row without changing softmax?",
        "Only differences of scores matter, so none of the exponents has to be large.",
        "exp(S) / sum exp(S)", "largest score below 709.78 and above -745 (float64)",
        sources=("https://stackoverflow.com/questions/61567597", GITHUB + "numenta/nupic-legacy/pull/3818",
                 GITHUB + "DingKe/ml-tutorial/pull/1", GITHUB + "open-edge-platform/geti/pull/1507"),
    ),
    Mistake(
        "E1-15", "one maximum of the whole matrix is subtracted", BOTH,
        "Take two rows, one of scores near 0 and one near 2000, and print the exponentials of the first.",
        "A number that suits one row may be far off for another.",
        "exp(S - max of all S) / row sum", "row maxima less than about 745 apart; n = 1",
        sources=(GITHUB + "keras-team/keras/pull/9606",),
    ),
    Mistake(
        "E1-36", "nothing is subtracted when all scores are negative", BOTH,
        "Try scores that are all near -2000.",
        "Exponentials can vanish all together as well as overflow.",
        "exp(S - max(0, row maximum))", "row maximum above about -700",
        sources=(GITHUB + "FluxML/NNlib.jl/pull/43",),
    ),
    Mistake(
        "E1-37", "a fixed number is subtracted from the scores", BOTH,
        "Try scores near 2000 and scores near -2000.",
        "A fixed shift protects only scores near that number.",
        "exp(S - 10) / sum exp(S - 10)", "largest score between about -735 and 719",
        sources=(GITHUB + "HabanaAI/vllm-fork/issues/275",),
    ),
    Mistake(
        "E1-65", "a row is shifted by another number than its largest score", BOTH,
        "Try -1000, 0 and 1000 in one row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S - row minimum)", "largest score of a row less than 709 above what is subtracted",
        aliases=frozenset({"E1-66", "E1-67"}),
    ),
    Mistake(
        "E1-66", "the mean of a row is subtracted", BOTH,
        "Try -1000, 0 and 1000 in one row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S - row mean)", "largest score of a row less than 709 above the mean",
        aliases=frozenset({"E1-65", "E1-67"}),
    ),
    Mistake(
        "E1-67", "the first score of a row is subtracted", BOTH,
        "Try -1000, 0 and 1000 in one row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S - first score)", "largest score of a row less than 709 above the first one",
        aliases=frozenset({"E1-65", "E1-66"}),
    ),
    Mistake(
        "E1-69", "scores are clipped before the exponential", BOTH,
        "Compare the weights for scores 0, 1, 2 with those for 1000, 1001, 1002.",
        "Only differences of scores matter, and cutting large scores off changes their differences.",
        "softmax(clip(S, -50, 50))", "all scores within the bounds",
    ),
    Mistake(
        "E1-16", "the shift is made above the fraction bar only", BOTH,
        "Print the sum of a row of weights, then add 1 to all its scores and print it again.",
        "A shift cancels only if it stands in both places.",
        "exp(S - max) / sum exp(S)", "row maximum 0",
    ),
)

SOFTMAX_VALUES: tuple[Mistake, ...] = (
    Mistake(
        "E1-13", "scores are divided by their sum", BOTH,
        "Try scores (1, 0, -1): what do the weights look like?",
        "Shares of a sum are weights only where nothing is negative.",
        "S / sum(S)", "rows with equal scores; the scale cancels",
    ),
    Mistake(
        "E1-17", "a small number is added to every exponential", BOTH,
        "Print the smallest possible denominator after your shift: can it be zero?",
        "The largest exponential of a row is known in advance, so nothing needs protection.",
        "(exp(S - max) + 1e-8) / sum(...)", "never exactly; about 1e-8", Severity.NOTE,
        sources=(GITHUB + "RasKrebs/llms4code_code_quality",),
    ),
    Mistake(
        "E1-63", "a small number is added to the denominator", BOTH,
        "Print how far the sum of each row is from 1.",
        "The denominator cannot be zero: one of its terms is known in advance.",
        "exp(S - max) / (sum + 1e-8)", "never exactly; below 1e-8", Severity.NOTE,
    ),
    Mistake(
        "E1-23", "weights are rounded before they are used", BOTH,
        "Print your weights with eight digits.",
        "Round what is printed, never what is computed with.",
        "round(softmax(S), 2)", "weights with two digits, as in the example with two keys",
        sources=(GITHUB + "thealper2/deep-ml-solutions",),
    ),
    Mistake(
        "E1-24", "half precision inside", BOTH,
        "Print the dtype of every array on the way: which of them keeps only three digits?",
        "The type of the numbers limits how many digits an answer can have.",
        "softmax in float16", "scores that are exact in half precision and tie",
    ),
    Mistake(
        "E1-62", "single precision inside", BOTH,
        "Print the dtype of every array on the way.",
        "Single precision keeps about seven digits, double precision sixteen.",
        "the same in float32", "numbers that are exact in single precision", Severity.NOTE,
    ),
    Mistake(
        "E1-25", "an array of whole numbers swallows the fractions", (*BOTH, "add_key"),
        "Compare the results for np.array([1, 2]) and np.array([1., 2.]), and print the dtype of your result array.",
        "An array that is made like an integer input stores integers.",
        "np.zeros_like(integers)[...] = weights", "floating input",
        sources=("https://splunktool.com/in-python-calculate-the-softmax-of-an-array-columnwise-using-numpy",),
    ),
    Mistake(
        "E1-26", "the input is changed in place", BOTH,
        "Call the function twice with the same array, then print that array.",
        "The caller still owns what was passed in.",
        "x -= max(x), or Q /= sqrt(d_k)", "the first call on fresh floating arrays; integers raise",
        sources=(GITHUB + "ChristianByabushi/transformers",),
    ),
    Mistake(
        "E1-29", "the best key takes everything", BOTH,
        "Take two keys with nearly equal scores and print both weights.",
        "Softmax is soft: the second best key keeps a share.",
        "one_hot(argmax S)", "scores more than about 37 apart",
    ),
    Mistake(
        "E1-33", "softmax is applied twice", BOTH,
        "Print the ratio of the largest to the smallest weight for scores 0 and 10.",
        "Weights fed into softmax again count as scores between 0 and 1, and those are nearly equal.",
        "softmax(softmax(S))", "rows with equal scores",
    ),
    Mistake(
        "E1-47", "an earlier answer is returned for inputs of the same shape", BOTH,
        "Call the function twice with different numbers in arrays of the same shape.",
        "A memory has to ask for the numbers, not only for the shape.",
        "answers[shapes] computed once", "the first call with each shape",
    ),
)
