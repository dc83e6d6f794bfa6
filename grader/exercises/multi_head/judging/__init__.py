"""The judging that only exercise 2 has."""

from grader.exercises.multi_head.judging.names import NAMES
from grader.judging.dossier import OwnJudging

JUDGING = OwnJudging(names=NAMES)
