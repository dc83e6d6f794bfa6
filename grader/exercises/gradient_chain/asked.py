"""Exercise 3: the gradient of attention with respect to Q, as a chain, and by finite differences."""

from grader.exercises.exercise import Check, Exercise, Function, Item, Rule

# After CHAIN in alphabetical order: the order of the chain is a question.
FUNCTIONS = (
    Function("CHAIN", "CHAIN", (Item("stages", "a list of words"),), constant=True, secret=True),
    Function("attention_grad_q", "attention_grad_q(Q, K, V, dO)", (Item("dQ", "(n, d_k)"),)),
    Function("grad_queries", "grad_queries(dS, K)", (Item("dQ", "(n, d_k)"),)),
    Function("grad_scores", "grad_scores(weights, dA)", (Item("dS", "(n, m)"),)),
    Function("grad_weights", "grad_weights(dO, V)", (Item("dA", "(n, m)"),)),
    Function("numerical_gradient", "numerical_gradient(f, x, h=1e-5)", (Item("gradient", "same shape as x"),)),
    Function("softmax_jacobian", "softmax_jacobian(z)", (Item("J", "(k, k)"),)),
)

CHECKS = (
    Check("chain.order", "the stages from dO to dQ", "CHAIN", 8.0, Rule.OWN),
    Check("attention_grad_q.gradient", "the whole chain", "attention_grad_q", 7.5, Rule.OWN, builds_on="attention"),
    Check("attention_grad_q.unmodified", "Q, K, V and dO stay as they were", "attention_grad_q", 0.25, Rule.UNMODIFIED),
    Check("attention_grad_q.form", "an array of shape (n, d_k)", "attention_grad_q", 0.25, Rule.FORM),
    Check("grad_queries.values", "dQ from dS", "grad_queries", 2.75, Rule.VALUES),
    Check("grad_queries.form", "an array of shape (n, d_k)", "grad_queries", 0.25, Rule.FORM),
    Check("grad_scores.values", "dS from dA", "grad_scores", 5.5, Rule.VALUES),
    Check(
        "grad_scores.unmodified",
        "weights and dA stay as they were",
        "grad_scores",
        0.25,
        Rule.UNMODIFIED,
        needs_value=True,
    ),
    Check("grad_scores.form", "an array of shape (n, m)", "grad_scores", 0.25, Rule.FORM),
    Check("grad_weights.values", "dA from dO", "grad_weights", 2.75, Rule.VALUES),
    Check("grad_weights.form", "an array of shape (n, m)", "grad_weights", 0.25, Rule.FORM),
    Check("numerical_gradient.values", "central differences", "numerical_gradient", 3.75, Rule.VALUES),
    Check("numerical_gradient.integers", "an integer x", "numerical_gradient", 0.75, Rule.VALUES),
    Check(
        "numerical_gradient.unmodified",
        "x stays as it was",
        "numerical_gradient",
        0.25,
        Rule.UNMODIFIED,
        needs_value=True,
    ),
    Check("numerical_gradient.form", "an array of the shape of x", "numerical_gradient", 0.25, Rule.FORM),
    Check("softmax_jacobian.values", "the Jacobian of softmax", "softmax_jacobian", 5.0, Rule.VALUES),
    Check("softmax_jacobian.large", "very large logits", "softmax_jacobian", 1.5, Rule.VALUES),
    Check(
        "softmax_jacobian.unmodified",
        "z stays as it was",
        "softmax_jacobian",
        0.25,
        Rule.UNMODIFIED,
        needs_value=True,
    ),
    Check("softmax_jacobian.form", "an array of shape (k, k)", "softmax_jacobian", 0.25, Rule.FORM),
)

CHAIN_WORDS = (
    "cross-entropy",
    "scores matmul",
    "layer norm",
    "scale",
    "ReLU",
    "values matmul",
    "log-sum-exp",
    "softmax Jacobian",
)
"""The words that the student file offers for `CHAIN`, in its order. Which of them are right is in the answer key."""

EXERCISE = Exercise("gradient_chain", "The gradient as a chain", FUNCTIONS, CHECKS)
