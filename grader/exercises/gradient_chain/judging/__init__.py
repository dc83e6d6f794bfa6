"""The judging that only exercise 3 has."""

from grader.exercises.gradient_chain.judging.chain import judge_order
from grader.exercises.gradient_chain.judging.gradient import judge_gradient
from grader.exercises.gradient_chain.judging.grain import has_grain_of_tiny_steps
from grader.exercises.gradient_chain.judging.looks import look_at_symmetry, look_at_zero_rows
from grader.judging.dossier import OwnJudging

JUDGING = OwnJudging(
    rules={"chain.order": judge_order, "attention_grad_q.gradient": judge_gradient},
    looks={
        ("softmax_jacobian", "J"): (look_at_zero_rows("Jacobian"), look_at_symmetry),
        ("grad_scores", "dS"): (look_at_zero_rows("dS"),),
    },
    recognisers={"FD-02": has_grain_of_tiny_steps},
)
