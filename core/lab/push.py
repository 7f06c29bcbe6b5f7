"""Standing against pushes: return, step, and how hard a push may be.

A push is a constant force on the torso for 0.1 s. An excursion is the largest horizontal way of
the true centre of mass from where it was when the push began; the robot has settled when the
horizontal speed of its centre of mass is below 0.01 m/s and stays so until the next push.
"""

import math

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.messages import Command, Push
from core.walk.pendulum import natural_frequency
from devices.interface import Floats

PUSH_S = 0.1
STILL = 0.01  # [m/s], the paper's
LARGEST_EXCURSION = 0.08  # [m], the paper's
DIRECTIONS = {"+x": 0.0, "-x": 180.0, "+y": 90.0, "-y": -90.0}
IMPULSES = (2.0, 4.0, 6.0, 7.0, 8.0, 9.0)  # [N·s]
EVERY_S = 5.0  # between the pushes of a series
LONG_FORCE, LONG_S = 26.0, 1.0  # what holds the centre of mass 8 cm away, in the end
HARD = 12.0  # [N·s]; standing alone cannot take it
HARD_S = 5.0
LADDER = (6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0)
LADDER_EVERY_S = 4.0


def shove(impulse: float, degrees: float, duration_s: float = PUSH_S) -> Push:
    """Return a horizontal push of so much impulse [N·s] toward a direction [°]."""
    force, angle = impulse / duration_s, math.radians(degrees)
    return Push(force * math.cos(angle), force * math.sin(angle), 0.0, duration_s)


def settling(t: Floats, speed: Floats, limit: float = STILL) -> float:
    """Return how long a speed takes to stay below a limit; infinite if it ends above [s]."""
    above = np.flatnonzero(speed >= limit)
    if not above.size:
        return 0.0
    if above[-1] == speed.size - 1:
        return math.inf
    return float(t[above[-1] + 1] - t[0])


def response(rows: Rows, push_s: float, duration_s: float, until_s: float) -> tuple[float, float]:
    """Return excursion [m] and settling time after a push's end [s].

    Args:
        rows: the record.
        push_s: when the push began.
        duration_s: of the push.
        until_s: when the next begins, or the record ends.
    """
    t = rows["t"]
    whole = rows[(t >= push_s) & (t < until_s)]
    way = whole["com_true"][:, :2] - whole["com_true"][0, :2]
    after = whole[whole["t"] >= push_s + duration_s]
    speed = np.hypot(after["com_velocity_true"][:, 0], after["com_velocity_true"][:, 1])
    return float(np.hypot(way[:, 0], way[:, 1]).max()), settling(after["t"], speed)


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {"falls": 0.0}
    curves: dict[str, Floats] = {}
    for name, degrees in DIRECTIONS.items():
        done = _series(lab, seed, degrees)
        figures["falls"] += done.report.falls
        _add_series(figures, name, done.rows)
        if name in ("+x", "+y"):
            curves.update(_curves(name[1], done.rows))
    for stepping in (True, False):
        for name in ("+y", "-y"):
            commands: list[tuple[float, Command]] = [(0.0, shove(HARD, DIRECTIONS[name]))]
            script = Script(HARD_S, commands=commands)
            done = lab.run(seed, script, stepping=stepping)
            key = "hard" if stepping else "hard_held"
            figures[f"{key}_{name}"] = float(done.report.falls)
    half_span = _half_span(lab, done.rows)
    for degrees in range(0, 360, 45):
        figures[f"largest_{degrees}"] = largest = _largest(lab, seed, degrees)
        figures[f"share_{degrees}"] = largest / _limit(lab, degrees, half_span)
    shares = [figures[f"share_{degrees}"] for degrees in range(0, 360, 45)]
    figures["share_least"] = min(shares)
    return Measured(figures, curves)


def _series(lab: Laboratory, seed: int, degrees: float) -> Rehearsed:
    """Push harder and harder in one direction, then long."""
    commands: list[tuple[float, Command]] = [
        (EVERY_S * i, shove(impulse, degrees)) for i, impulse in enumerate(IMPULSES)
    ]
    last_s = EVERY_S * len(IMPULSES)
    commands.append((last_s, shove(LONG_FORCE * LONG_S, degrees, LONG_S)))
    return lab.run(seed, Script(last_s + LONG_S + EVERY_S, commands=commands))


