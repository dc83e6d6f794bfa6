"""Exercise 1: every known mistake. Rows about the scale are in `scale`, rows about softmax in `softmax`.

Codes E1-01 to E1-40 are the research catalogue's (without E1-39, which needs batches), E1-41 to E1-71 were added.
"""

from grader.exercises.exercise import Mistake
from grader.exercises.third_key.mistakes.scale import SCALE
from grader.exercises.third_key.mistakes.softmax import SOFTMAX_AXIS, SOFTMAX_SHIFT, SOFTMAX_VALUES
from grader.exercises.third_key.mistakes.weights_and_keys import KEYS, WEIGHTS_IN_USE, WINNERS

MISTAKES: tuple[Mistake, ...] = tuple(
    sorted(
        (*SCALE, *SOFTMAX_AXIS, *SOFTMAX_SHIFT, *SOFTMAX_VALUES, *WEIGHTS_IN_USE, *KEYS, *WINNERS),
        key=lambda mistake: mistake.code,
    )
)
