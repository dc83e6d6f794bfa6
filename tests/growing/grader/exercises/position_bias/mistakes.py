"""Exercise 4: every known mistake."""

from grader.exercises.exercise import Mistake

# By hand, a field or two a line: code, title, functions, experiment, idea, formula, invisible.
# fmt: off
MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        "E4-01", "keys before and after the query differ in sign", ("key_distance",),
        "Print the distances of the last query: are some of them negative?",
        "How far something is does not depend on the side where it stands.",
        "i - j", "one query, one key",
    ),
    Mistake(
        "E4-02", "distant keys gain weight", ("biased_scores",),
        "Print one row before and after: do the far keys gain or lose?",
        "What is paid is taken away.",
        "scores + slope |i - j|", "one query, one key",
    ),
)
