"""Exercise 1, mistakes about what the raw scores are divided by, or how a score is made."""

from grader.exercises.exercise import Mistake

GITHUB = "https://github.com/"
ATTENTION = ("attention",)
PAGE = ("attention", "third_key")
TIES = "rows whose scores are all equal, as in the example with two keys; one key"

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
SCALE: tuple[Mistake, ...] = (
    Mistake(
        "E1-01", "scores are not scaled", PAGE,
        "Print the spread of the scores just before softmax, for random vectors with 4 and with 400 features.",
        "A sum of more terms spreads wider, and softmax takes that spread for confidence.",
        "softmax(Q K^T) V", TIES + "; d_k = 1",
        sources=(GITHUB + "mlc-ai/mlc-llm/pull/3426", GITHUB + "huggingface/blog/pull/2893"),
    ),
    Mistake(
        "E1-02", "scores are divided by the number of features", PAGE,
        "Draw random vectors with 400 features and print the standard deviation of your scores: is it near 1?",
        "The spread of a sum of independent terms grows more slowly than the number of its terms.",
        "softmax(Q K^T / d_k) V", TIES + "; d_k = 1", aliases=frozenset({"E1-08"}),
        sources=(GITHUB + "delzac/cntkx/issues/10",),
    ),
    Mistake(
        "E1-03", "scores are multiplied where they should be divided", ATTENTION,
        "Compare the spread of the scores before and after your scaling: which of the two is larger?",
        "Scaling is there to calm scores of wide vectors, not to enlarge them.",
        "softmax(Q K^T * sqrt(d_k)) V", TIES + "; d_k = 1",
        sources=(GITHUB + "esceptico/perceiver-io/issues/9",),
    ),
    Mistake(
        "E1-04", "the scale is taken from the number of queries", ATTENTION,
        "Ask the same query once alone and once among nine others: should its answer change?",
        "Rows are tokens, columns are features; the length of a score's sum is counted along one of them.",
        "softmax(Q K^T / sqrt(n)) V", "n = d_k; " + TIES + "; with n = 1 the same as E1-01",
        sources=(GITHUB + "thealper2/deep-ml-solutions",),
    ),
    Mistake(
        "E1-05", "the scale is taken from the number of keys", ATTENTION,
        "Append a key that gets next to no weight and print what the scores of the other keys are divided by.",
        "How many keys there are says nothing about how large one score is.",
        "softmax(Q K^T / sqrt(m)) V", "m = d_k; " + TIES,
    ),
    Mistake(
        "E1-06", "the scale is taken from the width of the values", ATTENTION,
        "Give V more columns and print the weights: they are made without V, so do they stay the same?",
        "Scores are made of queries and keys alone.",
        "softmax(Q K^T / sqrt(d_v)) V", "d_v = d_k; " + TIES,
        sources=(GITHUB + "cneuralnetwork/solving-ml-papers/issues/1",),
    ),
    Mistake(
        "E1-07", "the scale is applied after softmax", ATTENTION,
        "Print the sum of each row of the weights.",
        "Scaling belongs to what softmax receives; what it returns is already normalised.",
        "(softmax(Q K^T) / sqrt(d_k)) V", "d_k = 1",
        sources=(GITHUB + "FrancescoSaverioZuppichini/ViT/issues/2",),
    ),
    Mistake(
        "E1-08", "the scale is applied twice", ATTENTION,
        "Follow one score from the product to softmax and count how often it is divided.",
        "Scaling the queries beforehand and scaling the scores are two ways of doing the same thing once.",
        "softmax((Q / sqrt(d_k)) K^T / sqrt(d_k)) V", "always equal to E1-02", aliases=frozenset({"E1-02"}),
        sources=(GITHUB + "huggingface/diffusers/issues/929",),
    ),
    Mistake(
        "E1-09", "a root of the scale is used on one factor only", ATTENTION,
        "Print what a score of two vectors of ones is divided by in total, for 16 and for 256 features.",
        "If the scale is shared between queries and keys, both have to take their part.",
        "softmax((Q / d_k^(1/4)) K^T) V", TIES + "; d_k = 1",
        sources=(GITHUB + "openai/improved-diffusion/issues/54", GITHUB + "openai/guided-diffusion/issues/38"),
    ),
    Mistake(
        "E1-30", "cosine similarity in place of the scaled dot product", ATTENTION,
        "Double one key and print its score before and after.",
        "A longer key is meant to speak louder; here its length has been divided away.",
        "softmax(q k / (|q| |k|)) V", "|q| |k| = sqrt(d_k) for every pair: exactly so in the example of the page",
    ),
    Mistake(
        "E1-31", "squared distance in place of the dot product", ATTENTION,
        "Multiply the best key by three and print its weight before and after.",
        "A distance punishes a long key, a dot product rewards it.",
        "softmax(-|q - k|^2 / (2 sqrt(d_k))) V", "all keys equally long: exactly so in the example of the page",
    ),
    Mistake(
        "E1-32", "powers of two in place of the exponential", ("softmax", "attention"),
        "Print the ratio of two weights whose scores differ by exactly 1.",
        "The base is part of the definition: another base is another temperature.",
        "2^S / sum 2^S", TIES,
    ),
    Mistake(
        "E1-38", "the scale of the worked example is written in as a number", ATTENTION,
        "Run the example with two more features, all zero, in q and in every key: does your divisor follow?",
        "A number that fits one example has to come from the shape of the input.",
        "softmax(Q K^T / 2) V", "d_k = 4: exactly right on the whole page; equal to E1-06 where d_v = 4",
    ),
    Mistake(
        "E1-40", "scores are divided by the width of the values", ATTENTION,
        "Give V a third column and print the weights: do they change?",
        "The divisor happens to fit the example; it must not depend on V at all.",
        "softmax(Q K^T / d_v) V", "d_v^2 = d_k: exactly right on the page; " + TIES,
    ),
    Mistake(
        "E1-64", "scores are averaged over the number of keys", ATTENTION,
        "Append a key and print what the old scores are divided by before and after.",
        "How many keys there are says nothing about how large one score is.",
        "softmax(Q K^T / m) V", "m^2 = d_k, as with the two keys of the page; " + TIES,
    ),
)
