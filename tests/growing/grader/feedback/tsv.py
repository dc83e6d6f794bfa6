"""A line for each exercise: its name, the points earned and the points there are, with tabs between them."""

from grader.report import Report


def render_tsv(report: Report) -> str:
    """Return a line for each exercise of the report."""
    rows = ((exercise.slug, exercise.score, exercise.max_score) for exercise in report.exercises)
    return "".join(f"{slug}\t{score:g}\t{most:g}\n" for slug, score, most in rows)
