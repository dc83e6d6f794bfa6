"""Exercise 2, mistakes about cutting features into heads, attending in each, and merging."""

from grader.exercises.exercise import Mistake, Severity

GITHUB = "https://github.com/"
HEADS = ("multi_head_attention",)
SPLIT = ("split_heads",)
BOTH = ("split_heads", "multi_head_attention")

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
CUTTING: tuple[Mistake, ...] = (
    Mistake(
        "E2-05", "heads are compared with heads inside one token", BOTH,
        "Print the shape of the score array: which two axes are tokens?",
        "A head compares tokens with tokens, each seen through its own piece of the features.",
        "X.reshape(n, h, d / h), first axis taken for the heads", "n = m = 1; n != m raises",
    ),
    Mistake(
        "E2-06", "features are cut by reshaping straight into heads", BOTH,
        "Split a matrix whose rows are 0..9, 10..19, 20..29 and print the first head: are its columns neighbours?",
        "Reshape follows memory, and there a row ends before the next one begins.",
        "X.reshape(h, n, d / h)", "n = m = 1; one head",
        sources=(GITHUB + "reczoo/FuxiCTR/issues/30", GITHUB + "hyunwoongko/transformer/issues/15",
                 GITHUB + "649453932/Chinese-Text-Classification-Pytorch/issues/53",
                 GITHUB + "harvardnlp/annotated-transformer/issues/17"),
    ),
    Mistake(
        "E2-08", "tokens are cut in place of features", BOTH,
        "Print how many rows one head has.",
        "Every head sees every token.",
        "np.split(X, h, axis=0)", "one head; raises where h does not divide n or m",
    ),
    Mistake(
        "E2-09", "a head takes every h-th column", BOTH,
        "Split a matrix whose rows are 0..9, 10..19 and print the first head: which columns does it hold?",
        "Chunks are neighbours.",
        "X[:, i::h]", "one head; one feature in each head",
        sources=(GITHUB + "gazelle93/Transformer-Various-Positional-Encoding/issues/1",),
    ),
    Mistake(
        "E2-13", "the first head is used for all", BOTH,
        "Print the first two heads side by side: should they be equal?",
        "The loop has to use its own counter.",
        "q[0], k[0], v[0] in every turn", "one head; identical chunks",
    ),
    Mistake(
        "E2-14", "every head gets the whole input", BOTH,
        "Compare the width of your result with what the docstring says.",
        "Values are cut like queries and keys, so that the heads together are as wide as before.",
        "head_i = weights_i V; in split_heads: X copied h times", "one head",
    ),
    Mistake(
        "E2-20", "values are cut with the width of the keys", HEADS,
        "Give V another number of features than K.",
        "V has a width of its own.",
        "V[:, i d_k / h : (i + 1) d_k / h]", "d_v = d_k",
    ),
    Mistake(
        "E2-22", "features that are left over are dropped", BOTH,
        "Ask for 2 heads of 5 features: which of them are lost?",
        "A request that cannot be met is better refused than half done.",
        "width = d // h, without a check", "h divides d_k and d_v",
    ),
    Mistake(
        "E2-23", "there are taken to be as many keys as queries", HEADS,
        "Try three queries against five keys.",
        "K and V have their own number of rows.",
        "K.reshape(n, h, d_k / h)", "n = m; otherwise raises",
        sources=(GITHUB + "KUrushi/TensorTonic-Solutions", GITHUB + "Aloktiwari-18/TensorTonic-Solutions"),
    ),
    Mistake(
        "E2-27", "width and number of heads are swapped", SPLIT,
        "Split 6 features among 2 heads and print the shape.",
        "The argument counts the heads; the width follows.",
        "chunks of h features", "d = h^2",
    ),
    Mistake(
        "E2-28", "a transposition reverses all three axes", SPLIT,
        "Print the shape for 3 rows, 6 features and 2 heads.",
        "Only two of the axes have to change places.",
        "X.reshape(n, h, d / h).T", "d / h = h with symmetric contents",
    ),
    Mistake(
        "E2-29", "an impossible split is refused with another exception", BOTH,
        "Call it with 2 heads and 5 features and print the type of the exception.",
        "Assertions are for the programmer and can be switched off; a caller's argument deserves its own exception.",
        "assert d % h == 0", "h divides d_k and d_v",
    ),
    Mistake(
        "E2-32", "only one of the two widths is checked", HEADS,
        "Call it with 2 heads, 4 features in Q and K, and 3 in V.",
        "Queries and values are cut both, and each has a width of its own.",
        "d_k % h checked, V[:, : d_v // h * h] used", "h divides d_v",
    ),
)

