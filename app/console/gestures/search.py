"""Which gestures a search finds, and in which order, as pure functions."""

from collections.abc import Iterable, Sequence

from app.console.gestures.library import Entry

OWN, LIBRARY, FAVOURITES = "This show", "Library", "Favourites"


def tags_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return every tag, the most used first."""
    counts: dict[str, int] = {}
    for entry in entries:
        for tag in entry.motion.tags:
            counts[tag] = counts.get(tag, 0) + 1
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag)))


def found(
    entries: Iterable[Entry], text: str, chips: Iterable[str], favourites: Sequence[str]
) -> tuple[Entry, ...]:
    """Return the gestures that fit, favourites first in their order.

    Args:
        entries: in the order of the list.
        text: words that must all occur in the title, the name or a tag.
        chips: tags, or OWN, LIBRARY and FAVOURITES, that must all hold.
        favourites: names.
    """
    words, wanted = text.casefold().split(), tuple(chips)
    place = {name: i for i, name in enumerate(favourites)}
    fitting = [
        entry
        for entry in entries
        if all(word in _words(entry) for word in words)
        and all(_holds(entry, chip, place) for chip in wanted)
    ]
    return tuple(sorted(fitting, key=lambda entry: place.get(entry.name, len(place))))


def with_favourite(favourites: Sequence[str], name: str) -> tuple[str, ...]:
    """Return the favourites with a name added at the end, or taken out."""
    if name in favourites:
        return tuple(other for other in favourites if other != name)
    return (*favourites, name)


def _words(entry: Entry) -> str:
    return " ".join((entry.title, entry.name, *entry.motion.tags)).casefold()


def _holds(entry: Entry, chip: str, favourites: dict[str, int]) -> bool:
    if chip == FAVOURITES:
        return entry.name in favourites
    if chip in (OWN, LIBRARY):
        return entry.own == (chip == OWN)
    return chip in entry.motion.tags
