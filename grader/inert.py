"""Strings that others wrote, shown so that they can do nothing: to a line, to a terminal, to a reader's eye."""


def printable(text: str) -> str:
    """Return the string with a question mark for what would break a line or cannot be seen."""
    return "".join(character if character.isprintable() else "?" for character in text)
