"""The columns of the cue list: their texts, and the accepted input."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from app.console.cues.edits import EditError
from shows.document import (
    Cue,
    GestureTrack,
    JumpClip,
    LiveTrack,
    MarkClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)

Key = Literal[
    "state", "number", "name", "contents", "pre_wait_s", "duration", "post_wait_s",
    "continue_mode", "armed", "colour", "hotkey", "verdict", "notes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        key: its content; a field of `Cue` can be edited.
        title: above it.
        width: at first [px].
        tip: its meaning.
        editable: it shows a field that can be edited.
        right: figures, aligned to the right.
    """

    key: Key
    title: str
    width: int
    tip: str
    editable: bool = True
    right: bool = False


COLUMNS = (
    Column("state", "State", 112, "On standby, next, waiting or running, with time left", False),
    Column("number", "Cue", 52, "The cue's number", right=True),
    Column("name", "Name", 184, "What it is"),
    Column("contents", "Contents", 96, "Its gestures, sounds, walks and signals", False),
    Column("verdict", "Check", 92, "Preflight: may it GO?", False),
    Column("pre_wait_s", "Pre-wait", 72, "From GO to its start", right=True),
    Column("duration", "Length", 66, "How long it lasts, waits not included", False, True),
    Column("post_wait_s", "Post-wait", 78, "From its start or end to the next cue", right=True),
    Column("continue_mode", "Continues", 92, "Whether the next cue waits for GO"),
    Column("armed", "Armed", 84, "A disarmed cue is passed over"),
    Column("colour", "Colour", 86, "To find it again"),
    Column("hotkey", "Key", 58, "A key that fires it"),
    Column("notes", "Notes", 220, "For the operator's eyes"),
)
PLACE: Mapping[Key, int] = {column.key: i for i, column in enumerate(COLUMNS)}

CONTINUES: Mapping[str, str] = {
    "none": "GO",
    "auto_continue": "↓ continue",
    "auto_follow": "↧ follow",
}
CONTINUE_WORDS: Mapping[str, str] = {
    "none": "wait for GO",
    "auto_continue": "auto-continue",
    "auto_follow": "auto-follow",
}


def seconds_text(value_s: float | None, digits: int = 2) -> str:
    """Return a time: "4.50", "1:04.50", or "?" where it is not known."""
    if value_s is None:
        return "?"
    ticks = round(value_s * 10**digits)
    minutes, rest = divmod(ticks, 60 * 10**digits)
    seconds = rest / 10**digits
    return f"{minutes}:{seconds:0{digits + 3}.{digits}f}" if minutes else f"{seconds:.{digits}f}"


def seconds_of(text: str) -> float:
    """Return the time that a person typed: "4.5", "4,5", "1:04.5" or "4 s".

    Raises:
        EditError: the text is not of that form.
    """
    plain = text.strip().removesuffix("s").strip().replace(",", ".")
    parts = plain.split(":")
    try:
        if not 1 <= len(parts) <= 3 or any(not part or part[0] in "+-" for part in parts):
            raise ValueError
        value_s = 0.0
        for part in parts:
            value_s = 60.0 * value_s + float(part)
        if not value_s <= 1e6:
            raise ValueError
    except ValueError as error:
        raise EditError(
            f"{text!r} is no time; type seconds or minutes:seconds, such as 4.5 or 1:04.5."
        ) from error
    return value_s


def contents_text(cue: Cue) -> str:
    """Return the contents of a cue in a few words; empty where it has none."""
    parts: list[str] = []
    for track in cue.tracks:
        if not track.clips:
            continue
        if isinstance(track, GestureTrack):
            names = dict.fromkeys(clip.motion.replace("_", " ") for clip in track.clips)
            parts.extend(names)
        elif isinstance(track, VoiceTrack):
            parts.extend(f"♪ {clip.phrase}" for clip in track.clips)
        elif isinstance(track, WalkTrack):
            parts.extend(_walking(track))
        elif isinstance(track, LiveTrack):
            parts.extend(f"{clip.mode} a person" for clip in track.clips)
        else:
            parts.append(track.kind)
    return ", ".join(dict.fromkeys(parts))


def _walking(track: WalkTrack) -> Iterator[str]:
    """Yield how long a track walks and runs, how often it jumps, and its marks."""
    for gait in ("walk", "run"):
        clips = [c for c in track.clips if isinstance(c, WalkClip) and c.gait == gait]
        if clips:
            yield f"{gait} {seconds_text(sum(clip.length_s for clip in clips), 1)} s"
    jumps = sum(clip.count for clip in track.clips if isinstance(clip, JumpClip))
    if jumps:
        yield "1 jump" if jumps == 1 else f"{jumps} jumps"
    marks = dict.fromkeys(clip.mark for clip in track.clips if isinstance(clip, MarkClip))
    yield from (f"to {mark.replace('_', ' ')}" for mark in marks)


def cell_text(cue: Cue, key: Key) -> str:
    """Return the text of a cell that shows a field."""
    if key in ("pre_wait_s", "post_wait_s"):
        value_s: float = getattr(cue, key)
        return seconds_text(value_s) if value_s else "–"
    if key == "contents":
        return contents_text(cue)
    if key == "continue_mode":
        words = CONTINUES[cue.continue_mode]
        return words if cue.next is None else f"{words} > {cue.next}"
    if key == "armed":
        return "● armed" if cue.armed else "○ off"
    if key == "colour":
        return "" if cue.colour == "none" else cue.colour
    if key == "notes":
        return cue.notes.partition("\n")[0]
    return str(getattr(cue, key))


def edit_text(cue: Cue, key: str) -> str:
    """Return the text that an editor starts with."""
    value = getattr(cue, key)
    if key == "safe_points_s":
        return ", ".join(f"{point_s:g}" for point_s in cue.safe_points_s)
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def cell_value(key: str, text: str) -> object:
    """Return the value that a person typed into a cell; its bounds are checked by the edit.

    Raises:
        EditError: it means nothing.
    """
    if key in ("pre_wait_s", "post_wait_s"):
        return seconds_of(text)
    if key == "safe_points_s":
        return tuple(sorted({seconds_of(part) for part in _parts(text)}))
    if key == "armed":
        return text == "True"
    if key == "next":
        return text.strip() or None
    return text if key in ("notes", "script") else text.strip()


def _parts(text: str) -> list[str]:
    """Return the times of a list: they are separated by ";", or by a comma and a space."""
    split = text.split(";") if ";" in text else text.split(", ")
    return [part for part in split if part.strip()]
