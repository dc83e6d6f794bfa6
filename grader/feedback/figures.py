"""Write numbers of points, and of other things, as a person does."""


def points(value: float) -> str:
    """Return a number of points as a person writes it: `12`, `2.5`, `0.25`."""
    return f"{round(value, 2):g}"


def count(number: float, noun: str) -> str:
    """Return `1 point`, `5 points`."""
    return f"{points(number)} {noun}{'' if number == 1 else 's'}"
