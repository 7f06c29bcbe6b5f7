"""The motion of both soles: a quintic to each footstep, and a height that is fast at both ends."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.dynamics_filter.score import LEFT, RIGHT, Pose, Step
from core.records import Record, make_record
from devices.interface import Floats

LOWERING_S = 0.03  # in which the height of a sole that landed early vanishes
TINY_S = 1e-9  # before its end, a way is over


@compiled
def aim(
    feet: Record,
    foot: int,
    now_s: float,
    land_s: float,
    x: float,
    y: float,
    yaw: float,
    begins: bool,
    start: float,
    stop: float,
) -> None:
    """Let a sole go from its present motion to a place, at rest at a time.

    Args:
        feet: `Feet.record`.
        foot: which.
        now_s: present time [s].
        land_s: time of landing [s].
        x: place forward in the world [m].
        y: place to the left [m].
        yaw: heading [rad].
        begins: the way begins now, and the next two count.
        start: acceleration now, by way / duration².
        stop: deceleration before the landing, by way / duration².
    """
    out: Any = feet[0]
    target = (x, y, yaw)
    t = now_s - out.begin_s[foot]
    duration = max(1e-3, land_s - now_s)
    for axis in range(3):
        c = out.ways[foot, axis]
        t_now = min(t, out.duration_s[foot])
        p = c[0] + t_now * (c[1] + t_now * (c[2] + t_now * (c[3] + t_now * (c[4] + t_now * c[5]))))
        v = c[1] + t_now * (
            2.0 * c[2] + t_now * (3.0 * c[3] + t_now * (4.0 * c[4] + t_now * 5.0 * c[5]))
        )
        a = 2.0 * c[2] + t_now * (6.0 * c[3] + t_now * (12.0 * c[4] + t_now * 20.0 * c[5]))
        if t > out.duration_s[foot] - TINY_S:
            v = a = 0.0
        way = target[axis] - p
        if axis == 2:
            way = way - 2.0 * math.pi * math.floor(way / (2.0 * math.pi) + 0.5)
        if begins:
            a = start * way / duration**2
            out.end[foot, axis] = -stop * way / duration**2
        end = out.end[foot, axis]
        way -= duration * (v + 0.5 * a * duration)
        speed, bend = duration * (-v - a * duration), duration * duration * (end - a)
        c[0], c[1], c[2] = p, v, 0.5 * a
        c[3] = (10.0 * way - 4.0 * speed + 0.5 * bend) / duration**3
        c[4] = (-15.0 * way + 7.0 * speed - bend) / duration**4
        c[5] = (6.0 * way - 3.0 * speed + 0.5 * bend) / duration**5
    out.begin_s[foot], out.duration_s[foot] = now_s, duration


@compiled
def write_feet(feet: Record, motions: Floats, yaws: Floats, now_s: float) -> None:
    """Write position, velocity and acceleration of both soles and of their headings.

    Args:
        feet: `Feet.record`.
        motions: output (2, 3, 3) [m], [m/s], [m/s²].
        yaws: output (2, 3) [rad], [rad/s], [rad/s²].
        now_s: time [s].
    """
    own: Any = feet[0]
    for foot in range(2):
        t = now_s - own.begin_s[foot]
        over = t > own.duration_s[foot] - TINY_S
        t = min(t, own.duration_s[foot])
        for axis in range(3):
            c = own.ways[foot, axis]
            p = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))))
            v = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5])))
            a = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * 20.0 * c[5]))
            if over:
                v = a = 0.0
            if axis < 2:
                motions[foot, 0, axis], motions[foot, 1, axis] = p, v
                motions[foot, 2, axis] = a
            else:
                yaws[foot, 0], yaws[foot, 1], yaws[foot, 2] = p, v, a
        z = v = a = 0.0
        whole = own.land_s[foot] - own.lift_s[foot]
        u = (now_s - own.lift_s[foot]) / whole if whole > 0.0 else 1.0
        if 0.0 < u < 1.0:
            w, rate, apex = 1.0 - u, 1.0 / whole, 16.0 * own.apex[foot]
            z = apex * u * u * w * w
            v = apex * rate * 2.0 * u * w * (w - u)
            a = apex * rate * rate * 2.0 * (1.0 - 6.0 * u * w)
        left = 1.0 - (now_s - own.landed_s[foot]) / LOWERING_S
        if 0.0 < left <= 1.0:
            low = own.low[foot]
            z += low * left * left * (3.0 - 2.0 * left)
            v -= low * 6.0 * left * (1.0 - left) / LOWERING_S
            a += low * (6.0 - 12.0 * left) / LOWERING_S**2
        motions[foot, 0, 2], motions[foot, 1, 2], motions[foot, 2, 2] = z, v, a


class Feet:
    """Owns the motion of both soles.

    Attributes:
        record: quintic `ways` of x, y and yaw by time since `begin_s` for `duration_s`
            (2, 3, 6), acceleration at their `end` (2, 3), times of `lift_s` and `land_s`, `apex`,
            and height `low` that a sole which landed at `landed_s` has still to lose.
        motions: position, velocity and acceleration of the soles (2, 3, 3).
        yaws: their headings with derivatives (2, 3).
    """

    def __init__(self) -> None:
        self.record = make_record(
            ways=(2, 3, 6),
            end=(2, 3),
            begin_s=2,
            duration_s=2,
            lift_s=2,
            land_s=2,
            apex=2,
            low=2,
            landed_s=2,
        )
        self.motions: Floats = np.zeros((2, 3, 3))
        self.yaws: Floats = np.zeros((2, 3))
        own = self.record
        self._ways: Floats = own["ways"][0]
        self._lift_s, self._land_s = own["lift_s"][0], own["land_s"][0]
        self._apex, self._low, self._landed_s = own["apex"][0], own["low"][0], own["landed_s"][0]
        self._write = bind(write_feet, self.record, self.motions, self.yaws)
        self._aim = bind(aim, self.record)

    def place(self, now_s: float, left: Pose, right: Pose) -> None:
        """Let both soles stand at places."""
        self._ways[:] = self.record["end"][0] = 0.0
        self._landed_s[:] = -math.inf
        self._lift_s[:] = self._land_s[:] = now_s
        for foot, pose in ((LEFT, left), (RIGHT, right)):
            self._ways[foot, :, 0] = pose.x, pose.y, pose.yaw
        self.at(now_s)

    def swing(self, now_s: float, step: Step, pose: Pose) -> None:
        """Let a sole go to a footstep."""
        foot = step.foot
        begins = bool(self._lift_s[foot] != step.lift_s)
        self._lift_s[foot] = step.lift_s
        self._land_s[foot], self._apex[foot] = step.land_s, step.apex
        self._aim(foot, now_s, step.land_s, pose.x, pose.y, pose.yaw, begins, *step.bends)

    def stand(self, now_s: float, foot: int) -> None:
        """Let a sole stand where it is; one in the air comes down."""
        if now_s < self._land_s[foot]:
            self._low[foot] = self.motions[foot, 0, 2]
            self._landed_s[foot] = self._land_s[foot] = now_s
            self._lift_s[foot] = now_s
            x, y = self.motions[foot, 0, :2].tolist()
            self._aim(foot, now_s, now_s, x, y, float(self.yaws[foot, 0]), True, 0.0, 0.0)

    def at(self, now_s: float) -> None:
        """Write `motions` and `yaws` at a time [s]."""
        self._write(now_s)