ATTENDING: tuple[Mistake, ...] = (
    Mistake(
        "E2-12", "softmax runs over the heads", HEADS,
        "Add up one query's weights inside one head.",
        "Heads do not compete with each other; keys do.",
        "softmax over axis 0 of (h, n, m)", "m = 1 and h = 1",
        sources=(GITHUB + "jadore801120/attention-is-all-you-need-pytorch/issues/52",
                 GITHUB + "FudanNLP/fastNLP/issues/254"),
    ),
    Mistake(
        "E2-15", "one softmax over all heads and keys together", HEADS,
        "Add up one query's weights inside one head.",
        "For one query there are as many distributions as heads.",
        "softmax over (h, m) at once", "one head",
        sources=(GITHUB + "facebookresearch/detr/issues/247",),
    ),
    Mistake(
        "E2-35", "softmax runs over the queries in each head", HEADS,
        "Which axis of one head's scores runs over the keys being chosen from?",
        "Each query distributes one whole weight among the keys.",
        "softmax over axis 1 of (h, n, m)", "symmetric scores with equal row sums, n = m",
    ),
    Mistake(
        "E2-36", "one softmax over each head's whole score matrix", HEADS,
        "Take two queries and add up all weights of one head: how much should there be?",
        "Every query makes a choice of its own.",
        "softmax over (n, m) of each head", "n = 1",
    ),
    Mistake(
        "E2-16", "the number of heads is ignored", HEADS,
        "Run with one and with two heads: does the answer change?",
        "Heads that look at different features choose differently.",
        "softmax(Q K^T / sqrt(d_k)) V", "one head; weights equal in all heads",
        sources=(GITHUB + "YVSemlani/numpy-transformer",),
    ),
    Mistake(
        "E2-17", "the heads' weights are averaged before use", HEADS,
        "Let two heads prefer different keys and look at the two halves of the output.",
        "Heads may disagree, each about its own piece of V.",
        "mean_i softmax(S_i) V", "one head; weights equal in all heads",
    ),
    Mistake(
        "E2-18", "the number of heads is written in", HEADS,
        "Try another number of heads.",
        "The argument decides.",
        "h = 2", "h = 2", sources=(GITHUB + "tajinderpalsingh61/TensorTonic-Solutions",),
    ),
    Mistake(
        "E2-34", "softmax overflows for large scores", HEADS,
        "Print np.exp(1000.), then run one head on scores of that size.",
        "Only differences of scores matter, so none of the exponents has to be large.",
        "exp(S_i) / sum exp(S_i)", "largest score below 709.78 and above -745 (float64)",
        aliases=frozenset({"E2-45", "E2-46"}),
    ),
    Mistake(
        "E2-45", "a row is shifted by another number than its largest score", HEADS,
        "Try one head with scores of -1000, 0 and 1000 in a row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S_i - row minimum)", "largest score of a row less than 709 above what is subtracted",
        aliases=frozenset({"E2-34", "E2-46"}),
    ),
    Mistake(
        "E2-46", "the mean of a row is subtracted", HEADS,
        "Try one head with scores of -1000, 0 and 1000 in a row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S_i - row mean)", "largest score of a row less than 709 above the mean",
        aliases=frozenset({"E2-34", "E2-45"}),
    ),
    Mistake(
        "E2-47", "the first score of a row is subtracted", HEADS,
        "Try one head with scores of -1000, 0 and 1000 in a row and print the exponents after your shift.",
        "A shift helps only as far as it keeps every exponent of the row from growing: how large can yours get?",
        "exp(S_i - first score)", "largest score of a row less than 709 above the first one",
    ),
    Mistake(
        "E2-51", "scores are clipped before the exponential", HEADS,
        "Compare the weights of one head for scores 0, 1, 2 with those for 1000, 1001, 1002.",
        "Only differences of scores matter, and cutting large scores off changes their differences.",
        "softmax(clip(S_i, -50, 50))", "all scores within the bounds",
    ),
    Mistake(
        "E2-30", "an earlier answer is returned for inputs of the same shape", HEADS,
        "Call the function twice with different numbers in arrays of the same shape.",
        "A memory has to ask for the numbers, not only for the shape.",
        "answers[shapes] computed once", "the first call with each shape",
    ),
    Mistake(
        "E2-31", "the queries are changed through views", HEADS,
        "Print Q before and after the call.",
        "Pieces cut by slicing share memory with the whole.",
        "for q in np.split(Q, h, axis=1): q /= sqrt(d_k / h)", "the first call on fresh floating arrays",
    ),
    Mistake(
        "E2-33", "single precision inside", HEADS,
        "Print the dtype of every array on the way.",
        "Single precision keeps about seven digits, double precision sixteen.",
        "the same in float32", "numbers that are exact in single precision", Severity.NOTE,
    ),
)

