"""Checks of the numbers that an operation takes."""

import math

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S


class SettingError(ShowError, ValueError):
    """A setting that no motion could take.

    msgspec reports a ValueError with its place in the file, so that a file's error has a line.
    """


def check_within(
    label: str, place: str, value: float, least: float, most: float, unit: str, advice: str
) -> None:
    """Refuse a number outside its bounds, or one that is not finite.

    Args:
        label: name of the motion.
        place: name of the setting.
        value: the number.
        least: smallest number that passes.
        most: largest number that passes; may be infinite.
        unit: unit of all three, for the error.
        advice: what to do.

    Raises:
        ShowError: with the number and its bounds.
    """
    if math.isfinite(value) and least <= value <= most:
        return
    bounds = f"at least {least:g}" if math.isinf(most) else f"within {least:g} to {most:g}"
    raise ShowError(label, place, f"{value:g} is not {bounds} {unit}".rstrip(), advice)


def check_positive(label: str, place: str, value: float, unit: str, advice: str) -> None:
    """Refuse a number that is not finite and above zero.

    Raises:
        ShowError: with the number.
    """
    if not (math.isfinite(value) and value > 0.0):
        reason = f"{value:g} {unit} is not more than 0 {unit}"
        raise ShowError(label, place, reason, advice)


def check_duration(label: str, duration_s: float) -> None:
    """Refuse a result that is longer than a motion may be.

    Raises:
        ShowError: with both durations.
    """
    if duration_s > MAX_MOTION_S:
        reason = f"the result would last {duration_s:.0f} s, more than {MAX_MOTION_S:.0f} s"
        raise ShowError(label, "duration", reason, "trim it, or slow it less")
