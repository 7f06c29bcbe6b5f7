"""What a pad of the cart shows: pure, from a cue or a trigger and their state."""

from collections.abc import Collection
from dataclasses import dataclass

from app.console.cues.cells import seconds_text
from app.console.cues.model import VERDICT_WORDS, state_text
from app.console.cues.playback import CueState
from app.console.cues.verdicts import CueVerdict
from app.console.toolkit import theme
from core.link.status import Status
from shows.document import Cue, Trigger
from shows.uses import Use, title_of, use_of

SAYS, MOVES, HAND, IDLE = "say", "move", "hand", "idle"


@dataclass(frozen=True, slots=True)
class Face:
    """The look of a pad.

    Attributes:
        lead: large text at the left.
        key: what fires it, at the right.
        name: below.
        foot: state, at the foot.
        foot_colour: of the state.
        note: at the right of the foot.
        colour: of its edge at the top.
        live: a press does something.
        share: share of the progress; None without.
        edge: tone of its frame; None without.
        tip: one sentence or two.
        spoken: name for screen readers.
    """

    lead: str
    key: str
    name: str
    foot: str
    foot_colour: str
    note: str
    colour: str
    live: bool
    share: float | None
    edge: theme.Tone | None
    tip: str
    spoken: str


def cue_face(cue: Cue, state: CueState, verdict: CueVerdict, length_s: float | None) -> Face:
    """Return the face of a cue."""
    key = f"[{cue.hotkey}]" if cue.hotkey else ""
    armed = "" if cue.armed else "; it is disarmed and would be passed over"
    words = VERDICT_WORDS[verdict.kind][1]
    foot, foot_colour = _cue_word(cue, state, verdict)
    edge = theme.BUSY if state.run else theme.GOOD if state.standby else None
    return Face(
        lead=cue.number,
        key=key,
        name=cue.name,
        foot=foot,
        foot_colour=foot_colour,
        note="" if state.run else seconds_text(length_s),
        colour=theme.CUE_COLOURS[cue.colour],
        live=cue.armed,
        share=state.share,
        edge=edge,
        tip=f"Fire cue {cue.number} {cue.name}{armed}{'  ' + key if key else ''}\n"
        f"{words}: {verdict.reason}",
        spoken=f"Fire cue {cue.number} {cue.name} {state_text(state)}",
    )


def trigger_face(
    trigger: Trigger, status: Status | None, fault: str, button: str, length_s: float | None
) -> Face:
    """Return the face of a trigger.

    Args:
        trigger: the trigger.
        status: the newest status; None without a core.
        fault: what it lacks, a clause; empty if nothing.
        button: name of its controller's button; empty without one.
        length_s: length of its phrase; None without [s].
    """
    use = use_of(trigger.use) or Use()
    title = title_of(trigger)
    keys = [f"[{trigger.hotkey}]"] if trigger.hotkey else []
    keys += [f"({button})"] if button else []
    foot, colour, edge = _trigger_word(use, status, fault)
    does = f"{kind_of(use)} {use.label}"
    return Face(
        lead=kind_of(use),
        key=" ".join(keys),
        name=title,
        foot=foot,
        foot_colour=colour,
        note=seconds_text(length_s) if use.phrase else "",
        colour=theme.CUE_COLOURS[trigger.colour],
        live=not fault,
        share=None,
        edge=edge,
        tip=f"{title}: {does}" + (f"\nIt {fault}" if fault else ""),
        spoken=f"{title}: {does} {foot}".strip(),
    )


def kind_of(use: Use) -> str:
    """Return in a word or two what a use does."""
    if use.pose:
        return HAND
    if use.idle:
        return IDLE
    return " + ".join(word for word, name in ((MOVES, use.gesture), (SAYS, use.phrase)) if name)


def _trigger_word(
    use: Use, status: Status | None, fault: str
) -> tuple[str, str, theme.Tone | None]:
    """Return the last line of a trigger's pad, its colour, and the tone of the frame."""
    if fault:
        return f"{theme.BAD.mark} missing", theme.BAD.colour, None
    if status is None:
        return "", theme.MUTED, None
    if use.idle and status.idles is not None:
        tone = theme.GOOD if status.idles else theme.IDLE
        return f"{tone.mark} {'on' if status.idles else 'off'}", tone.colour, None
    if _plays(use, status.gestures):
        return f"{theme.BUSY.mark} plays", theme.TEXT, theme.BUSY
    return "", theme.MUTED, None


def _plays(use: Use, playing: Collection[str]) -> bool:
    """Return whether limbs play a gesture, or hands keep a pose, by the names of their clips."""
    if use.pose:
        sides = ("left", "right") if use.hand == "both" else (use.hand,)
        held = [name for name in playing if name.endswith(f":{use.pose}")]
        return any(side in name.partition(":")[0] for name in held for side in sides)
    return bool(use.gesture) and use.gesture in playing


def _cue_word(cue: Cue, state: CueState, verdict: CueVerdict) -> tuple[str, str]:
    """Return the last line of a cue's pad, and its colour."""
    if state.run:
        return state_text(state), theme.TEXT
    if not cue.armed:
        return "○ disarmed", theme.WARN.colour
    if verdict.kind == "refused":
        return f"{theme.BAD.mark} refused", theme.BAD.colour
    if state.standby:
        return f"{theme.GOOD.mark} STANDBY", theme.GOOD.colour
    return ("→ next", theme.MUTED) if state.next else ("", theme.MUTED)
