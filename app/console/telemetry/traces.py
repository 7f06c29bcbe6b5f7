"""The plots that a robot offers: which columns of the record they draw, and their limits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.console.live.figures import Dash
from app.console.toolkit import theme
from core.link.hello import Hello

DEGREES = 180.0 / math.pi
COLOURS = (theme.ACCENT, theme.WARN.colour, theme.GOOD.colour, theme.TEXT)
DASHES = (Dash.SOLID, Dash.DASHED, Dash.DOTTED, Dash.MIXED)
MOST_LINES = 4
WALKING = (
    "body velocity", "walk command", "base height", "base tilt", "contacts", "tick time",
)  # fmt: skip


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
    lines: tuple[Line, ...]
    limits: tuple[float, ...] = ()
    least: float = 1.0


def traces_of(hello: Hello) -> dict[str, Trace]:
    """Return the plots of a robot, by key, in the order of the menu."""
    found = [*_body(hello), *_status(hello)]
    for index, joint in enumerate(hello.joint_names):
        found += _joint(hello, index, joint.replace("_", " "))
    return {trace.key: trace for trace in found}


def presets_of(hello: Hello) -> dict[str, tuple[str, ...]]:
    """Return the layouts that every robot has: name to keys of plots."""
    known = traces_of(hello)
    found = {"Walking": tuple(key for key in WALKING if key in known)}
    found["System"] = tuple(
        key for key in ("tick time", "qp iterations", "battery", "heat", "load") if key in known
    )
    for limb in hello.limbs:
        joints = [
            name.replace("_", " ")
            for name, of in zip(hello.joint_names, hello.joint_limbs, strict=True)
            if of == limb.name
        ]
        for kind in ("position", "torque"):
            keys = tuple(f"{joint} {kind}" for joint in joints[:12])
            found[f"{limb.title or limb.name.replace('_', ' ')}: {kind}s"] = keys
    return {name: keys for name, keys in found.items() if keys}


def _joint(hello: Hello, index: int, joint: str) -> list[Trace]:
    title = f"{joint[:1].upper()}{joint[1:]}"

    def pair(measured: str, asked: str, factor: float) -> tuple[Line, ...]:
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
    return found


def _body(hello: Hello) -> list[Trace]:
    true = hello.simulated

    def vector(field: str, names: Sequence[str], factor: float = 1.0) -> tuple[Line, ...]:
        return tuple(Line(field, i, name, factor) for i, name in enumerate(names))

    def beside(column: int, kind: str, factor: float = 1.0) -> tuple[Line, ...]:
        lines = (Line(f"{kind}_est", column, "estimated", factor),)
        return (*lines, Line(f"{kind}_true", column, "true", factor)) if true else lines

    found = [
        Trace("body velocity", "Velocity of the base", "m/s",
              vector("base_velocity_est", ("x", "y", "z")), (), 0.2),
        Trace("velocity error", "Forward velocity", "m/s", beside(0, "base_velocity"), (), 0.2),
        Trace("base height", "Height of the base", "m", beside(2, "base_position"), (), 0.05),
        Trace("base tilt", "Roll and pitch", "°",
              vector("rpy_est", ("roll", "pitch"), DEGREES), (), 3.0),
        Trace("heading", "Heading", "°", beside(2, "rpy", DEGREES), (), 5.0),
        Trace("walk command", "Walk command", "m/s, rad/s",
              vector("velocity_command", ("ahead", "left", "turn")), (), 0.2),
    ]  # fmt: skip
    if hello.feet:
        sides = ("left", "right", "third", "fourth")
        count = min(len(hello.feet), MOST_LINES)
        found.append(
            Trace("contacts", "Contacts of the feet", "",
                  vector("contact_est", sides[:count]), (), 1.0)
        )  # fmt: skip
    if true:
        found.append(
            Trace("com", "Centre of mass", "m", vector("com_true", ("x", "y", "z")), (), 0.1)
        )
    return found


def _status(hello: Hello) -> list[Trace]:
    budget_us = 1e6 * hello.tick_s
    found = [
        Trace("tick time", "Time of a tick", "µs", (Line("tick_cpu_us", 0, "processor"),),
              (budget_us,), 100.0),
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
    if hello.battery is not None:
        found.append(
            Trace("battery", "Battery", "V", (Line("battery_v@status", 0, "voltage"),), (), 1.0)
        )
    return found
