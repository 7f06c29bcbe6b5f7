"""The figures of the live strip: their values, their scale and the number beside them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from app.console.live.support import scene_margins
from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from core.link.hello import Hello
from core.link.scene import Scene
from core.link.status import Status


class Dash(StrEnum):
    """How a line is drawn, in words."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    MIXED = "dash-dotted"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot."""

    name: str
    dash: Dash
    colour: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The known state at one moment.

    Attributes:
        hello: the core's hello.
        status: its newest status; None while the core is not there.
        scene: its newest picture; None while the core is not there.
        gap_s: largest time between two statuses lately, or since the last [s].
    """

    hello: Hello | None
    status: Status | None
    scene: Scene | None
    gap_s: float


@dataclass(frozen=True, slots=True)
class Number:
    """The value in big digits.

    Attributes:
        tone: its colour and mark.
        text: digits.
        unit: of them.
        names: of the lines, where a line's name includes a value.
    """

    tone: Tone
    text: str
    unit: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot.

    Attributes:
        name: its subject.
        hint: how it is read.
        lines: in the order of the values.
        span_s: how far back it reaches [s].
        scale: lower and upper end of the scale at rest.
        sample: values for the lines at a moment, NaN where not known.
        number: numbers beside them.
        limit: level of a line that matters; None without a level, or if it is unknown.
        longest: the longest value that is to be expected, mark and unit with it.
        brief: its name where there is little room.
        largest: a moment that was longer than a pixel keeps its largest value.
        fits: the robot has the parts that it is about.
    """

    name: str
    hint: str
    lines: tuple[Line, ...]
    span_s: float
    scale: Callable[[Hello | None], tuple[float, float]]
    sample: Callable[[Snapshot], tuple[float, ...]]
    number: Callable[[Snapshot], Number]
    limit: Callable[[Snapshot], float | None]
    longest: tuple[str, str]
    brief: str
    largest: bool = False
    fits: Callable[[Hello], bool] = lambda _hello: True


UNKNOWN = Number(theme.UNKNOWN, "?")
FIRST, SECOND, THIRD = theme.ACCENT, "#ffb74d", "#5fd38d"


def _none(_moment: Snapshot) -> float | None:
    return None


def _fixed(low: float, high: float) -> Callable[[Hello | None], tuple[float, float]]:
    return lambda _hello: (low, high)


def _velocity(moment: Snapshot) -> tuple[float, ...]:
    status, scene = moment.status, moment.scene
    asked = (math.nan,) * 3 if status is None else status.velocity_command
    found = (math.nan,) * 3 if scene is None else scene.velocity
    return found[0], asked[0], found[1], asked[1]


def _velocity_number(moment: Snapshot) -> Number:
    if moment.scene is None or moment.status is None:
        return UNKNOWN
    return Number(theme.IDLE, f"{moment.scene.velocity[0]:+.2f}", "m/s")


def _support(moment: Snapshot) -> tuple[float, ...]:
    if moment.scene is None:
        return (math.nan,) * 3
    return tuple(1000.0 * margin for margin in scene_margins(moment.scene))


def _support_number(moment: Snapshot) -> Number:
    if moment.scene is None:
        return UNKNOWN
    along, across, _capture = _support(moment)
    if math.isnan(along):
        return Number(theme.IDLE, "no foot")
    margin = min(along, across)
    return Number(theme.GOOD if margin > 0.0 else theme.WARN, f"{margin:.0f}", "mm")


def _heat(moment: Snapshot) -> tuple[float, ...]:
    return (math.nan if moment.status is None else moment.status.hottest_c,)


def _heat_number(moment: Snapshot) -> Number:
    status = moment.status
    if status is None:
        return UNKNOWN
    tone = theme.GOOD
    if {"WINDING_HOT", "WINDING_OVERHEATED"} & set(status.flags):
        tone = theme.BAD
    elif "WINDING_WARM" in status.flags:
        tone = theme.WARN
    joint = status.hottest_joint.replace("_", " ")
    return Number(tone, f"{status.hottest_c:.0f}", "°C", (joint,))


def _heat_limit(moment: Snapshot) -> float | None:
    limit_c = 0.0 if moment.hello is None else moment.hello.winding_limit_c
    return limit_c if limit_c > 0.0 else None


def _battery_scale(hello: Hello | None) -> tuple[float, float]:
    """Return a range that holds the voltages of a full and of a flat battery [V]."""
    battery = None if hello is None else hello.battery
    if battery is None:
        return 0.0, 1.0
    span_v = battery.nominal_v - battery.flat_v
    return math.floor(battery.flat_v - 0.25 * span_v), math.ceil(battery.nominal_v + span_v)


