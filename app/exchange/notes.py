"""What a command of motions says while it works: a spinner in a terminal, lines elsewhere."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status

STEP = 0.05  # share of the work after which another line is printed
_OF = " of "


class Notes:
    """Tells on the standard error what is being done.

    Args:
        first: what is done first.
    """

    def __init__(self, first: str) -> None:
        self._console = Console(stderr=True)
        self._status: Status | None = None
        self._share, self._what = 0.0, ""
        if self._console.is_terminal:
            self._status = self._console.status(first)
        else:
            self.say(first)

    def say(self, words: str) -> None:
        """Tell what is done now."""
        if self._status is not None:
            self._status.update(words)
        else:
            print(words, file=sys.stderr, flush=True)

    def count(self, done: int, whole: int, what: str) -> None:
        """Tell how much of something is done."""
        words = f"{done}{_OF}{whole} {what}"
        if what != self._what:
            self._share, self._what = 0.0, what
        if self._status is not None:
            self._status.update(words)
        elif done == whole or done / whole >= self._share + STEP:
            self._share = done / whole
            print(words, file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()


def share_of(words: str) -> float | None:
    """Return the share that a line of `Notes.count` tells; None for another line."""
    done, of, rest = words.partition(_OF)
    whole = rest.partition(" ")[0]
    if not of or not done.isdecimal() or not whole.isdecimal() or not int(whole):
        return None
    return min(1.0, int(done) / int(whole))
