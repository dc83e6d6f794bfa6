"""Exercise 3, mistakes in the stages of the chain from dO to dQ."""

from grader.exercises.exercise import Mistake, Severity

GITHUB = "https://github.com/"
WHOLE = ("attention_grad_q",)
STEP = ("grad_scores", "attention_grad_q")
LAST = ("grad_queries", "attention_grad_q")
RATIO = "Divide your dQ entry by entry by numerical_gradient of the output: is the ratio the same everywhere?"

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
SOFTMAX_STEP: tuple[Mistake, ...] = (
    Mistake(
        "E3B-01", "each weight is taken to depend on its own score alone", STEP,
        "Raise one score of a row a little and print all weights of that row: how many of them move?",
        "The keys compete for one whole weight.",
        "dS = dA A (1 - A)", "m = 1",
        sources=(GITHUB + "Apiquet/DeepLearningFrameworkFromScratchCpp/issues/1", GITHUB + "RubixML/ML/pull/438"),
    ),
    Mistake(
        "E3B-02", "the competition of the keys is left out", STEP,
        "Add the same number to all scores of a row: the output stays, so what must each row of dS sum to?",
        "A row of scores can be shifted as a whole without any effect.",
        "dS = A dA", "rows in which the weighted mean of dA is 0",
        sources=(GITHUB + "HomericIntelligence/Odyssey/issues/2134",),
    ),
    Mistake(
        "E3B-06", "the subtracted sum runs over the queries", STEP,
        "Which axis did softmax sum over? Print the shape of your sum next to the weights.",
        "Queries do not influence each other's weights.",
        "A (dA - sum over axis 0)", "symmetric accidents only",
    ),
    Mistake(
        "E3B-07", "a plain sum is subtracted", STEP,
        "Let dA be 1 everywhere: what should dS be, and what do you get?",
        "What is subtracted is an average, and the row's own distribution says which one.",
        "A (dA - sum dA)", "m = 1",
    ),
    Mistake(
        "E3B-08", "a plain mean is subtracted", STEP,
        "Add up a row of dS, for equal and for unequal weights.",
        "Not every key counts the same in the average.",
        "A (dA - mean dA)", "equal weights: exactly right in the example with two keys",
    ),
    Mistake(
        "E3B-09", "one number is subtracted for all queries", STEP,
        "Take two queries in place of one and compare with differences row by row.",
        "Each row has an average of its own.",
        "A (dA - sum of all A dA)", "n = 1: exactly right on the page",
        sources=(GITHUB + "gokceneraslan/SparseMax.torch/pull/3",),
    ),
    Mistake(
        "E3B-13", "the sign of the softmax step is turned round", STEP,
        "Add your result and numerical_gradient of the output: what is left?",
        "A key whose value helps more than the average should be turned to.",
        "A (row mean - dA)", "dS = 0",
    ),
    Mistake(
        "E3B-14", "scores stand where weights belong", WHOLE,
        "Add the same number to all scores of a row and print dS again: softmax does not notice, so may it change?",
        "The step through softmax needs what softmax returned.",
        "S (dA - sum S dA)", "weights equal to scores, as in the example with two keys",
    ),
    Mistake(
        "E3B-16", "rows of different queries are mixed", WHOLE,
        "Change dO for one query alone and print which rows of dQ move.",
        "A row of scores influences only its own row of weights.",
        "dQ = dA (A (1 - A)) K", "n = m = 1; n != m raises", sources=(GITHUB + "JackHanke/nets",),
    ),
    Mistake(
        "E3B-21", "the sum of a row loses its axis", STEP,
        "Print the shape of the sum next to the shape it is subtracted from, for n = m as well.",
        "Broadcasting takes a vector of row sums for a row.",
        "A (dA - (A dA).sum(-1))", "n = 1: exactly right on the page; n != m raises",
    ),
    Mistake(
        "E3B-24", "softmax is applied to the weights again", ("grad_scores",),
        "Print the first argument: what does each of its rows sum to?",
        "The weights arrive ready for use.",
        "softmax(A) in place of A", "equal weights",
    ),
    Mistake(
        "E3B-28", "the step through softmax is left out", STEP,
        "Let dA be 1 everywhere: does any weighted average change when all scores rise together?",
        "Between weights and scores lies a stage with a derivative of its own.",
        "dS = dA", "never, but for dA = 0",
    ),
    Mistake(
        "E3B-29", "the weights are used in the mean alone", STEP,
        "Give one key a weight of zero and print its dS: can its score still matter to first order?",
        "A key that hardly counts hardly matters.",
        "dA - sum(A dA)", "m = 1",
    ),
    Mistake(
        "E3B-30", "the first query's Jacobian is used for all", STEP,
        "Compare with differences row by row: which row is right?",
        "Each query has weights, and so a matrix, of its own.",
        "dA J(first row)", "n = 1: exactly right on the page; equal rows",
    ),
    Mistake(
        "E3B-33", "the incoming gradient is overwritten", ("grad_scores",),
        "Print dA before and after the call.",
        "The caller still owns what was passed in.",
        "dA -= row mean; dA *= A", "the value that is returned, on floating arrays",
    ),
)

