"""Exercise 4: distant keys count less."""

from grader.exercises.exercise import Check, Exercise, Function, Item, Rule

FUNCTIONS = (
    Function("key_distance", "key_distance(n, m)", (Item("distance", "(n, m)"),)),
    Function("biased_scores", "biased_scores(scores, slope)", (Item("scores", "(n, m)"),)),
)

_SCORES = "biased_scores"

CHECKS = (
    Check("key_distance.values", "positions between query and key", "key_distance", 3.75, Rule.VALUES),
    Check("key_distance.form", "an array of shape (n, m)", "key_distance", 0.25, Rule.FORM),
    Check("biased_scores.values", "each position costs the slope", _SCORES, 6.5, Rule.VALUES),
    Check("biased_scores.unmodified", "the scores stay as they were", _SCORES, 0.25, Rule.UNMODIFIED, needs_value=True),
    Check("biased_scores.form", "an array of shape (n, m)", _SCORES, 0.25, Rule.FORM),
)

EXERCISE = Exercise("position_bias", "Distant keys count less", FUNCTIONS, CHECKS)
