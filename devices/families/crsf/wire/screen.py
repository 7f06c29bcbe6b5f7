"""The handset's screen: one line of fifteen characters.

An alarm precedes the mode; a text that is too long for the line scrolls.
"""

from devices.families.crsf.wire.telemetry import Battery, encode_battery, encode_flight_mode

WIDTH = 15  # the frame of text has a NUL as its sixteenth character
_STEP_S = 0.35  # per character; the radio carries a few frames of text a second
_REST_S = 1.4  # pause at either end


def scroll(text: str, elapsed_s: float, width: int = WIDTH) -> str:
    """Return the part of a text that the line shows at a time [s] after it first appeared."""
    spare = len(text) - width
    if spare <= 0:
        return text
    round_s = 2.0 * _REST_S + spare * _STEP_S
    step = int((elapsed_s % round_s - _REST_S) / _STEP_S)
    first = min(max(step, 0), spare)
    return text[first : first + width]


def line(mode: str, alarm: str, elapsed_s: float) -> str:
    """Return the handset's line: an exclamation mark and the alarm if there is one, or the mode.

    Args:
        mode: name of the mode.
        alarm: text of the worst alarm, or empty.
        elapsed_s: time since this alarm, or this mode, was first shown [s].
    """
    return scroll(f"!{alarm}" if alarm else mode, elapsed_s)


def frames(mode: str, alarm: str, elapsed_s: float, battery: Battery) -> bytes:
    """Return all frames for the handset's screen."""
    return encode_flight_mode(line(mode, alarm, elapsed_s), WIDTH + 1) + encode_battery(battery)