MERGING: tuple[Mistake, ...] = (
    Mistake(
        "E2-07", "heads are put together by reshaping alone", HEADS,
        "Let head 0 return zeros and head 1 ones, and print the output for two queries.",
        "Reshape follows memory, where all queries of one head stand together.",
        "o of shape (h, n, d_v / h), then o.reshape(n, d_v)", "one head; n = 1",
        sources=(GITHUB + "jsbaan/transformer-from-scratch/pull/6",
                 GITHUB + "ajhalthor/Transformer-Neural-Network/issues/1",
                 GITHUB + "jadore801120/attention-is-all-you-need-pytorch/issues/7",
                 GITHUB + "hackiey/QAnet-pytorch/issues/2"),
    ),
    Mistake(
        "E2-10", "the heads' outputs are averaged", HEADS,
        "Compare the width of your output with the width of V.",
        "Each head answers for its own features.",
        "mean_i head_i", "one head",
        sources=("https://ttsugriy.github.io/llm-first-principles/stages/stage-05/common-mistakes",),
    ),
    Mistake(
        "E2-11", "the heads' outputs are put below each other", HEADS,
        "Compare the number of rows of your output with the number of queries.",
        "The pieces were cut side by side and go back side by side.",
        "np.concatenate(heads)", "one head",
    ),
    Mistake(
        "E2-19", "heads come back in reverse order", HEADS,
        "Let head 0 return zeros and head 1 ones, and print one row of the output.",
        "The first piece of the features belongs to the first head on the way back, too.",
        "[head_h ... head_1]", "one head; equal heads",
    ),
    Mistake(
        "E2-26", "the heads' columns are shuffled into each other", HEADS,
        "Let head 0 return zeros and head 1 ones, and print one row of the output.",
        "The columns of one head stay neighbours.",
        "o.transpose(1, 2, 0).reshape(n, d_v)", "one head; one feature in each head",
        sources=(GITHUB + "gazelle93/Transformer-Various-Positional-Encoding/issues/1",),
    ),
    Mistake(
        "E2-48", "the heads' outputs are stacked along an axis of their own", HEADS,
        "Print the number of axes of what comes back.",
        "The pieces were cut side by side and go back side by side, into one matrix.",
        "np.stack(heads)", "never",
    ),
    Mistake(
        "E2-49", "the heads' outputs are added up", HEADS,
        "Compare the width of your output with the width of V.",
        "Each head answers for its own features.",
        "sum_i head_i", "one head",
    ),
    Mistake(
        "E2-50", "only the first head comes back", HEADS,
        "Print a line in every turn of your loop: how many turns are there?",
        "All heads have to be finished before anything is handed back.",
        "return head_1, inside the loop", "one head",
    ),
    Mistake(
        "E2-24", "the queries are added to the output", HEADS,
        "Let Q be zero and then not, with a single key: should the output change?",
        "Nothing but weighted values is in the output.",
        "heads + Q", "Q = 0; d_v != d_k raises",
    ),
    Mistake(
        "E2-25", "weights are handed back as well", HEADS,
        "Print the type of what comes back.",
        "The docstring promises one array.",
        "return output, weights", "never",
    ),
)
