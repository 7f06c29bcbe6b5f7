"""The output of a command: a sentence, and the reason for a refusal."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

COMMAND = "command"
"""Name of this process on the link."""
REFUSED = 2
"""Exit status for bad input."""


def refuse(text: object) -> int:
    """Print why the input is refused and return the exit status."""
    complain(text)
    return REFUSED


def complain(text: object) -> None:
    """Print one sentence to the standard error."""
    print(f"footlight: {text}", file=sys.stderr)


def say(console: "Console", text: str) -> None:
    """Print one sentence without markup or line breaks."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
