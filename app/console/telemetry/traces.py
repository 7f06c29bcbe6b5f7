"""The plots that a robot offers: which columns of the record they draw, and their limits."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.console.live.figures import Dash
from app.console.toolkit import theme
from core.link.hello import Hello

DEGREES = 180.0 / math.pi
COLOURS = (theme.ACCENT, theme.WARN.colour, theme.GOOD.colour, theme.TEXT)
DASHES = (Dash.SOLID, Dash.DASHED, Dash.DOTTED, Dash.MIXED)
MOST_LINES = 4
WALKING = (
    "body velocity", "walk command", "base height", "base tilt",
    "capture point", "foot heights", "planned forces", "contacts",
)  # fmt: skip
ESTIMATE = (
    "velocity error", "base height", "base tilt", "contacts",
    "orientation deviation", "velocity deviation", "position deviation",
)  # fmt: skip
SYSTEM = (
    "tick time",
    "qp time",
    "qp iterations",
    "qp status",
    "battery",
    "heat",
    "load",
    "link",
    "handset",
)
KINDS = ("position", "torque", "temperature")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot.

    Attributes:
        field: array of the record, or a field of the status that ends in "@status".
        column: of the array's row; 0 for a single number.
        name: in the legend.
        factor: from the record's unit to the plot's.
    """

    field: str
    column: int
    name: str
    factor: float = 1.0


Lines: TypeAlias = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """One plot.

    Attributes:
        key: names it in layouts.
        title: above it.
        unit: of its values.
        lines: what it draws.
        limits: values that must not be passed.
        least: smallest half of its vertical range.
    """

    key: str
    title: str
    unit: str
    lines: Lines
    limits: tuple[float, ...] = ()
    least: float = 1.0


def traces_of(hello: Hello, arrays: Collection[str] | None = None) -> dict[str, Trace]:
    """Return the plots of a robot, by key, in the order of the menu.

    Args:
        hello: description of the robot.
        arrays: names of the arrays that there are; by default those of this release.
    """
    moves = bool(hello.feet) or hello.has_imu or hello.walk is not None
    found = [*(_body(hello) if moves else ()), *_feet(hello), *_status(hello)]
    for index, joint in enumerate(hello.joint_names):
        found += _joint(hello, index, joint.replace("_", " "))
    return {
        trace.key: trace
        for trace in found
        if arrays is None or all(line.field in arrays for line in trace.lines)
    }


def presets_of(known: Collection[str], hello: Hello) -> dict[str, tuple[str, ...]]:
    """Return the layouts that every robot has: name to keys of known plots."""
    found = {
        name: tuple(key for key in keys if key in known)
        for name, keys in (("Walking", WALKING), ("Estimate", ESTIMATE), ("System", SYSTEM))
    }
    for limb in hello.limbs:
        joints = [
            name.replace("_", " ")
            for name, of in zip(hello.joint_names, hello.joint_limbs, strict=True)
            if of == limb.name
        ]
        for kind in KINDS:
            keys = tuple(key for joint in joints[:12] if (key := f"{joint} {kind}") in known)
            found[f"{limb.title or limb.name.replace('_', ' ')}: {kind}s"] = keys
    return {name: keys for name, keys in found.items() if keys}


def _joint(hello: Hello, index: int, joint: str) -> list[Trace]:
    title = f"{joint[:1].upper()}{joint[1:]}"

    def pair(measured: str, asked: str, factor: float) -> Lines:
        return (Line(measured, index, "measured", factor), Line(asked, index, "asked", factor))

    limits = (DEGREES * hello.lower[index], DEGREES * hello.upper[index])
    stall = hello.stall_torque[index]
    found = [
        Trace(
            f"{joint} position", f"{title}: position", "°",
            pair("q", "q_command", DEGREES), limits, 5.0,
        ),
        Trace(
            f"{joint} torque", f"{title}: torque", "N·m",
            (Line("tau_applied", index, "applied"), Line("tau_command", index, "asked")),
            (-stall, stall), 0.5,
        ),
    ]  # fmt: skip
    fastest = hello.velocity_limit[index] if hello.velocity_limit else 0.0
    bounds = (-DEGREES * fastest, DEGREES * fastest) if fastest else ()
    speed = (Line("dq", index, "measured", DEGREES),)
    found.insert(1, Trace(f"{joint} velocity", f"{title}: velocity", "°/s", speed, bounds, 20.0))
    heat = (Line("winding_c", index, "winding"),)
    limit = (hello.winding_limit_c,) if hello.winding_limit_c else ()
    found.append(Trace(f"{joint} temperature", f"{title}: temperature", "°C", heat, limit, 10.0))
    return found


