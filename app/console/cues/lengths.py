"""How long each cue lasts, as far as its motions and phrases are at hand."""

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar

from app.console.context.document import Document
from shows.document import Cue


class _Lasting(Protocol):
    @property
    def duration_s(self) -> float: ...


T = TypeVar("T", bound=_Lasting)


class _Seconds(Mapping[str, float]):
    """The lengths of the items of a mapping [s], looked up on request."""

    def __init__(self, things: Mapping[str, T]) -> None:
        self._things = things

    def __getitem__(self, name: str) -> float:
        return self._things[name].duration_s

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)


class Lengths:
    """Keeps the requested lengths until the document changes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, tuple[Cue, float | None]] = {}
        document.changed.connect(self._known.clear)

    def of(self, cue: Cue) -> float | None:
        """Return how long its timeline lasts [s]; None where a motion or phrase is missing."""
        known = self._known.get(cue.number)
        if known is not None and known[0] is cue:
            return known[1]
        document = self._document
        try:
            length_s: float | None = cue.duration_s(
                _Seconds(document.motions), _Seconds(document.audio)
            )
        except KeyError:
            length_s = None
        self._known[cue.number] = (cue, length_s)
        return length_s
