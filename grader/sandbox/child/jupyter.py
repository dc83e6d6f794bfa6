"""What every notebook finds in its namespace, before its first cell is run."""

from collections.abc import Callable
from typing import Any


class QuietShell:
    """Stands for IPython's shell: whatever is asked of it does nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Give a function that does nothing."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_args, **_named: None


def _display(*_args: object, **_named: object) -> None:
    """Show nothing: there is no front end."""


def _stay(*_args: object) -> None:
    """Stand for `exit` and `quit`, which end a kernel, not a cell."""


def first_of_a_notebook() -> dict[str, Any]:
    """Return the names that Jupyter gives. Earlier inputs and outputs are empty: nothing is kept of them."""
    shell = QuietShell()
    names: dict[str, Any] = {"get_ipython": lambda: shell, "display": _display, "exit": _stay, "quit": _stay}
    names |= {"In": [""], "Out": {}, "_": "", "__": "", "___": "", "_i": "", "_ii": "", "_iii": ""}
    names |= {"_ih": names["In"], "_oh": names["Out"], "_dh": []}
    return names
