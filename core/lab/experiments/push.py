"""Standing against pushes: without a step, with steps, and how hard a push may be.

A push is a constant force on the torso. An excursion is the largest horizontal way of the true
centre of mass from where it was when the push began; the robot has settled when the horizontal
speed of its centre of mass is below 0.01 m/s and stays so until the next push.

"8 cm" is the excursion that the robot answers *without* a step, from which it has settled within
2 s: pushes of 0.1 s rise by 1 N·s every 5 s, and the largest excursion before the first push that
makes a foot step, or that takes longer, is judged (`unmoved`). A foot steps when the controller
plans no force under it. A robot that is moved farther because it steps has not passed.

Steps are judged by falls, toward eight sides: a steady push of 30 N for a second, which no feet
that stand still can answer from the front or from the back; and a hard one of 12 N·s in 0.05 s. A
pendulum whose pressure is at the edge of the feet from the first moment takes
m omega d omega T / (1 - exp(-omega T)) of a push that lasts T: of one of 0.1 s 12.9 N·s from the
side, which a robot may stand without a step, and rightly so; of one of 0.05 s 11.8 N·s. Where the
robot may not step it must fall, so that the tests can fail. The first step begins with the tick in
which the ground no longer bears one of the feet.
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
DIRECTIONS = {"+x": 0.0, "-x": 180.0, "+y": 90.0, "-y": -90.0}
IMPULSES = tuple(float(impulse) for impulse in range(2, 13))  # [N·s]
EVERY_S = 5.0  # between the pushes of a series
SIDES = tuple(range(0, 360, 45))  # toward which it is pushed, from ahead to the left [°]
STEADY, STEADY_S = 30.0, 1.0  # [N·s], [s]; feet that stand still cannot take it
HARD, HARD_S = 12.0, 0.05  # [N·s], [s]; standing alone cannot take it
SETTLED_S = 2.0
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


def stepped(rows: Rows) -> bool:
    """Tell whether a record has a tick without a planned force under one of both feet."""
    heights = rows["contact_force_plan"][..., 2].reshape(rows.size, 2, -1)
    return bool((heights.sum(axis=2) == 0.0).any())


def lift_off(rows: Rows, push_s: float) -> float:
    """Return the time from a push to the first lift-off of a foot; NaN without one [s]."""
    after = rows[rows["t"] >= push_s]
    lifted = np.flatnonzero(after["contact_true"].min(axis=1) == 0.0)
    return float(after["t"][lifted[0]] - push_s) if lifted.size else math.nan


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {"falls": 0.0}
    curves: dict[str, Floats] = {}
    for name, degrees in DIRECTIONS.items():
        commands = [(EVERY_S * i, shove(j, degrees)) for i, j in enumerate(IMPULSES)]
        done = lab.run(seed, Script(EVERY_S * len(IMPULSES), commands=commands), may_fall=True)
        figures["falls"] += _add_series(figures, lab, name, done)
        if name in ("+x", "+y"):
            curves.update(_curves(name[1], done.rows))
    for degrees in SIDES:
        _add_push(figures, lab, seed, f"steady_{degrees}", shove(STEADY, degrees, STEADY_S))
        _add_push(figures, lab, seed, f"hard_{degrees}", shove(HARD, degrees, HARD_S))
    for degrees in (0, 180):
        held = _survives(lab, seed, shove(STEADY, degrees, STEADY_S), stepping=False)
        figures[f"steady_held_{degrees}"] = float(not held)
    for degrees in (90, 270):
        held = _survives(lab, seed, shove(HARD, degrees, HARD_S), stepping=False)
        figures[f"hard_held_{degrees}"] = float(not held)
    half_span = _half_span(lab, done.rows)
    for degrees in SIDES:
        figures[f"largest_{degrees}"] = largest = _largest(lab, seed, degrees)
        figures[f"share_{degrees}"] = largest / _limit(lab, degrees, half_span)
    return Measured(figures, curves)


def _add_series(figures: Figures, lab: Laboratory, name: str, done: Rehearsed) -> float:
    """Note how it answers rising pushes up to the first that makes it step; return the falls."""
    rows = done.rows
    end_s = float(rows["t"][-1]) if done.failed else math.inf
    off, unmoved, settled_s, fell = 0.0, 0.0, 0.0, 0.0
    for i, impulse in enumerate(IMPULSES):
        start_s = START_S + EVERY_S * i
        if start_s + EVERY_S > end_s:
            fell = 1.0
            break
        excursion, time_s = response(rows, start_s, PUSH_S, start_s + EVERY_S)
        first, last = (np.searchsorted(rows["t"], s) for s in (start_s, start_s + EVERY_S))
        after = lab.soles(rows[last - 1])
        figures[f"excursion_{name}_{impulse:g}"] = excursion
        figures[f"settling_{name}_{impulse:g}"] = time_s
        if stepped(rows[first:last]) or time_s > SETTLED_S:
            break
        unmoved, settled_s = max(unmoved, excursion), max(settled_s, time_s)
        middle = after.mean(axis=0)[:2]
        off = max(off, float(np.hypot(*(rows[last - 1]["com_true"][:2] - middle))))
    figures[f"unmoved_{name}"], figures[f"settling_{name}"] = unmoved, settled_s
    figures[f"off_{name}"] = off
    return fell


def _add_push(figures: Figures, lab: Laboratory, seed: int, name: str, push: Push) -> None:
    """Note whether it falls after a push, when it steps, and when it stands still again."""
    script = Script(LEAD_S + push.duration_s + AFTER_S, commands=[(LEAD_S, push)])
    done = lab.run(seed, script)
    figures[name] = float(done.failed)
    figures[f"{name}_settling"] = math.inf
    start_s = START_S + LEAD_S
    figures[f"{name}_lift"] = lift_off(done.rows, start_s)
    if not done.failed:
        _, figures[f"{name}_settling"] = response(done.rows, start_s, push.duration_s, math.inf)


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
    bars = [Bar("falls", "falls in pushes of rising impulse, up to the first step", at_most=0.0)]
    for name in DIRECTIONS:
        what = f"rising pushes {name}: largest excursion without a step, settled within 2 s"
        bars += [
            Bar(f"unmoved_{name}", what, "m", "0.08", at_least=EXCURSION),
            Bar(f"settling_{name}", "each of these settled, and stayed, within", "s", "< 2"),
            Bar(f"off_{name}", "CoM beside the middle of the feet then", "m"),
        ]
    for what, name in (("30 N for 1 s", "steady"), ("12 N·s in 0.05 s", "hard")):
        for degrees in SIDES:
            bars.append(Bar(f"{name}_{degrees}", f"{what} toward {degrees}°: falls", at_most=0.0))
            what_then = "it stands still again after"
            bars.append(Bar(f"{name}_{degrees}_settling", what_then, "s", at_most=AFTER_S))
            bars.append(Bar(f"{name}_{degrees}_lift", "its first foot lifts after", "s"))
    for degrees in (0, 180):
        what = f"30 N for 1 s toward {degrees}° without stepping: falls (must)"
        bars.append(Bar(f"steady_held_{degrees}", what, at_least=1.0))
    for degrees in (90, 270):
        what = f"12 N·s in 0.05 s toward {degrees}° without stepping: falls (must)"
        bars.append(Bar(f"hard_held_{degrees}", what, at_least=1.0))
    for degrees in SIDES:
        bars.append(Bar(f"largest_{degrees}", f"largest impulse survived, {degrees}°", "N·s"))
        bars.append(Bar(f"share_{degrees}", f"as a share of m·ω·d, {degrees}°"))
    return tuple(bars)


EXPERIMENT = Experiment("push", "pushes on the standing robot", run, _bars())
