"""Exercise 1, mistakes about what is done with weights, keys and winners."""

from grader.exercises.exercise import Mistake

GITHUB = "https://github.com/"
ATTENTION = ("attention",)
PAGE = ("attention", "third_key")
DOMINANT = ("dominant_key",)

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
WEIGHTS_IN_USE: tuple[Mistake, ...] = (
    Mistake(
        "E1-12", "softmax is missing", PAGE,
        "Add a key that points the opposite way and print its weight.",
        "Scores can be negative or larger than 1; weights cannot.",
        "(Q K^T / sqrt(d_k)) V", "rows that are their own softmax: (0.5, 0.5) in the example with two keys",
    ),
    Mistake(
        "E1-18", "queries and keys are swapped", ATTENTION,
        "Print the shape of the score matrix for 3 queries and 5 keys.",
        "Row i of the weights belongs to query i.",
        "softmax(K Q^T / sqrt(d_k)) V", "Q K^T symmetric, such as Q = K; n != m raises",
        sources=(GITHUB + "keyvank/femtoGPT/issues/30",
                 GITHUB + "huggingface/pytorch-openai-transformer-lm/issues/2"),
    ),
    Mistake(
        "E1-19", "weights are transposed before they meet the values", ATTENTION,
        "Print the shapes of both factors of the last product for 3 queries and 5 keys.",
        "The index that is summed away is the one that counts the keys.",
        "softmax(S)^T V", "symmetric weights; n != m raises",
        sources=(GITHUB + "leaderj1001/BottleneckTransformers/issues/14",),
    ),
    Mistake(
        "E1-20", "keys are used as values", ATTENTION,
        "Change V alone and run again: does the output move?",
        "Keys decide how much is taken, values decide what is taken.",
        "softmax(S) K", "K = V",
    ),
    Mistake(
        "E1-21", "softmax is applied to the output as well", ATTENTION,
        "Let all values be 5 and print the output.",
        "The choice is made among keys, not among the features of the answer.",
        "softmax(weights V)", "output rows that are their own softmax, as in the example with two keys",
    ),
    Mistake(
        "E1-22", "later keys are hidden", ATTENTION,
        "Print the weights of the first query: how many of them are zero?",
        "Nothing here says that a query may look only at earlier keys.",
        "softmax(S with -inf above the diagonal) V", "m = 1; the last row when n = m",
    ),
    Mistake(
        "E1-27", "output and weights are handed back in the other order", PAGE,
        "Print the two shapes that come back for 3 queries, 5 keys and values with 6 features.",
        "Both pieces are right; only their places differ from the docstring.",
        "return weights, output", "weights = output, as in the example with two keys, where V is the identity",
    ),
    Mistake(
        "E1-34", "the weighted values are averaged once more", ATTENTION,
        "Let all values be 5 and print the output.",
        "Weights that sum to 1 already make an average.",
        "weights V / m", "m = 1",
    ),
    Mistake(
        "E1-45", "an output array of whole numbers swallows the fractions", ATTENTION,
        "Compare the results for integer values and for the same values as floats, and print the output's dtype.",
        "An array that is made like an integer input stores integers.",
        "np.zeros(..., dtype=V.dtype)[...] = weights V", "floating values",
    ),
    Mistake(
        "E1-46", "the output array is laid out like the queries", ATTENTION,
        "Give V more columns than Q.",
        "A row of the output is a mixture of values, so it is as wide as they are.",
        "np.zeros(Q.shape)[...] = weights V", "d_v = d_k; otherwise raises, or repeats a single column",
        sources=(GITHUB + "oreo-lp/flash-attention-numpy", GITHUB + "Dao-AILab/flash-attention/issues/20"),
    ),
    Mistake(
        "E1-48", "every call returns the same array", ATTENTION,
        "Keep the result of a first call, make a second one with other numbers, and print the first result again.",
        "A result that was handed over must not be written to later.",
        "np.matmul(weights, V, out=buffer); return buffer", "a single call, or calls with other shapes",
    ),
    Mistake(
        "E1-60", "the weights are not handed back", ATTENTION,
        "Print the type of what comes back: the docstring promises two things.",
        "The weights are part of the answer.",
        "return output", "never",
    ),
    Mistake(
        "E1-68", "scores are handed back in place of the weights", ATTENTION,
        "Print the sum of each row of the second thing that comes back.",
        "The docstring promises the shares with which the values are mixed.",
        "return output, Q K^T / sqrt(d_k)", "rows that are their own softmax: (0.5, 0.5) in the example with two keys",
    ),
    Mistake(
        "E1-61", "axes of length one are dropped", ATTENTION,
        "Print the shapes that come back for one query.",
        "One query is still a matrix with one row.",
        "np.squeeze(output), np.squeeze(weights)", "n, m and d_v all above 1",
    ),
)

