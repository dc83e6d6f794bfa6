"""Exercise 3, mistakes in the numerical gradient. Codes FD-10 to FD-15 were added to the research's."""

from grader.exercises.exercise import Mistake

GITHUB = "https://github.com/"
NUMERICAL = ("numerical_gradient",)

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
DIFFERENCES: tuple[Mistake, ...] = (
    Mistake(
        "FD-01", "the difference looks forward only", NUMERICAL,
        "Halve h and print the error for a sum of cubes: is it halved or quartered?",
        "Looking to one side leaves an error in proportion to the step; two sides can cancel it.",
        "(f(x + h) - f(x)) / h", "f linear",
    ),
    Mistake(
        "FD-02", "the step is far too small", NUMERICAL,
        "Print the two values whose difference you take, with all digits.",
        "Nearly equal numbers lose their common digits when they are subtracted.",
        "h = 1e-12", "a gradient of zero", rounding=True,
        sources=(GITHUB + "chainer/chainer/issues/580", GITHUB + "pasteurlabs/tesseract-core/issues/740"),
    ),
    Mistake(
        "FD-03", "the distance of the two points is taken for half of what it is", NUMERICAL,
        "Mark both points on paper: how far apart are they?",
        "A slope is a rise over the distance between the points where it was measured.",
        "(f(x + h) - f(x - h)) / h", "a gradient of zero", sources=(GITHUB + "markroxor/fromscratchtoml/issues/65",),
    ),
    Mistake(
        "FD-04", "single precision inside", NUMERICAL,
        "Print the dtype of the array that you move.",
        "A small difference of large numbers needs all the digits that it can get.",
        "x.astype(float32)", "a gradient of zero",
        sources=(GITHUB + "pytorch/pytorch/issues/5351", GITHUB + "PaddlePaddle/Paddle/issues/4283",
                 "https://datascience.stackexchange.com/questions/30850"),
    ),
    Mistake(
        "FD-05", "x is moved and never put back", NUMERICAL,
        "Print x before and after the call.",
        "Each entry is moved alone, with all others in their places.",
        "x[i] += h without return", "f linear; integer x hides the change of the input",
    ),
    Mistake(
        "FD-06", "the step is far too large", NUMERICAL,
        "Print the error for h = 0.1, 0.01, 0.001: does your function follow h at all?",
        "A straight line fits only a short piece of a curve.",
        "h = 0.1", "f quadratic", sources=("https://stats.stackexchange.com/questions/184220",),
    ),
    Mistake(
        "FD-07", "whole numbers cannot take a small step", NUMERICAL,
        "Pass np.array([1, 2, 3]) and print the moved array.",
        "An array of integers stores integers.",
        "x[i] = x[i] + h in an integer array", "floating x",
    ),
    Mistake(
        "FD-08", "all entries are moved at once", NUMERICAL,
        "Print how many entries of the moved array differ from x.",
        "A partial derivative belongs to one coordinate.",
        "f(x + h) - f(x - h) with h everywhere", "x has one entry",
    ),
    Mistake(
        "FD-09", "both points are the same array", NUMERICAL,
        "Print both points just before f is called.",
        "A second name for an array is not a second array.",
        "ahead = behind = x", "a gradient of zero",
    ),
    Mistake(
        "FD-10", "the difference looks backward only", NUMERICAL,
        "Halve h and print the error for a sum of cubes: is it halved or quartered?",
        "Looking to one side leaves an error in proportion to the step; two sides can cancel it.",
        "(f(x) - f(x - h)) / h", "f linear",
    ),
    Mistake(
        "FD-11", "the result is flattened", NUMERICAL,
        "Compare the shape of the result with the shape of x.",
        "Each entry of x has its derivative at the same place.",
        "gradient.ravel()", "x with one axis",
    ),
    Mistake(
        "FD-12", "a whole row is moved at once", NUMERICAL,
        "Print how many entries of the moved array differ from x, for x of shape (2, 3).",
        "A loop over an array of two axes meets rows, not entries.",
        "for i in range(len(x)): x[i] += h", "x with one axis, or with one column",
    ),
    Mistake(
        "FD-13", "x is put back only up to rounding", NUMERICAL,
        "Print x - x_before after the call, with all digits.",
        "Adding and subtracting the same step need not lead back to the same number.",
        "x[i] += h; x[i] -= 2h; x[i] += h", "numbers for which the sums are exact; integer x",
    ),
    Mistake(
        "FD-14", "the difference is not divided", NUMERICAL,
        "Halve h and print the result: may it change?",
        "A slope does not depend on how far one went to measure it.",
        "f(x + h) - f(x - h)", "a gradient of zero",
    ),
    Mistake(
        "FD-15", "the step multiplies where it should divide", NUMERICAL,
        "Halve h and print the result: may it change?",
        "Python works quotients and products off from left to right: which part of the divisor stays below the line?",
        "(f(x + h) - f(x - h)) / 2 * h", "a gradient of zero",
    ),
)