def _body(hello: Hello) -> list[Trace]:
    true = hello.simulated

    def beside(column: int, kind: str, factor: float = 1.0) -> Lines:
        lines = (Line(f"{kind}_est", column, "estimated", factor),)
        return (*lines, Line(f"{kind}_true", column, "true", factor)) if true else lines

    found = [
        Trace("body velocity", "Velocity of the base", "m/s",
              _vector("base_velocity_est", ("x", "y", "z")), (), 0.2),
        Trace("velocity error", "Forward velocity", "m/s", beside(0, "base_velocity"), (), 0.2),
        Trace("base height", "Height of the base", "m", beside(2, "base_position"), (), 0.05),
        Trace("base tilt", "Roll and pitch", "°",
              _vector("rpy_est", ("roll", "pitch"), DEGREES), (), 3.0),
        Trace("heading", "Heading", "°", beside(2, "rpy", DEGREES), (), 5.0),
        Trace("walk command", "Walk command", "m/s, rad/s",
              _vector("velocity_command", ("ahead", "left", "turn")), (), 0.2),
    ]  # fmt: skip
    return found


def _feet(hello: Hello) -> list[Trace]:
    """Return the plots of balance, of a robot with feet."""
    if not hello.feet:
        return []
    names = tuple(foot.name.replace("_", " ") for foot in hello.feet[:MOST_LINES])
    found = [
        Trace("contacts", "Contacts of the feet", "", _vector("contact_est", names), (), 1.0),
        Trace("com", "Centre of mass", "m", _vector("com_est", "xyz"), (), 0.1),
        Trace("com velocity", "Velocity of the centre of mass", "m/s",
              _vector("com_velocity_est", "xyz"), (), 0.2),
        Trace("capture point", "Capture point and centre of mass", "m",
              (Line("capture_point_est", 0, "point x"), Line("capture_point_est", 1, "point y"),
               Line("com_est", 0, "mass x"), Line("com_est", 1, "mass y")), (), 0.1),
    ]  # fmt: skip
    for axis, (key, title) in enumerate(
        (("forward", "Soles: x"), ("sideways", "Soles: y"), ("heights", "Soles: height"))
    ):
        lines = tuple(Line("sole_position_est", 3 * i + axis, name) for i, name in enumerate(names))
        found.append(Trace(f"foot {key}", title, "m", lines, (), 0.05))
    found += _forces(hello, "contact_force_plan", "planned")
    if hello.simulated:
        found += _forces(hello, "contact_force_true", "true")
    for key, title, unit, factor, least, first in (
        ("orientation", "Orientation", "°", DEGREES, 0.5, 0),
        ("velocity", "Velocity", "m/s", 1.0, 0.02, 3),
        ("position", "Position", "m", 1.0, 0.02, 6),
    ):
        lines = _vector("deviation_est", "xyz", factor, first)
        words = f"{title}: standard deviation"
        found.append(Trace(f"{key} deviation", words, unit, lines, (), least))
    return found


def _forces(hello: Hello, field: str, word: str) -> list[Trace]:
    """Return the vertical forces at the contact points, in plots of whole feet."""
    lines: list[list[Line]] = [[]]
    first = 0
    for foot in hello.feet:
        ends = ("heel", "toe") if foot.points == 2 else tuple(map(str, range(1, foot.points + 1)))
        name = foot.name.replace("_", " ")
        if len(lines[-1]) + foot.points > MOST_LINES:
            lines.append([])
        lines[-1] += [Line(field, 3 * (first + i) + 2, f"{name} {e}") for i, e in enumerate(ends)]
        first += foot.points
    title = f"Vertical contact forces, {word}"
    return [
        Trace(f"{word} forces{f' {i + 1}' if i else ''}", title, "N", tuple(found), (), 50.0)
        for i, found in enumerate(filter(None, lines))
    ]


def _vector(field: str, names: Sequence[str], factor: float = 1.0, first: int = 0) -> Lines:
    """Return a line for each of some columns that follow one another."""
    return tuple(Line(field, first + i, name, factor) for i, name in enumerate(names))


def _status(hello: Hello) -> list[Trace]:
    budget_us = 1e6 * hello.tick_s
    found = [
        Trace("tick time", "Time of a tick", "µs", (Line("tick_cpu_us", 0, "processor"),),
              (budget_us,), 100.0),
        Trace("qp time", "Time of the QP", "µs", (Line("qp_time_us", 0, "wall time"),), (), 50.0),
        Trace("qp iterations", "QP iterations", "", (Line("qp_iterations", 0, "QP"),), (), 5.0),
        Trace("qp status", "QP status", "", (Line("qp_status", 0, "number"),), (), 1.0),
        Trace("mode", "Mode", "", (Line("mode", 0, "number"),), (), 1.0),
        Trace("heat", "Hottest winding", "°C", (Line("hottest_c@status", 0, "hottest"),),
              (hello.winding_limit_c,) if hello.winding_limit_c else (), 10.0),
        Trace("load", "Worst joint load", "%", (Line("worst_load@status", 0, "load", 100.0),),
              (100.0,), 20.0),
        Trace("link", "Age of the status", "ms", (Line("link_age_s@status", 0, "age", 1e3),),
              (250.0,), 50.0),
    ]  # fmt: skip
    if hello.has_handset:
        age = (Line("handset_age_s@status", 0, "age", 1e3),)
        found.append(Trace("handset", "Age of the handset's last frame", "ms", age, (), 50.0))
    if hello.battery is not None:
        found.append(
            Trace("battery", "Battery", "V", (Line("battery_v@status", 0, "voltage"),), (), 1.0)
        )
    return found
