"""Exercise 3: every known mistake. The Jacobian's are in `softmax_jacobian`, those of differences in `differences`.

Codes E3B-01 to E3B-21 are the research catalogue's, without those about gradients for keys and values (10, 11, 12,
18); E3B-22 to E3B-35 were added.
"""

from grader.exercises.exercise import Mistake
from grader.exercises.gradient_chain.mistakes.differences import DIFFERENCES
from grader.exercises.gradient_chain.mistakes.softmax_jacobian import SOFTMAX_JACOBIAN
from grader.exercises.gradient_chain.mistakes.stages import FACTOR, OTHER_STAGES, SOFTMAX_STEP

MISTAKES: tuple[Mistake, ...] = tuple(
    sorted((*SOFTMAX_JACOBIAN, *SOFTMAX_STEP, *FACTOR, *OTHER_STAGES, *DIFFERENCES), key=lambda mistake: mistake.code)
)
