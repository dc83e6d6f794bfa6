"""Exercise 2, mistakes about the scale and the variance of one head's scores."""

from grader.exercises.exercise import Mistake

GITHUB = "https://github.com/"
HEADS = ("multi_head_attention",)
SCALE = ("head_scale", "multi_head_attention")
ALL = ("head_scale", "score_variance", "multi_head_attention")
TIES = "one head; equal scores inside every head"

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
HEAD_SCALE: tuple[Mistake, ...] = (
    Mistake(
        "E2-01", "each head uses the width of the undivided input", ALL,
        "Count the products that are added up for one score of one head.",
        "A head sees only its own piece of the features.",
        "softmax(q_i k_i^T / sqrt(d_k)) v_i; variance d_k", TIES,
        sources=(GITHUB + "omihub777/ViT-CIFAR/pull/11", GITHUB + "Graylab/DL4Proteins-notebooks/issues/12",
                 GITHUB + "FareedKhan-dev/train-llm-from-scratch/pull/3",
                 GITHUB + "aladdinpersson/Machine-Learning-Collection/issues/65"),
    ),
    Mistake(
        "E2-02", "the heads' scores are not scaled", SCALE,
        "Print the spread of one head's scores for pieces of 4 and of 400 features.",
        "Each head is a complete attention of its own.",
        "softmax(q_i k_i^T) v_i", "d_k / h = 1; equal scores inside every head",
    ),
    Mistake(
        "E2-03", "the scale is made from the number of heads", ALL,
        "Keep two heads and make the input four times as wide: does your number move?",
        "How many pieces there are does not say how long each of them is.",
        "softmax(q_i k_i^T / sqrt(h)) v_i; variance h", "d_k = h^2, such as d_k = 4 with two heads: the page's width",
        sources=(GITHUB + "tenstorrent/tt-metal/pull/56789",),
    ),
    Mistake(
        "E2-04", "scores are divided by the number of features of a head", SCALE,
        "Draw random heads with 400 features and print the standard deviation of the scaled scores: is it near 1?",
        "The length is right; spread grows more slowly than the number of terms.",
        "softmax(q_i k_i^T / (d_k / h)) v_i", "d_k = h; equal scores inside every head",
    ),
    Mistake(
        "E2-21", "the scale is taken from the width of the values", HEADS,
        "Give V another number of columns and print the weights of one head: do they change?",
        "Scores are made of queries and keys alone.",
        "softmax(q_i k_i^T / sqrt(d_v / h)) v_i", "d_v = d_k",
        sources=(GITHUB + "juho-lee/set_transformer/issues/18",),
    ),
    Mistake(
        "E2-37", "the scale is turned upside down", SCALE,
        "Compare the spread of a head's scores before and after scaling: which of the two is larger?",
        "A factor and a divisor are reciprocals of each other; wide heads need calmer scores.",
        "softmax(q_i k_i^T * sqrt(d_k / h)) v_i", "d_k = h; equal scores inside every head",
    ),
    Mistake(
        "E2-38", "the width is multiplied by the number of heads", ALL,
        "Cut 12 features into 3 heads on paper: how many features does one head hold?",
        "More heads make each of them narrower.",
        "1 / sqrt(d_k h); variance d_k h", "one head",
    ),
    Mistake(
        "E2-39", "the number of heads stays outside the root", SCALE,
        "Draw heads of 16 features cut from 64 and print the standard deviation of the scaled scores: is it near 1?",
        "First the length of a piece is found, then what follows from that length.",
        "h / sqrt(d_k)", "one head",
    ),
    Mistake(
        "E2-40", "the variance in place of the factor", ("head_scale",),
        "Multiply random scores of one head by your number and print their standard deviation.",
        "The factor undoes the growth of the spread; it is not the growth itself.",
        "d_k / h", "d_k = h",
    ),
    Mistake(
        "E2-41", "the standard deviation in place of the variance", ("score_variance",),
        "Draw 100000 pairs of random heads and compare np.var and np.std of their products with your number.",
        "Variance and standard deviation measure the same spread in different units.",
        "sqrt(d_k / h)", "d_k = h",
    ),
    Mistake(
        "E2-42", "the variance is turned upside down", ("score_variance",),
        "Draw random heads of 4 and of 400 features: whose products vary more?",
        "Each further product adds to the variance.",
        "h / d_k", "d_k = h",
    ),
    Mistake(
        "E2-43", "the variance after scaling", ("score_variance",),
        "Read once more whether the question is about raw or about scaled scores, then print np.var of raw ones.",
        "The raw variance is the reason for the scale; after scaling nothing of it is left to see.",
        "1", "d_k = h",
    ),
    Mistake(
        "E2-44", "the variance is squared", ("score_variance",),
        "Draw random heads of 4 and of 16 features: by which factor does np.var of the raw scores grow?",
        "Variances of independent terms add up one by one.",
        "(d_k / h)^2", "d_k = h",
    ),
)
