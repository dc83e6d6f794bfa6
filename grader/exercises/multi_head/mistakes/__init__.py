"""Exercise 2: every known mistake. Rows about the scale are in `head_scale`.

Codes E2-01 to E2-24 are the research catalogue's, E2-25 to E2-51 were added.
"""

from grader.exercises.exercise import Mistake
from grader.exercises.multi_head.mistakes.head_scale import HEAD_SCALE
from grader.exercises.multi_head.mistakes.heads import ATTENDING, CUTTING, MERGING

MISTAKES: tuple[Mistake, ...] = tuple(
    sorted((*HEAD_SCALE, *CUTTING, *ATTENDING, *MERGING), key=lambda mistake: mistake.code)
)