FACTOR: tuple[Mistake, ...] = (
    Mistake(
        "E3B-03", "the scale of the scores is missing in the gradient", LAST,
        RATIO,
        "Whatever multiplies the scores on the way forward multiplies the gradient on the way back.",
        "dQ = dS K", "d_k = 1; dS = 0",
    ),
    Mistake(
        "E3B-04", "the scale is applied twice in the gradient", LAST,
        RATIO,
        "The chain passes through the scale once.",
        "dQ = dS K / d_k", "d_k = 1",
    ),
    Mistake(
        "E3B-05", "the scale is taken from the width of the values", WHOLE,
        "Give V another number of columns than K and compare with differences.",
        "Scores are made of queries and keys alone, and so is their scale.",
        "dQ = dS K / sqrt(d_v)", "d_v = d_k",
        sources=(GITHUB + "tile-ai/tilelang-ascend/pull/1670", GITHUB + "nisheetdas1/mytorch"),
    ),
    Mistake(
        "E3B-15", "the gradient is averaged over the queries", (*STEP[:1], *LAST),
        RATIO,
        "There is no mean in the function that is differentiated.",
        "dQ / n", "n = 1: exactly right on the page",
        sources=(GITHUB + "AkiRusProd/numpy-transformer",),
    ),
    Mistake(
        "E3B-26", "the gradient is multiplied where it should be divided", LAST,
        RATIO,
        "The factor on the way back is the one of the way forward.",
        "dQ = dS K * sqrt(d_k)", "d_k = 1",
    ),
    Mistake(
        "E3B-27", "the scale is taken from the number of keys", LAST,
        "Append a key that gets next to no weight: should the gradient change?",
        "How many keys there are says nothing about how large one score is.",
        "dQ = dS K / sqrt(m)", "m = d_k",
    ),
)

OTHER_STAGES: tuple[Mistake, ...] = (
    Mistake(
        "E3B-17", "the incoming gradient is ignored", ("grad_weights", "attention_grad_q"),
        "Multiply dO by 10 and print your result again.",
        "Everything on the way back is in proportion to what comes in.",
        "dO replaced by ones", "dO = 1 everywhere", sources=(GITHUB + "RL-Align/RL-Kernel/pull/188",),
    ),
    Mistake(
        "E3B-19", "queries stand where keys belong", WHOLE,
        "Double one key and compare with differences.",
        "A product changes with one factor at a rate given by the other.",
        "dQ = dS Q / sqrt(d_k)", "Q = K; n != m raises",
    ),
    Mistake(
        "E3B-20", "the weights are recomputed without their scale", WHOLE,
        "Print the weights inside your gradient next to those of your attention.",
        "The way back starts from the very weights of the way forward.",
        "A = softmax(Q K^T) in the gradient", "rows whose scores are all equal; d_k = 1",
    ),
    Mistake(
        "E3B-31", "the weights are recomputed over the queries", WHOLE,
        "Print the sum of each row of the weights inside your gradient.",
        "Each query distributes one whole weight among the keys.",
        "A = softmax over axis 0", "symmetric scores with equal row sums, n = m",
    ),
    Mistake(
        "E3B-22", "the values are not transposed", ("grad_weights",),
        "Print the shapes of both factors for 3 queries, 5 keys and values with 6 features.",
        "The features of the values are summed away, the keys remain.",
        "dO V", "m = d_v and V symmetric; m != d_v raises",
    ),
    Mistake(
        "E3B-23", "queries and keys change places", ("grad_weights",),
        "Print the shape of your result next to that of the weights.",
        "A gradient has the shape of what it belongs to.",
        "V dO^T", "n = m and a symmetric result",
    ),
    Mistake(
        "E3B-25", "the gradient of the scores is transposed", ("grad_queries",),
        "Print the shapes of both factors for 3 queries and 5 keys.",
        "The keys are summed away, the queries remain.",
        "dS^T K / sqrt(d_k)", "n = m and dS symmetric; n != m raises",
    ),
    Mistake(
        "E3B-35", "the keys are transposed once more", ("grad_queries",),
        "Print the shapes of both factors for 3 queries, 5 keys and queries with 7 features.",
        "The keys are summed away, the features remain.",
        "dS K^T / sqrt(d_k)", "m = d_k and K symmetric; m != d_k raises",
    ),
    Mistake(
        "E3B-32", "an earlier answer is returned for inputs of the same shape", WHOLE,
        "Call the function twice with different numbers in arrays of the same shape.",
        "A memory has to ask for the numbers, not only for the shape.",
        "answers[shapes] computed once", "the first call with each shape",
    ),
    Mistake(
        "E3B-34", "single precision inside", WHOLE,
        "Print the dtype of every array on the way.",
        "Single precision keeps about seven digits, double precision sixteen.",
        "the same in float32", "numbers that are exact in single precision", Severity.NOTE,
    ),
)
