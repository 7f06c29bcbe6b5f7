"""Energy of walking and of half an hour of show, and how long battery and windings last.

Electrical power is the battery's voltage times its current: everything, with the computer's
share. The simulated drives give braking work back to the battery. Mechanical power is what the
joints do in the direction in which they turn, braking left out. The cost of transport is energy
by weight times way.

How long the battery lasts, and how warm windings get in the end, is extrapolated: the simulator's
own model of a battery, full at first, is driven with the mean power that was measured, and its
own model of the windings with each motor's mean square of torque, until they cross the limits
that the failsafe acts upon. Peaks pull the voltage lower than the mean does; it is reported.
"""

import math
from typing import Any

import numpy as np

from core.constants import GRAVITY
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.gait import forward_velocity
from core.lab.measure.meter import Meter
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Encore, Script
from core.robot.profile import Profile
from core.run.launch import WalkOrder
from devices.interface import Floats

SPEED = 0.16  # [m/s]
STAND_S = 6.0  # standing, before the walk
LEAD_S = 3.0  # of the walk before anything counts
LENGTH_S = 60.0
SHOW_S = 1800.0
STEP_S = 1.0  # of an extrapolation
DRAWN = 5  # windings, the warmest
LONGEST_S = 24.0 * 3600.0  # nothing is extrapolated farther


def run_walk(lab: Laboratory, seed: int, length_s: float = LENGTH_S) -> Measured:
    """Measure one seed of walking at the paper's speed."""
    walk_s = START_S + STAND_S + LEAD_S
    body = lab.body(seed)
    standing = Meter(body, START_S + 1.0, START_S + STAND_S)
    walking = Meter(body, walk_s, walk_s + length_s)

    def watch(performer: Any) -> None:
        standing(performer)
        walking(performer)

    orders = [WalkOrder(dur=STAND_S), WalkOrder(vx=SPEED, dur=LEAD_S + length_s)]
    script = Script(STAND_S + LEAD_S + length_s, orders)
    done = lab.run(seed, script, body=body, watch=watch)
    rows = done.rows[done.rows["t"] >= walk_s]
    figures: Figures = {"falls": float(done.failed)}
    if done.failed:
        return Measured(figures)
    weight = lab.model.mass * GRAVITY
    way = float(forward_velocity(rows).sum()) * lab.profile.tick_s
    idle = idle_power(lab)
    figures["cost_electrical"] = walking.watts * length_s / (weight * way)
    figures["cost_actuators"] = (walking.watts - idle) * length_s / (weight * way)
    figures["cost_mechanical"] = mechanical_power(rows) * length_s / (weight * way)
    figures["speed"] = way / length_s
    figures["power"], figures["standing"] = walking.watts, standing.watts
    figures["mechanical"] = mechanical_power(rows)
    _add_battery(figures, lab, walking.watts)
    warm_s, winding_c = heated(lab, walking.mean_torque2, SHOW_S)
    hottest = int(np.argmax(winding_c))
    figures["warm_minutes"] = warm_s / 60.0
    figures["winding"] = float(winding_c[hottest])
    names = lab.profile.joint_names
    figures.update({f"winding_{n}": float(c) for n, c in zip(names, winding_c, strict=True)})
    note = f"30 min of walking would heat {names[hottest]} most, to {winding_c[hottest]:.0f} °C"
    return Measured(figures, notes=(note,))


def run_show(lab: Laboratory, seed: int, length_s: float = SHOW_S) -> Measured:
    """Measure one seed of the sample show, played again and again."""
    body = lab.body(seed)
    meter = Meter(body, START_S)
    encore = Encore(START_S + length_s)
    done = lab.run(seed, encore, body=body, show=lab.sample_show, keep=False, watch=meter)
    figures: Figures = {
        "falls": float(done.report.falls),
        "ended": float(done.report.completed),
        "rounds": float(encore.rounds),
        "minutes": meter.seconds / 60.0,
        "power": meter.watts,
        "lowest_voltage": meter.lowest_v,
        "load": done.report.worst_load,
    }
    if not meter.trace:
        return Measured(figures)
    trace = np.array(meter.trace)
    figures["charge_used"] = meter.charge_used
    _add_battery(figures, lab, meter.watts)
    hottest = int(np.argmax(meter.hottest_c))
    figures["winding"] = float(meter.hottest_c[hottest])
    figures["rise_late"] = late_rise(trace[:, 0], trace[:, 2 + hottest])
    names = lab.profile.joint_names
    for name, celsius in zip(names, meter.hottest_c, strict=True):
        figures[f"winding_{name}"] = float(celsius)
    load = np.sqrt(meter.mean_torque2) / lab.profile.actuator_column("stall_torque")
    figures["load_mean"] = float(load.max())
    curves = {
        "t": trace[:, 0] - START_S,
        "charge": trace[:, 1],
        "warm": np.array([warm_limit(lab.profile)]),
    }
    for joint in np.argsort(meter.hottest_c)[::-1][:DRAWN]:
        curves[f"winding_{names[joint]}"] = trace[:, 2 + joint]
    return Measured(figures, curves, _limits(lab, meter, load, done))


def _limits(lab: Laboratory, meter: Meter, load: Floats, done: Rehearsed) -> tuple[str, ...]:
    """Say which joints limit the show."""
    names, warm_c = lab.profile.joint_names, warm_limit(lab.profile)
    order = np.argsort(meter.hottest_c)[::-1][:3]
    told = ", ".join(f"{names[i]} {meter.hottest_c[i]:.0f} °C" for i in order)
    worst = int(np.argmax(load))
    report = done.report
    return (
        f"warmest windings: {told}; derating begins at {warm_c:.0f} °C",
        f"highest load: {report.worst_load_joint}, {report.worst_load:.0%} of stall at worst; "
        f"highest mean load (rms): {names[worst]}, {load[worst]:.0%}",
    )


