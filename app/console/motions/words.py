"""The steps in words, new steps, and the parameters that an operator edits."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S
from shows.motion import Motion
from shows.process import steps as s
from shows.process.steps import Step

DEGREE = math.radians(1.0)


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a step.

    Attributes:
        name: of the attribute.
        label: in the form.
        unit: behind the number.
        low: smallest value.
        high: largest value.
        step: of the arrows.
        scale: the attribute is the number times this.
    """

    name: str
    label: str
    unit: str
    low: float
    high: float
    step: float
    scale: float = 1.0

    @property
    def words(self) -> str:
        """Its range in words."""
        return f"{self.low:g} to {self.high:g}{self.unit}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words.

    Attributes:
        name: of the attribute.
        label: in the form.
        options: words by value.
    """

    name: str
    label: str
    options: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        """The options in words."""
        return ", ".join(word for _, word in self.options)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of times, typed as "0.5-0.8 1.2-1.4".

    Attributes:
        name: of the attribute.
        label: in the form.
        tip: what the pairs mean.
    """

    name: str
    label: str
    tip: str
    words: str = "pairs of times in s, such as 0.5-0.8 1.2-1.4"


@dataclass(frozen=True, slots=True)
class GestureName:
    """The name of a gesture."""

    name: str
    label: str
    words: str = "gestures of library and show"


@dataclass(frozen=True, slots=True)
class MarkerTimes:
    """The new time of each marker."""

    name: str
    label: str
    words: str = "one time a marker, in s"


@dataclass(frozen=True, slots=True)
class FitError:
    """The largest error of a fit; keys that were edited are fitted anew by a button."""

    name: str
    label: str
    low: float = 0.05
    high: float = 10.0
    words: str = "0.05 to 10 °"


Field: TypeAlias = Number | Choice | Pairs | GestureName | MarkerTimes | FitError
_WHOLE = 0.0, MAX_MOTION_S, 0.1

FIELDS: dict[type[Step], tuple[Field, ...]] = {
    s.Trim: (
        Number("start_s", "From", " s", *_WHOLE),
        Number("end_s", "To", " s", *_WHOLE),
    ),
    s.Smooth: (Number("bandwidth_hz", "Bandwidth", " Hz", 0.2, 50.0, 0.5),),
    s.Repair: (
        Number("threshold", "Threshold", " σ", 1.0, 50.0, 1.0),
        Number("tolerance_rad", "Least jump", " °", 0.1, 45.0, 0.5, DEGREE),
        Number("window_s", "Window", " s", 0.02, 1.0, 0.02),
        Number("longest_dropout_s", "Longest", " s", 0.02, 10.0, 0.1),
        Pairs("lost", "Lost spans", "Spans that are replaced: from-to in seconds"),
    ),
    s.Keys: (FitError("fitted_rad", "Largest error"),),
    s.Mirror: (),
    s.Retime: (Number("factor", "Duration ×", "", 0.1, 10.0, 0.1),),
    s.RetimeBetween: (Pairs("anchors", "Old-new", "Moments that move: old-new time in seconds"),),
    s.RetimeMarkers: (MarkerTimes("times_s", "Markers at"),),
    s.SlowToLimits: (),
    s.Loop: (Number("blend_s", "Seam", " s", 0.05, 10.0, 0.1),),
    s.Layer: (
        GestureName("motion", "Gesture"),
        Number("weight", "Weight", "", 0.0, 1.0, 0.1),
        Choice("mode", "Mode", (("replace", "replaces"), ("add", "is added"))),
        Number("start_s", "Start", " s", *_WHOLE),
        Number("fade_in_s", "Fade in", " s", *_WHOLE),
        Number("fade_out_s", "Fade out", " s", *_WHOLE),
    ),
    s.Reverse: (),
    s.ScaleAmplitude: (
        Number("factor", "Size ×", "", 0.0, 5.0, 0.1),
        Choice("about", "About the", (("mean", "mean pose"), ("first", "first pose"))),
    ),
}
"""Everything that can be edited, by the type of the step."""

