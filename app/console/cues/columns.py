"""Which columns of the cue list are shown: as many as there is room for, or those chosen."""

from collections.abc import Collection, Sequence

from app.console.cues.cells import COLUMNS, PLACE, Key

NAME_PX = 150  # a name is readable from here on
ALWAYS: tuple[Key, ...] = ("state", "number", "name", "duration", "continue_mode", "verdict")
"""What is needed in a show; there is room for them where a window is 1280 pixels wide."""
_LAST: tuple[Key, ...] = ("continue_mode", "duration")  # of these, the first to fold
_NEXT: tuple[Key, ...] = (
    "contents",
    "pre_wait_s",
    "post_wait_s",
    "armed",
    "hotkey",
    "notes",
    "colour",
)
BARE: tuple[Key, ...] = ("state", "number", "name")
"""Without these nobody knows which cue it is, nor whether it runs."""


def shown(room_px: int, widths_px: Sequence[int], chosen: Collection[str] = ()) -> tuple[Key, ...]:
    """Return the columns that are shown, in the order of the list.

    Args:
        room_px: width of the list.
        widths_px: of every column; the name's is not looked at.
        chosen: columns that the operator chose; empty: as many as fit.
    """
    if chosen:
        return tuple(c.key for c in COLUMNS if c.key in chosen or c.key in BARE)
    found = set(ALWAYS)
    left_px = room_px - NAME_PX - sum(widths_px[PLACE[key]] for key in ALWAYS if key != "name")
    for key in _LAST:
        if left_px < 0:
            found.remove(key)
            left_px += widths_px[PLACE[key]]
    if len(found) < len(ALWAYS):
        return tuple(column.key for column in COLUMNS if column.key in found)
    for key in _NEXT:
        left_px -= widths_px[PLACE[key]]
        if left_px < 0:
            break
        found.add(key)
    return tuple(column.key for column in COLUMNS if column.key in found)


def name_px(room_px: int, widths_px: Sequence[int], keys: Collection[Key]) -> int:
    """Return the width of the name: the rest of the width, or its minimum."""
    others = sum(widths_px[PLACE[key]] for key in keys if key != "name")
    return max(NAME_PX, room_px - others)