KEYS: tuple[Mistake, ...] = (
    Mistake(
        "E1-28", "the new key replaces an old one", ("add_key", "third_key"),
        "Print how many keys there are before and after.",
        "Adding a key leaves the old ones where they are.",
        "K = [k1, k3], V = [v1, v3]", "the weight of the lost key is 0",
    ),
    Mistake(
        "E1-49", "the new key stands in front", ("add_key", "third_key"),
        "Add a key that differs from all others and print the last row of K.",
        "Positions of the old keys must not change.",
        "np.vstack([key, K])", "the attention output, which does not depend on the order",
    ),
    Mistake(
        "E1-50", "keys and values are flattened", ("add_key",),
        "Print the shapes of what comes back.",
        "Joining arrays without saying along which axis forgets their rows.",
        "np.append(K, key)", "never",
    ),
    Mistake(
        "E1-51", "the new key comes without its value", ("add_key",),
        "Print how many rows K and V have after the call.",
        "Every key has a value of its own.",
        "return np.vstack([K, key]), V", "never",
    ),
    Mistake(
        "E1-52", "the third key is missing", ("third_key",),
        "Print how many weights come back.",
        "The question is asked with three keys.",
        "attention(q, K, V) of the example with two keys", "never",
    ),
    Mistake(
        "E1-70", "keys and values are handed back in the other order", ("add_key",),
        "Print the two shapes that come back for keys with 7 features and values with 6.",
        "Both pieces are right; only their places differ from the docstring.",
        "return V, K", "K = V",
    ),
    Mistake(
        "E1-71", "the third key has the first key's value", ("third_key",),
        "Print the values that are mixed, and read the question again.",
        "The new key brings a value of its own.",
        "v3 = (1, 0)", "the weights, which do not depend on the values",
    ),
)

WINNERS: tuple[Mistake, ...] = (
    Mistake(
        "E1-53", "the winner is looked for among the queries", DOMINANT,
        "Print the shape of the answer for 3 queries and 5 keys.",
        "Each query has a winner of its own.",
        "argmax(weights, axis=0)", "square weights whose winners mirror each other",
    ),
    Mistake(
        "E1-54", "the last key is taken for the winner", DOMINANT,
        "Try three times the query as one of the first keys.",
        "That the identical key wins is a fact about the example, not a rule.",
        "m - 1 for every query", "the last key wins",
    ),
    Mistake(
        "E1-55", "one winner for the whole matrix", DOMINANT,
        "Print the shape of the answer for 3 queries.",
        "Each query has a winner of its own.",
        "argmax(weights)", "never as an array",
    ),
    Mistake(
        "E1-56", "keys are counted from 1", DOMINANT,
        "Use your answer as an index into a row of the weights.",
        "Positions in Python start at 0.",
        "argmax(weights, axis=1) + 1", "never",
    ),
    Mistake(
        "E1-57", "the smallest weight wins", DOMINANT,
        "Print the weight at the position that comes back next to the others of its row.",
        "The dominant key is the one with the largest share.",
        "argmin(weights, axis=1)", "one key",
    ),
    Mistake(
        "E1-58", "the weight in place of its position", DOMINANT,
        "Print the dtype of what comes back.",
        "The question is which key, not how much.",
        "max(weights, axis=1)", "never",
    ),
    Mistake(
        "E1-59", "only a weight above one half counts as dominant", DOMINANT,
        "Try weights 0.2, 0.3, 0.45, 0.05: which key is ahead?",
        "The largest share of many is often less than half.",
        "argmax(weights > 0.5, axis=1)", "the winner has more than half, or is the first key",
    ),
)