TITLES: dict[type[Step], str] = {
    s.Trim: "Trim",
    s.Smooth: "Smooth",
    s.Repair: "Repair",
    s.Keys: "Keys",
    s.Mirror: "Mirror",
    s.Retime: "Retime",
    s.RetimeBetween: "Retime by moments",
    s.RetimeMarkers: "Retime by markers",
    s.SlowToLimits: "Slow to limits",
    s.Loop: "Loop",
    s.Layer: "Layer",
    s.Reverse: "Reverse",
    s.ScaleAmplitude: "Amplitude",
}
"""The name of every step."""


def text(step: Step) -> str:
    """Return what a step does in a few words."""
    title = TITLES[type(step)]
    match step:
        case s.Trim():
            return f"{title}: {step.start_s:.2f} to {step.end_s:.2f} s"
        case s.Smooth():
            return f"{title}: {step.bandwidth_hz:g} Hz"
        case s.Keys():
            count = sum(len(curve.keys) for curve in step.curves.values())
            return f"{title}: {count} of {len(step.curves)} joints"
        case s.Retime():
            return f"{title}: duration × {step.factor:g}"
        case s.Loop():
            return f"{title}: seam {step.blend_s:g} s"
        case s.Layer():
            return f"{title}: {step.motion.replace('_', ' ')}, {step.weight:.0%}"
        case s.ScaleAmplitude():
            return f"{title} × {step.factor:g}"
        case _:
            return title


def _markers(motion: Motion) -> Step:
    names = [marker.name for marker in motion.markers]
    times = {marker.name: marker.time_s for marker in motion.markers if marker.time_s > 0.0}
    if not times or len(set(names)) < len(names):
        reason = "has no markers" if not names else "has markers of the same name"
        advice = "set markers with ⚑ before the first step"
        raise ShowError(motion.title or motion.name, "retime by markers", reason, advice)
    return s.RetimeMarkers(times)


NEW: dict[str, Callable[[Motion], Step]] = {
    "Trim": lambda motion: s.Trim(0.0, _floored(motion.duration_s)),
    "Smooth": lambda motion: s.Smooth(6.0),
    "Repair": lambda motion: s.Repair(),
    "Mirror": lambda motion: s.Mirror(),
    "Retime": lambda motion: s.Retime(1.5),
    "Retime by moments": lambda motion: s.RetimeBetween(
        ((_floored(0.5 * motion.duration_s), _floored(0.6 * motion.duration_s)),)
    ),
    "Retime by markers": _markers,
    "Slow down to the limits": lambda motion: s.SlowToLimits(),
    "Loop": lambda motion: s.Loop(min(0.5, 0.4 * motion.duration_s)),
    "Reverse": lambda motion: s.Reverse(),
    "Amplitude": lambda motion: s.ScaleAmplitude(1.2),
}
"""New steps by their names in the menu, made for the present motion."""


def pairs_text(pairs: tuple[tuple[float, float], ...]) -> str:
    """Return pairs of times as they are typed [s]."""
    return " ".join(f"{a:g}-{b:g}" for a, b in pairs)


def typed_pairs(text_: str) -> tuple[tuple[float, float], ...] | None:
    """Return the pairs of times of a text [s]; None if it has something else."""
    pairs = []
    for part in text_.replace(",", " ").split():
        ends = part.split("-")
        try:
            pairs.append((float(ends[0]), float(ends[1])))
        except (IndexError, ValueError):
            return None
        if len(ends) != 2 or not all(0.0 <= end <= MAX_MOTION_S for end in pairs[-1]):
            return None
    return tuple(pairs)


def _floored(time_s: float) -> float:
    """Return a time rounded down to a millisecond, so that it is within the motion [s]."""
    return math.floor(1e3 * time_s) / 1e3
