"""Which cue lies on which pad of the cart: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from shows.document import Cue, Show

ALL = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of pads.

    Attributes:
        cues: on its pads, in order.
        number: from 0.
        count: of all pages, at least 1.
    """

    cues: tuple[Cue, ...]
    number: int
    count: int


def groups_of(show: Show) -> tuple[str, ...]:
    """Return the groups in the order of the list, each once."""
    return tuple(dict.fromkeys(cue.group.strip() for cue in show.cues if cue.group.strip()))


def page_of(cues: Sequence[Cue], pads: int, number: int) -> Page:
    """Return a page; a number beyond the ends gives the nearest."""
    count = max(1, -(-len(cues) // pads))
    number = min(max(0, number), count - 1)
    return Page(tuple(cues[number * pads : (number + 1) * pads]), number, count)


def cues_of(show: Show, group: str) -> tuple[Cue, ...]:
    """Return the cues of a group, or all of them."""
    if group == ALL:
        return show.cues
    return tuple(cue for cue in show.cues if cue.group.strip() == group)
