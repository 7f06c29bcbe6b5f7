"""Standing against pushes: return, step, and how hard a push may be.

A push is a constant force on the torso for 0.1 s. An excursion is the largest horizontal way of
the true centre of mass from where it was when the push began; the robot has settled when the
horizontal speed of its centre of mass is below 0.01 m/s and stays so until the next push. Pushes
rise by 1 N·s every 5 s until one moves the centre of mass by 8 cm; that one counts too, whether
the robot has stepped or not, and so does a robot that then stands elsewhere.

The hard push is shorter. A pendulum whose pressure is at the edge of the feet from the first
moment takes m omega d omega T / (1 - exp(-omega T)) of a push that lasts T: of one of 0.1 s
12.9 N·s from the side, which this robot now and then stands without a step, and rightly so; of
one of 0.05 s 11.8 N·s.
"""

import math

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Push
from core.plants.biped.walk.pendulum import natural_frequency
from devices.interface import Floats

PUSH_S = 0.1
STILL = 0.01  # [m/s], the paper's
EXCURSION = 0.08  # [m], the paper's
STOOD = 0.01  # a foot that has moved by less has not stepped [m]
DIRECTIONS = {"+x": 0.0, "-x": 180.0, "+y": 90.0, "-y": -90.0}
IMPULSES = tuple(float(impulse) for impulse in range(2, 13))  # [N·s]
EVERY_S = 5.0  # between the pushes of a series
LONG_FORCE, LONG_S = 26.0, 1.0  # the force that finally holds the centre of mass 8 cm away
HARD, HARD_S = 12.0, 0.05  # [N·s], [s]; standing alone cannot take it
AFTER_S = 4.0
LEAD_S = 2.0  # of standing before a lone push
WEAKEST, STRONGEST, RESOLUTION = 0.0, 28.0, 1.0  # of the bisection [N·s]


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
    figures: Figures = {"falls": 0.0, "long_falls": 0.0}
    curves: dict[str, Floats] = {}
    for name, degrees in DIRECTIONS.items():
        commands = [(EVERY_S * i, shove(j, degrees)) for i, j in enumerate(IMPULSES)]
        done = lab.run(seed, Script(EVERY_S * len(IMPULSES), commands=commands))
        figures["falls"] += _add_series(figures, lab, name, done)
        if name in ("+x", "+y"):
            curves.update(_curves(name[1], done.rows))
        _add_long(figures, lab, seed, name)
    for name in ("+y", "-y"):
        _add_hard(figures, lab, seed, name)
        held = _survives(lab, seed, shove(HARD, DIRECTIONS[name], HARD_S), stepping=False)
        figures[f"hard_held_{name}"] = float(not held)
    half_span = _half_span(lab, done.rows)
    for degrees in range(0, 360, 45):
        figures[f"largest_{degrees}"] = largest = _largest(lab, seed, degrees)
        figures[f"share_{degrees}"] = largest / _limit(lab, degrees, half_span)
    return Measured(figures, curves)


def _add_series(figures: Figures, lab: Laboratory, name: str, done: Rehearsed) -> float:
    """Note how it answers every push up to the first that moves it by 8 cm; return the falls."""
    rows = done.rows
    end_s = float(rows["t"][-1]) if done.failed else math.inf
    excursion, settled_s, off, unmoved = math.nan, 0.0, 0.0, 0.0
    for i, impulse in enumerate(IMPULSES):
        start_s = START_S + EVERY_S * i
        if start_s + EVERY_S > end_s:
            figures[f"excursion_{name}"] = math.nan
            figures[f"settling_{name}"] = figures[f"off_{name}"] = math.inf
            return 1.0
        excursion, time_s = response(rows, start_s, PUSH_S, start_s + EVERY_S)
        first, last = (np.searchsorted(rows["t"], s) for s in (start_s, start_s + EVERY_S))
        before, after = lab.soles(rows[first]), lab.soles(rows[last - 1])
        figures[f"excursion_{name}_{impulse:g}"] = excursion
        figures[f"settling_{name}_{impulse:g}"] = time_s
        settled_s = max(settled_s, time_s)
        middle = after.mean(axis=0)[:2]
        off = max(off, float(np.hypot(*(rows[last - 1]["com_true"][:2] - middle))))
        if np.abs(before - after).max() < STOOD:
            unmoved = max(unmoved, excursion)
        if excursion >= EXCURSION:
            break
    figures[f"excursion_{name}"], figures[f"settling_{name}"] = excursion, settled_s
    figures[f"off_{name}"], figures[f"unmoved_{name}"] = off, unmoved
    return 0.0


