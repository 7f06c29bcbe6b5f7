"""The steps in words, new steps, and the fields that an operator types."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from shows.motion import Motion
from shows.process import steps as s
from shows.process.steps import Step


@dataclass(frozen=True, slots=True)
class Field:
    """A number of a step.

    Attributes:
        name: of the attribute.
        label: in the form.
        unit: behind the number.
        low: smallest value.
        high: largest value.
        step: of the arrows.
    """

    name: str
    label: str
    unit: str
    low: float
    high: float
    step: float


FIELDS: dict[type, tuple[Field, ...]] = {
    s.Trim: (
        Field("start_s", "From", " s", 0.0, 600.0, 0.1),
        Field("end_s", "To", " s", 0.0, 600.0, 0.1),
    ),
    s.Smooth: (Field("bandwidth_hz", "Bandwidth", " Hz", 0.2, 50.0, 0.5),),
    s.Repair: (
        Field("threshold", "Threshold", " σ", 1.0, 50.0, 1.0),
        Field("longest_dropout_s", "Longest", " s", 0.02, 10.0, 0.1),
    ),
    s.Retime: (Field("factor", "Duration ×", "", 0.1, 10.0, 0.1),),
    s.Loop: (Field("blend_s", "Blend", " s", 0.05, 10.0, 0.1),),
    s.Layer: (
        Field("weight", "Weight", "", 0.0, 1.0, 0.1),
        Field("start_s", "Start", " s", 0.0, 600.0, 0.1),
    ),
    s.ScaleAmplitude: (Field("factor", "Size ×", "", 0.0, 5.0, 0.1),),
}
"""Numbers that can be typed, by the type of the step."""


def text(step: Step) -> str:
    """Return what a step does in a few words."""
    match step:
        case s.Trim():
            return f"Trim: {step.start_s:.2f} to {step.end_s:.2f} s"
        case s.Smooth():
            return f"Smooth: {step.bandwidth_hz:g} Hz"
        case s.Repair():
            return "Repair"
        case s.Keys():
            count = sum(len(curve.keys) for curve in step.curves.values())
            return f"Keys: {count} of {len(step.curves)} joints"
        case s.Mirror():
            return "Mirror"
        case s.Retime():
            return f"Retime: duration × {step.factor:g}"
        case s.RetimeBetween() | s.RetimeMarkers():
            return "Retime by markers"
        case s.SlowToLimits():
            return "Slow to limits"
        case s.Loop():
            return f"Loop: blend {step.blend_s:g} s"
        case s.Layer():
            return f"Layer: {step.motion.replace('_', ' ')}, {step.weight:.0%}"
        case s.Reverse():
            return "Reverse"
        case s.ScaleAmplitude():
            return f"Amplitude × {step.factor:g}"


NEW: dict[str, Callable[[Motion], Step]] = {
    "Trim": lambda motion: s.Trim(0.0, _floored(motion.duration_s)),
    "Smooth": lambda motion: s.Smooth(6.0),
    "Repair": lambda motion: s.Repair(),
    "Mirror": lambda motion: s.Mirror(),
    "Retime": lambda motion: s.Retime(1.5),
    "Slow down to the limits": lambda motion: s.SlowToLimits(),
    "Loop": lambda motion: s.Loop(min(0.5, 0.4 * motion.duration_s)),
    "Reverse": lambda motion: s.Reverse(),
    "Amplitude": lambda motion: s.ScaleAmplitude(1.2),
}
"""New steps by their names in the menu, made for the present motion."""


def _floored(time_s: float) -> float:
    """Return a time rounded down to a millisecond, so that it is within the motion [s]."""
    return math.floor(1e3 * time_s) / 1e3
