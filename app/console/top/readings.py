"""The readings of the top bar: the robot's state and health in words, with the core's figures."""

import math
from dataclasses import dataclass

from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from core.link.status import Alarm, Status
from core.link.wording import advice, alarm, fault

WEAK_LINK = 0.7  # share of the handset's frames; below that go nearer
HOUR_S = 3600.0  # from here on there is no room for a word beside a time
MODES = {
    "OFF": theme.IDLE,
    "DAMPED": theme.IDLE,
    "STANDING_UP": theme.BUSY,
    "READY": theme.GOOD,
    "PERFORM": theme.BUSY,
    "WALK": theme.BUSY,
    "RECORD": theme.BUSY,
    "SETTLE": theme.WARN,
    "FAULT": theme.BAD,
    "ESTOP": theme.BAD,
}
_TONES = {"NONE": theme.GOOD, "WARN": theme.WARN, "HOLD": theme.WARN}


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of the top bar.

    Attributes:
        tone: its colour and mark.
        text: the value.
        hint: the whole truth, for the tooltip and for a screen reader.
    """

    tone: Tone
    text: str
    hint: str


def clock(seconds: float) -> str:
    """Return a time as 1:05 or 1:02:03, rounded down."""
    whole = int(max(0.0, seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{whole % 60:02d}"
    return f"{minutes}:{whole % 60:02d}"


def lost(what: str) -> Reading:
    """Return the reading of a value that is unknown now."""
    return Reading(theme.UNKNOWN, "?", f"{what}: unknown, the core is not there.")


def mode(status: Status, steps: bool = False) -> Reading:
    """Return the mode's name as the core gives it, and whether a standing robot takes steps."""
    word = status.mode.replace("_", " ")
    hint = f"The robot is in {status.mode}; the failsafe's action is {status.action}."
    if steps and status.mode == "READY":
        word = f"{word}, steps"
        hint = f"{hint} It takes steps by itself to correct its stance or to keep its balance."
    return Reading(MODES.get(status.mode, theme.UNKNOWN), word, hint)


def show_clock(status: Status) -> Reading:
    """Return the position in the show, which stands still where no cue runs."""
    text = clock(status.position_s)
    if status.paused:
        words = f"{text} paused" if status.position_s < HOUR_S else f"‖ {text}"
        return Reading(theme.WARN, words, "The show clock is held: paused.")
    if status.running_cues:
        return Reading(theme.BUSY, text, "Position of the running cue in the show.")
    return Reading(theme.IDLE, text, "Position of the cue on standby in the show.")


def time_left(status: Status) -> Reading:
    """Return the remaining time of the show; its length may be unknown."""
    if not status.show_length_s:
        return Reading(theme.IDLE, "–", "The length of the show is not known.")
    left_s = max(0.0, status.show_length_s - status.position_s)
    hint = f"From here to the end of the show, {clock(status.show_length_s)} long."
    return Reading(theme.IDLE, clock(math.ceil(left_s)), hint)


def link(age_s: float) -> Reading:
    """Return how old the newest status is."""
    tone = theme.GOOD if age_s <= 0.1 else theme.WARN
    hint = "Age of the core's newest status; at 200 ms it counts as lost."
    return Reading(tone, f"{age_s * 1000:.0f} ms", hint)


def radio(status: Status) -> Reading:
    """Return the handset's state."""
    handset = status.handset
    if "HANDSET_SILENT" in status.flags:
        hint = "The handset is silent: go nearer, check its battery."
        told = handset.troubles if handset is not None else ()
        return Reading(theme.BAD, "silent", told[0] if told else hint)
    if handset is None:
        return Reading(theme.IDLE, "no handset", "No handset is fitted to this robot.")
    if not handset.heard:
        hint = "The handset is not heard, and cannot stop the robot: switch it on."
        return Reading(theme.IDLE, "off", handset.troubles[0] if handset.troubles else hint)
    text = f"{handset.quality:.0%}"
    if handset.troubles:
        return Reading(theme.WARN, text, handset.troubles[0])
    tone = theme.GOOD if handset.quality >= WEAK_LINK else theme.WARN
    return Reading(tone, text, "Share of the handset's frames that arrive.")


def battery(status: Status) -> Reading:
    """Return charge and voltage, judged by the core's flags."""
    charge, volts = f"{status.battery_charge * 100:.0f} %", f"{status.battery_v:.1f} V"
    text, hint = f"{charge} {volts}", f"{charge} of the charge is left, at {volts}."
    if {"BATTERY_CRITICAL", "BATTERY_FLAT"} & set(status.flags):
        return Reading(theme.BAD, text, f"{hint} Nearly empty: change it now.")
    if "BATTERY_LOW" in status.flags:
        return Reading(theme.WARN, text, f"{hint} Low: change it at the next break.")
    return Reading(theme.GOOD, text, hint)


def load(status: Status, period_s: float) -> Reading:
    """Return the share of the core's period [s] that its ticks take."""
    stats, period_us = status.tick, 1e6 * period_s
    text = f"{stats.median_us / period_us:.0%}"
    hint = (
        f"Ticks of the last 2 s took {stats.median_us:.0f} µs in the median, {stats.p99_us:.0f} at "
        f"the 99th percentile, {stats.worst_us:.0f} at most, of {period_us:.0f} µs; "
        f"{stats.overruns} came late since the start."
    )
    if "TICK_STALLED" in status.flags or stats.median_us > period_us:
        return Reading(theme.BAD, f"{text}, too slow", hint)
    if "TICK_LATE" in status.flags or stats.p99_us > period_us:
        return Reading(theme.WARN, f"{text}, late", hint)
    return Reading(theme.GOOD, text, hint)


def action_tone(action: str) -> Tone:
    """Return the appearance of a failsafe's action."""
    return _TONES.get(action, theme.BAD)


def alarms(active: tuple[Alarm, ...]) -> Reading:
    """Return how many alarms there are, in the tone of the worst, which comes first."""
    if not active:
        return Reading(theme.GOOD, "none", "No alarm.")
    worst = active[0]
    todo = advice(fault(worst.flag, worst.action))
    hint = f"{len(active)} active; the worst: {alarm(worst)} {todo}"
    return Reading(action_tone(worst.action), str(len(active)), hint)


def lost_sentence(age_s: float, known: bool, foreign: bool = False, failure: str = "") -> str:
    """Return the banner's text while the core is absent.

    Args:
        age_s: time since its last status [s].
        known: it was there before.
        foreign: one is there that this console cannot read.
        failure: why it failed, as it has said itself; empty if it has not.
    """
    if foreign:
        return (
            "ANOTHER VERSION: a core is there, but this console cannot read what it says. Use the "
            "handset or the E-stop, and install the same version of Footlight on both. Commands "
            "are off."
        )
    if not known:
        return (
            "NO CORE YET: one that was just started needs up to a minute. If none was: footlight "
            "rehearse, or footlight core on the robot. Commands are off until it answers."
        )
    if failure:
        return (
            f"THE RUN HAS ENDED: {failure}. STOP here cannot reach the robot. Use the handset or "
            "the E-stop. Save your edits, close this console, and start the run again."
        )
    return (
        f"CORE LOST for {clock(age_s)}: STOP here cannot reach it. Use the handset or the E-stop. "
        "If only the link is lost, the robot plays to its next safe point and stands. "
        "Commands are off; when the core is back, nothing moves until told."
    )
