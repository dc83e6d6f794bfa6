"""Exercise 2: multi-head attention with the scale of one head."""

from grader.exercises.exercise import Check, Exercise, Function, Item, Rule

FUNCTIONS = (
    Function("head_scale", "head_scale(d_k, num_heads)", (Item("scale", "a number"),), secret=True),
    Function("score_variance", "score_variance(d_k, num_heads)", (Item("variance", "a number"),), secret=True),
    Function("split_heads", "split_heads(X, num_heads)", (Item("heads", "(num_heads, n, d / num_heads)"),)),
    Function("multi_head_attention", "multi_head_attention(Q, K, V, num_heads)", (Item("output", "(n, d_v)"),)),
    Function("EXPLANATION", "EXPLANATION", (Item("text", "your own words"),), constant=True),
)

_MHA = "multi_head_attention"

CHECKS = (
    Check("head_scale.values", "the factor before one head's softmax", "head_scale", 4.75, Rule.VALUES),
    Check("head_scale.form", "a number", "head_scale", 0.25, Rule.FORM),
    Check("score_variance.values", "the variance of one head's raw score", "score_variance", 3.75, Rule.VALUES),
    Check("score_variance.form", "a number", "score_variance", 0.25, Rule.FORM),
    Check("split_heads.values", "neighbouring columns, one chunk a head", "split_heads", 4.25, Rule.VALUES),
    Check(
        "split_heads.refuses",
        "ValueError where the heads do not divide d",
        "split_heads",
        1.5,
        Rule.RAISES,
        needs_value=True,
    ),
    Check("split_heads.form", "an array of shape (num_heads, n, d / num_heads)", "split_heads", 0.25, Rule.FORM),
    Check("multi_head_attention.values", "heads of equal width, n = m", _MHA, 4.75, Rule.VALUES),
    Check("multi_head_attention.shapes", "n != m and d_v != d_k", _MHA, 2.5, Rule.VALUES),
    Check("multi_head_attention.large", "integers, very large scores", _MHA, 0.75, Rule.VALUES),
    Check(
        "multi_head_attention.refuses",
        "ValueError where the heads do not divide d_k and d_v",
        _MHA,
        1.5,
        Rule.RAISES,
        needs_value=True,
    ),
    Check(
        "multi_head_attention.unmodified",
        "Q, K and V stay as they were",
        _MHA,
        0.25,
        Rule.UNMODIFIED,
        needs_value=True,
    ),
    Check("multi_head_attention.form", "an array of shape (n, d_v)", _MHA, 0.25, Rule.FORM),
    Check("explanation.written", "why each head needs its own scale", "EXPLANATION", 5.0, Rule.WRITTEN),
)

EXERCISE = Exercise("multi_head", "Multi-head attention", FUNCTIONS, CHECKS)
