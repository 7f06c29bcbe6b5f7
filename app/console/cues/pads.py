"""Which cue or trigger lies on which pad of the cart: pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shows.document import Cue, Show, Trigger

ALL, TRIGGERS = "", "\0triggers"
Item: TypeAlias = Cue | Trigger


@dataclass(frozen=True, slots=True)
class Page:
    """One page of pads.

    Attributes:
        items: on its pads, in order.
        number: from 0.
        count: of all pages, at least 1.
    """

    items: tuple[Item, ...]
    number: int
    count: int


def groups_of(show: Show) -> tuple[str, ...]:
    """Return the groups in the order of the list, each once."""
    return tuple(dict.fromkeys(cue.group.strip() for cue in show.cues if cue.group.strip()))


def page_of(items: Sequence[Item], pads: int, number: int) -> Page:
    """Return a page; a number beyond the ends gives the nearest."""
    count = max(1, -(-len(items) // pads))
    number = min(max(0, number), count - 1)
    return Page(tuple(items[number * pads : (number + 1) * pads]), number, count)


def items_of(show: Show, group: str) -> tuple[Item, ...]:
    """Return the cues of a group, the triggers, or all cues and then the triggers."""
    if group == ALL:
        return (*show.cues, *show.triggers)
    if group == TRIGGERS:
        return show.triggers
    return tuple(cue for cue in show.cues if cue.group.strip() == group)
