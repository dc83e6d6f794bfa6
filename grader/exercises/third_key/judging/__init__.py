"""The judging that only exercise 1 has."""

from grader.exercises.third_key.judging.inheritance import judge_third_key
from grader.exercises.third_key.judging.temperature import remark_on_temperature
from grader.exercises.third_key.judging.weights import look_at_rows, look_at_sign
from grader.judging.dossier import OwnJudging

JUDGING = OwnJudging(
    rules={"third_key.values": judge_third_key},
    looks={("attention", "weights"): (look_at_sign, look_at_rows)},
    remarks={"attention.weights": remark_on_temperature},
)
