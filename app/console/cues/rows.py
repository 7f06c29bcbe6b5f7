"""The rows of the cue list: groups under headers, folded or not, and the search."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from shows.document import Cue, Show


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a cue, or the header of neighbours of one group.

    Attributes:
        place: of the cue in the show; of a header, that of its first cue.
        number: of that cue.
        group: its group, or empty.
        count: of a header, how many cues it stands above; 0 for a cue.
    """

    place: int
    number: str
    group: str = ""
    count: int = 0

    @property
    def is_header(self) -> bool:
        """It is no cue."""
        return self.count > 0


def visible_rows(
    show: Show,
    folded: Collection[str] = (),
    query: str = "",
    keep: Callable[[Cue], bool] | None = None,
) -> tuple[Row, ...]:
    """Return the rows in order.

    Args:
        show: the document.
        folded: groups of which the header alone is shown; a search unfolds all.
        query: words that the number, a text, the colour or the hotkey hold, whatever their case.
        keep: a further condition.
    """
    words = query.casefold().split()
    rows: list[Row] = []
    places = [
        i
        for i, cue in enumerate(show.cues)
        if (keep is None or keep(cue)) and (not words or _holds(cue, words))
    ]
    header = -1
    before: tuple[int, str] | None = None
    for place in places:
        cue = show.cues[place]
        group = cue.group.strip()
        if group:
            if before is None or before[1] != group or (not words and before[0] != place - 1):
                header = len(rows)
                rows.append(Row(place, cue.number, group, 1))
            else:
                old = rows[header]
                rows[header] = Row(old.place, old.number, group, old.count + 1)
        before = (place, group)
        if not group or words or group not in folded:
            rows.append(Row(place, cue.number, group))
    return tuple(rows)


def _holds(cue: Cue, words: Collection[str]) -> bool:
    colour = "" if cue.colour == "none" else cue.colour
    text = "\n".join(
        (cue.number, cue.name, cue.notes, cue.script, cue.group, colour, cue.hotkey)
    ).casefold()
    return all(word in text for word in words)