def late_rise(t: Floats, celsius: Floats) -> float:
    """Return how much warmer the last third of a trace is, on average, than the middle one [K]."""
    start_s, third_s = float(t[0]), float(t[-1] - t[0]) / 3.0
    middle = celsius[(t >= start_s + third_s) & (t < start_s + 2.0 * third_s)]
    last = celsius[t >= start_s + 2.0 * third_s]
    return float(last.mean() - middle.mean()) if middle.size and last.size else math.nan


def mechanical_power(rows: Rows) -> float:
    """Return the mean power of all joints that do not brake [W]."""
    power = rows["tau_applied"].astype(float) * rows["dq_true"]
    return float(np.maximum(power, 0.0).sum(axis=1).mean())


def warm_limit(profile: Profile) -> float:
    """Return the winding temperature at which derating begins [°C]."""
    settings = profile.health
    return settings.winding_limit_c - settings.warm_below_c


def idle_power(lab: Laboratory) -> float:
    """Return the power that computer and electronics take from the battery [W]."""
    power = lab.body(0).actuators.power  # nothing has moved yet
    return float(power.voltage * power.current)


def _add_battery(figures: Figures, lab: Laboratory, watts: float) -> None:
    """Note for how many minutes a full battery gives a constant power."""
    names = ("warning", "settle", "cut")
    for name, seconds in zip(names, discharge(lab, watts), strict=True):
        figures[f"minutes_{name}"] = seconds / 60.0


def discharge(lab: Laboratory, watts: float) -> tuple[float, float, float]:
    """Return when a full battery has the failsafe warn, settle and cut [s].

    Args:
        lab: whose robot it is.
        watts: taken from the battery all the time, the computer's share included [W].
    """
    battery, power = lab.profile.battery, lab.body(0).actuators.power
    assert battery is not None
    idle, still = power.voltage * power.current, np.zeros(len(lab.profile.joint_names))
    power.charge = 1.0
    lows = (
        (battery.low_v, battery.low_charge),
        (battery.critical_v, battery.critical_charge),
        (battery.flat_v, 0.0),
    )
    found = [math.inf] * len(lows)
    for step in range(1, round(LONGEST_S / STEP_S)):
        power.update(still, (watts - idle) * STEP_S, STEP_S)
        for i, (volts, charge) in enumerate(lows):
            crossed = power.voltage < volts or power.charge < charge or power.charge <= 0.0
            if crossed and math.isinf(found[i]):
                found[i] = STEP_S * step
        if not math.isinf(found[-1]):
            break
    return found[0], found[1], found[2]


def heated(lab: Laboratory, torque2: Floats, length_s: float) -> tuple[float, Floats]:
    """Return when the first winding is warm [s], and the temperatures in the end (n) [°C].

    Args:
        lab: whose robot it is.
        torque2: mean square of each motor's torque (n) [N²·m²].
        length_s: for how long, from cold [s].
    """
    power, warm_s, warm_c = lab.body(0).actuators.power, math.inf, warm_limit(lab.profile)
    for step in range(1, round(length_s / STEP_S) + 1):
        power.update(torque2 * power.loss_by_torque2 * STEP_S, 0.0, STEP_S)
        if math.isinf(warm_s) and float(power.winding_c.max()) >= warm_c:
            warm_s = STEP_S * step
    celsius: Floats = power.winding_c.copy()
    return warm_s, celsius


_BATTERY = (
    Bar("minutes_warning", "a full battery lasts, at that mean power: to the warning", "min"),
    Bar("minutes_settle", "to where the robot settles", "min"),
    Bar("minutes_cut", "to the cut-off", "min"),
)


def _show_bars(profile: Profile) -> tuple[Bar, ...]:
    warm_c = warm_limit(profile)
    return (
        Bar("falls", "falls", at_most=0.0),
        Bar("ended", "played to the end", at_least=1.0),
        Bar("winding", "hottest winding; derating begins at the bar", "°C", "", warm_c),
        Bar("rise_late", "that winding in the last third against the middle one", "K"),
        Bar("load", "highest load of a joint, as a share of stall"),
        Bar("load_mean", "highest mean load (rms) of a joint"),
        Bar("power", "mean power from the battery", "W"),
        Bar("charge_used", "charge used, as a share"),
        Bar("lowest_voltage", "lowest voltage", "V"),
        *_BATTERY,
        Bar("minutes", "measured for", "min"),
        Bar("rounds", "times the show was played to its end"),
    )


EXPERIMENTS = (
    Experiment(
        "energy/walk",
        "60 s at 0.16 m/s: cost of transport",
        run_walk,
        (
            Bar("falls", "falls", at_most=0.0),
            Bar("cost_electrical", "cost of transport, electrical, all in all"),
            Bar("cost_actuators", "without computer and electronics"),
            Bar("cost_mechanical", "mechanical"),
            Bar("speed", "speed", "m/s"),
            Bar("power", "mean power from the battery", "W"),
            Bar("standing", "the same, standing", "W"),
            Bar("mechanical", "mean mechanical power", "W"),
            *_BATTERY,
            Bar("winding", "hottest winding after 30 min of it, extrapolated", "°C"),
            Bar("warm_minutes", "minutes to derating, extrapolated", "min"),
        ),
    ),
    Experiment(
        "energy/show",
        "30 minutes of the sample show, again and again",
        run_show,
        (),
        beside=False,
        most_seeds=1,
        robot_bars=_show_bars,
    ),
)