def _add_long(figures: Figures, lab: Laboratory, seed: int, name: str) -> None:
    """Note how it answers a long push."""
    commands = [(LEAD_S, shove(LONG_FORCE * LONG_S, DIRECTIONS[name], LONG_S))]
    done = lab.run(seed, Script(LEAD_S + LONG_S + EVERY_S, commands=commands))
    figures["long_falls"] += done.failed
    if not done.failed:
        start_s = START_S + LEAD_S
        until_s = start_s + LONG_S + EVERY_S
        _, figures[f"long_settling_{name}"] = response(done.rows, start_s, LONG_S, until_s)


def _add_hard(figures: Figures, lab: Laboratory, seed: int, name: str) -> None:
    """Note whether it steps under a hard push, stays up and comes to rest."""
    commands = [(LEAD_S, shove(HARD, DIRECTIONS[name], HARD_S))]
    done = lab.run(seed, Script(LEAD_S + AFTER_S, commands=commands))
    rows, start_s = done.rows, START_S + LEAD_S
    figures[f"hard_{name}"] = float(done.failed)
    if done.failed:
        figures[f"hard_settling_{name}"] = math.inf
        return
    before, after = (
        lab.soles(row) for row in (rows[np.searchsorted(rows["t"], start_s)], rows[-1])
    )
    figures[f"hard_stepped_{name}"] = float(np.abs(before - after).max() >= STOOD)
    _, figures[f"hard_settling_{name}"] = response(rows, start_s, HARD_S, math.inf)


def _survives(lab: Laboratory, seed: int, push: Push, stepping: bool = True) -> bool:
    """Tell whether it is still standing some seconds after a push."""
    script = Script(LEAD_S + AFTER_S, commands=[(LEAD_S, push)])
    return not lab.run(seed, script, stepping=stepping, keep=False, may_fall=True).failed


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
    feet = lab.profile.contacts[0]
    half_length = 0.5 * (feet.toe - feet.heel)
    cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    along = half_length / cos if cos > 1e-9 else math.inf
    across = half_span / sin if sin > 1e-9 else math.inf
    omega = natural_frequency(lab.profile.as_biped.balance.stand_height)
    return lab.model.mass * omega * min(along, across)


def _largest(lab: Laboratory, seed: int, degrees: float) -> float:
    """Return the largest impulse from one side that it survives, by bisection [N·s]."""
    survived, fallen = WEAKEST, STRONGEST
    while fallen - survived > RESOLUTION:
        middle = 0.5 * (survived + fallen)
        if _survives(lab, seed, shove(middle, degrees)):
            survived = middle
        else:
            fallen = middle
    return survived


def _bars() -> tuple[Bar, ...]:
    bars = [Bar("falls", "falls in pushes of rising impulse", at_most=0.0)]
    for name in DIRECTIONS:
        what = f"rising pushes {name}, until the CoM has moved by"
        bars += [
            Bar(f"excursion_{name}", what, "m", "0.08", at_least=EXCURSION),
            Bar(f"settling_{name}", "each settled, and stayed, within", "s", "< 2", at_most=2.0),
            Bar(f"off_{name}", "CoM beside the middle of the feet then", "m"),
            Bar(f"unmoved_{name}", "largest excursion without a step", "m"),
        ]
    bars.append(Bar("long_falls", "26 N for 1 s from 4 sides: falls"))
    for name in ("+y", "-y"):
        bars += [
            Bar(f"hard_{name}", f"12 N·s in 0.05 s {name}: falls", "", "steps", at_most=0.0),
            Bar(f"hard_stepped_{name}", "it steps", at_least=1.0),
            Bar(f"hard_settling_{name}", "and stands still again after", "s", at_most=AFTER_S),
        ]
    for name in ("+y", "-y"):
        what = f"12 N·s in 0.05 s {name} without stepping: falls (must)"
        bars.append(Bar(f"hard_held_{name}", what, at_least=1.0))
    for degrees in range(0, 360, 45):
        bars.append(Bar(f"largest_{degrees}", f"largest impulse survived, {degrees}°", "N·s"))
        bars.append(Bar(f"share_{degrees}", f"as a share of m·ω·d, {degrees}°"))
    return tuple(bars)


EXPERIMENT = Experiment("push", "pushes on the standing robot", run, _bars())