def _battery(moment: Snapshot) -> tuple[float, ...]:
    return (math.nan if moment.status is None else moment.status.battery_v,)


def _battery_number(moment: Snapshot) -> Number:
    status = moment.status
    if status is None:
        return UNKNOWN
    tone = theme.GOOD
    if {"BATTERY_CRITICAL", "BATTERY_FLAT"} & set(status.flags):
        tone = theme.BAD
    elif "BATTERY_LOW" in status.flags:
        tone = theme.WARN
    return Number(
        tone, f"{status.battery_charge * 100:.0f}", "%", (f"{status.battery_v:.1f} volts",)
    )


def _tick_us(hello: Hello | None) -> float:
    return math.nan if hello is None else 1e6 * hello.tick_s


def _tick(moment: Snapshot) -> tuple[float, ...]:
    if moment.status is None:
        return (math.nan, math.nan)
    return moment.status.tick.median_us, moment.status.tick.p99_us


def _tick_number(moment: Snapshot) -> Number:
    if moment.status is None:
        return UNKNOWN
    stats = moment.status.tick
    tone = theme.GOOD if stats.p99_us <= _tick_us(moment.hello) else theme.WARN
    return Number(tone, f"{stats.median_us:.0f}", "µs", ("median", f"p99 {stats.p99_us:.0f}"))


def _tick_limit(moment: Snapshot) -> float | None:
    return None if moment.hello is None else _tick_us(moment.hello)


def _age(moment: Snapshot) -> tuple[float, ...]:
    return (1000.0 * moment.gap_s,)


def _age_number(moment: Snapshot) -> Number:
    if moment.status is None:
        return Number(theme.BAD, f"{moment.gap_s:.0f}", "s: LOST")
    tone = theme.GOOD if moment.gap_s <= 0.1 else theme.WARN
    return Number(tone, f"{1000.0 * moment.gap_s:.0f}", "ms")


def _age_limit(_moment: Snapshot) -> float | None:
    return LOST_MS


LOST_MS = 250.0
FIGURES = (
    Figure(
        "Speed",
        "Velocity ahead and to the left, measured and commanded.",
        (
            Line("ahead", Dash.SOLID, FIRST),
            Line("asked", Dash.DASHED, theme.TEXT),
            Line("left", Dash.DOTTED, SECOND),
            Line("asked", Dash.MIXED, theme.TEXT),
        ),
        30.0,
        _fixed(-0.5, 0.5),
        _velocity,
        _velocity_number,
        _none,
        ("+0.00", "m/s"),
        "Speed",
        fits=lambda hello: hello.walk is not None,
    ),
    Figure(
        "Margin",
        "Smallest distance of the centre of mass to the edge of the support; 0 is the edge.",
        (
            Line("along", Dash.SOLID, FIRST),
            Line("across", Dash.DASHED, SECOND),
            Line("capture", Dash.DOTTED, THIRD),
        ),
        30.0,
        _fixed(-50.0, 150.0),
        _support,
        _support_number,
        lambda _moment: 0.0,
        ("● 100", "mm"),
        "Margin",
        fits=lambda hello: bool(hello.feet),
    ),
    Figure(
        "Hottest joint",
        "Temperature of the warmest winding in the last ten minutes.",
        (Line("winding", Dash.SOLID, SECOND),),
        600.0,
        _fixed(20.0, 110.0),
        _heat,
        _heat_number,
        _heat_limit,
        ("● 100", "°C"),
        "Hottest",
    ),
    Figure(
        "Battery",
        "Voltage in the last ten minutes; it sags under load.",
        (Line("volts", Dash.SOLID, THIRD),),
        600.0,
        _battery_scale,
        _battery,
        _battery_number,
        _none,
        ("● 100", "%"),
        "Battery",
        fits=lambda hello: hello.battery is not None,
    ),
    Figure(
        "Tick",
        "Computing time of a tick of the core's loop; the red line is its period.",
        (Line("median", Dash.SOLID, FIRST), Line("p99", Dash.DASHED, SECOND)),
        30.0,
        lambda hello: (0.0, 1.0 if hello is None else 1.2 * _tick_us(hello)),
        _tick,
        _tick_number,
        _tick_limit,
        ("● 1000", "µs"),
        "Tick",
    ),
    Figure(
        "Link",
        "Longest silence of the core; from 250 ms on it has been seen as lost.",
        (Line("age", Dash.SOLID, FIRST),),
        30.0,
        _fixed(0.0, 300.0),
        _age,
        _age_number,
        _age_limit,
        ("● 100", "ms"),
        "Link",
        largest=True,
    ),
)