def _add_series(figures: Figures, name: str, rows: Rows) -> None:
    """Note the excursions up to 8 cm and how long they took to settle."""
    durations = [PUSH_S] * len(IMPULSES) + [LONG_S]
    end_s = float(rows["t"][-1])
    found: list[tuple[float, float]] = []
    for i, duration_s in enumerate(durations):
        start_s = START_S + EVERY_S * i
        until_s = start_s + EVERY_S if duration_s == PUSH_S else end_s
        if until_s <= end_s:
            found.append(response(rows, start_s, duration_s, until_s))
    returned = [pair for pair in found if pair[0] <= LARGEST_EXCURSION]
    figures[f"excursion_{name}"] = max((way for way, _ in returned), default=math.nan)
    figures[f"settling_{name}"] = max((time_s for _, time_s in returned), default=math.nan)
    figures[f"settling_long_{name}"] = found[-1][1] if len(found) == len(durations) else math.nan
    figures[f"excursion_long_{name}"] = found[-1][0] if len(found) == len(durations) else math.nan


def _curves(axis: str, rows: Rows) -> dict[str, Floats]:
    kept = rows[rows["t"] >= START_S - 1.0][::5]
    column = "xy".index(axis)
    return {
        f"t_{axis}": kept["t"] - START_S,
        f"com_{axis}": kept["com_true"][:, :2].astype(float),
        f"velocity_{axis}": kept["com_velocity_true"][:, :2].astype(float),
        f"force_{axis}": kept["external_force"][:, column].astype(float),
    }


def _half_span(lab: Laboratory, rows: Rows) -> float:
    """Return half of the feet's distance when the robot stands [m]."""
    row = rows[np.searchsorted(rows["t"], START_S) - 1]
    soles = lab.soles(row)
    return 0.5 * float(np.hypot(*(soles[0, :2] - soles[1, :2])))


def _limit(lab: Laboratory, degrees: float, half_span: float) -> float:
    """Return the impulse m omega d that a robot that does not step can take [N·s].

    d is the way from the middle of the feet to the edge of the rectangle that they span.
    """
    feet = lab.profile.feet
    half_length = 0.5 * (feet.toe_from_sole - feet.heel_from_sole)
    cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    along = half_length / cos if cos > 1e-9 else math.inf
    across = half_span / sin if sin > 1e-9 else math.inf
    omega = natural_frequency(lab.profile.balance.stand_height)
    return lab.model.mass * omega * min(along, across)


def _largest(lab: Laboratory, seed: int, degrees: float) -> float:
    """Return the largest impulse of a ladder in one direction that it survives [N·s]."""
    commands: list[tuple[float, Command]] = [
        (LADDER_EVERY_S * i, shove(impulse, degrees)) for i, impulse in enumerate(LADDER)
    ]
    done = lab.run(seed, Script(LADDER_EVERY_S * len(LADDER), commands=commands))
    if not done.report.falls:
        return LADDER[-1]
    survived = int((done.rows["t"][-1] - START_S) / LADDER_EVERY_S)
    return LADDER[survived - 1] if survived else 0.0


def _bars() -> tuple[Bar, ...]:
    bars = [Bar("falls", "falls in the series of pushes", at_most=0.0)]
    for name in DIRECTIONS:
        bars += [
            Bar(f"excursion_{name}", f"largest excursion up to 8 cm, {name}", "m", "0.08"),
            Bar(f"settling_{name}", f"settles from it within, {name}", "s", "< 2", at_most=2.0),
            Bar(f"excursion_long_{name}", f"26 N for 1 s, excursion, {name}", "m"),
            Bar(f"settling_long_{name}", f"26 N for 1 s, settles within, {name}", "s"),
        ]
    for name in ("+y", "-y"):
        bars.append(Bar(f"hard_{name}", f"12 N·s {name}: falls", "", "steps", at_most=0.0))
    for name in ("+y", "-y"):
        what = f"12 N·s {name} without stepping: falls (must)"
        bars.append(Bar(f"hard_held_{name}", what, at_least=1.0))
    for degrees in range(0, 360, 45):
        bars.append(Bar(f"largest_{degrees}", f"largest impulse survived, {degrees}°", "N·s"))
        bars.append(Bar(f"share_{degrees}", f"as a share of m·ω·d, {degrees}°"))
    return tuple(bars)


EXPERIMENT = Experiment("push", "pushes on the standing robot", run, _bars())
