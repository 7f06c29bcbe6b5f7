"""The measured body beside the plan: capture point, tilt of the base, late and early feet."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.constants import GRAVITY
from core.plants.biped.model import RobotModel
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import Kind
from core.plants.dynamics_filter.strider import StrideReference
from core.plants.runner.push import PushYield
from core.plants.runner.settings import Follow
from core.records import Record, make_record, record_of
from core.robot.state import State
from devices.interface import Bools, Floats

RETURN_S = 0.1  # in which a sole that was lowered comes back to the plan
LEAD_S = 0.04  # before a touchdown, in which a sole is lowered
LEARNING = 0.2  # share of a touchdown's error by which the depth changes
REPORT_S = 0.003  # from a touchdown to its report by the switches
SWING_S = 0.02  # in which a sole in the air follows the tilt of the base
HIGH_S = 0.1  # before its landing, from which on a sole may meet an edge
HIGH_M = 0.006  # least height of an edge
FLOOR_SHARE = 0.3  # part of a touchdown's height by which the ground is taken to be higher
EDGE_SHARE = 0.1  # the same on an edge
STANCE_S = 0.005  # in which a sole that stands turns against the tilt
LATEST_S = 0.05  # after its time, a touchdown teaches nothing


@compiled
def compare(
    body: Record,
    feet: Record,
    base: Floats,
    planned_body: Record,
    planned_feet: Record,
    planned_base: Floats,
    settings: Record,
    out: Record,
    support: int,
) -> None:
    """Write the errors of the measured body, in the axes of the plan.

    Args:
        body: `RobotModel.body` at the estimate.
        feet: `RobotModel.feet` at the estimate.
        base: of the estimate (7, 3).
        planned_body: the same of the reference.
        planned_feet: the same of the reference.
        planned_base: the same of the reference.
        settings: see `Feedback`.
        out: `capture`, error of the capture point beside the stance, measured less planned (2),
            and `bias`, its slow part, as of a floor that yields (2); `velocity_offset`, change of
            the CoM's velocity by a share of their difference (2); `level`, the rotation of the
            stance soles beside the body about x and y (2); and `tilt`, the rotation of the base
            about x and y, measured less planned (2).
        support: feet that shall stand, as bits.
    """
    own: Any = settings[0]
    result: Any = out[0]
    real: Any = body[0]
    planned: Any = planned_body[0]
    soles: Any = feet[0]
    planned_soles: Any = planned_feet[0]
    turn = math.atan2(planned_base[1, 0], planned_base[0, 0]) - math.atan2(base[1, 0], base[0, 0])
    c, s = math.cos(turn), math.sin(turn)
    # Tilt of the base: its z axis, measured less planned, and its rate.
    rx = ry = qx = qy = 0.0
    for k in range(3):
        rx += base[0, k] * base[5, k]
        ry += base[1, k] * base[5, k]
        qx += planned_base[0, k] * planned_base[5, k]
        qy += planned_base[1, k] * planned_base[5, k]
    zx, zy = c * base[0, 2] - s * base[1, 2], s * base[0, 2] + c * base[1, 2]
    wx, wy = c * rx - s * ry - qx, s * rx + c * ry - qy
    result.tilt[0], result.tilt[1] = planned_base[1, 2] - zy, zx - planned_base[0, 2]
    if support == 0:
        result.velocity_offset[:] = 0.0
        result.level[:] = 0.0
        return
    limit = own.largest_level
    level_x = own.tilt_gain * result.tilt[0] + own.tilt_rate_gain * wx
    level_y = own.tilt_gain * result.tilt[1] + own.tilt_rate_gain * wy
    result.level[0] = min(limit, max(-limit, level_x))
    result.level[1] = min(limit, max(-limit, level_y))
    x = y = px = py = 0.0
    count = 0.0
    for side in range(2):
        if support >> side & 1:
            x, y = x + soles.positions[side, 0], y + soles.positions[side, 1]
            px = px + planned_soles.positions[side, 0]
            py = py + planned_soles.positions[side, 1]
            count += 1.0
    x, y = real.com[0] - x / count, real.com[1] - y / count
    vx, vy = real.com_velocity[0], real.com_velocity[1]
    dx = c * x - s * y - (planned.com[0] - px / count)
    dy = s * x + c * y - (planned.com[1] - py / count)
    du = c * vx - s * vy - planned.com_velocity[0]
    dv = s * vx + c * vy - planned.com_velocity[1]
    rate = math.sqrt(
        GRAVITY / max(0.05, real.com[2] - min(soles.positions[0, 2], soles.positions[1, 2]))
    )
    result.capture[0], result.capture[1] = dx + du / rate, dy + dv / rate
    # The servos hold the CoM's place; its velocity moves the next footsteps and the pressure.
    for i in range(2):
        result.bias[i] += own.bias_share * (result.capture[i] - result.bias[i])
        error = result.capture[i] - result.bias[i]
        result.velocity_offset[i] = own.capture_share * rate * error


@compiled
def level_ankles(feet: Record, ankles: Floats, turns: Floats, q: Floats) -> None:
    """Turn the soles about horizontal axes by the last two joints of each leg.

    Args:
        feet: `RobotModel.feet` of the reference.
        ankles: indices of these joints (2, 2).
        turns: rotation of each sole about x and y (2, 2) [rad].
        q: joint positions, in place (n) [rad].
    """
    frames: Any = feet[0]
    for side in range(2):
        first, second = int(ankles[side, 0]), int(ankles[side, 1])
        a, b = frames.jacobians[side, 3, 6 + first], frames.jacobians[side, 3, 6 + second]
        c, d = frames.jacobians[side, 4, 6 + first], frames.jacobians[side, 4, 6 + second]
        determinant = a * d - b * c
        if abs(determinant) < 0.1:
            continue
        x, y = turns[side, 0], turns[side, 1]
        q[first] += (d * x - b * y) / determinant
        q[second] += (a * y - c * x) / determinant


class Feedback:
    """Owns the errors of the body, and how far soles are lowered.

    Attributes:
        velocity_offset: change of the CoM's velocity that a new plan takes over (2) [m/s].
        capture: error of the capture point (2) [m].
        bias: slow part of this error, which plans do not take over (2) [m].
        level: rotation of the stance soles beside the body about x and y (2) [rad].
        tilt: rotation of the base about x and y, measured less planned (2) [rad].
        sink: how much lower each sole shall be than planned (2) [m].
        off_ground: each foot has left the ground in its present step (2).
        high: height of the edge above the ground that each sole has met; 0: none (2) [m].
        depth: how much lower each gait leads each sole at a touchdown (gaits, 2) [m].
        push: how fast the sole of a push yields.
    """

    def __init__(
        self,
        follow: Follow,
        real: RobotModel,
        state: State,
        planned: RobotModel,
        own: State,
        dt: float,
    ) -> None:
        self._follow, self._dt = follow, dt
        settings = record_of(
            capture_share=follow.capture_share,
            bias_share=dt / follow.bias_s,
            tilt_gain=follow.tilt_gain,
            tilt_rate_gain=follow.tilt_rate_gain,
            largest_level=follow.largest_level,
        )
        out = make_record(velocity_offset=2, capture=2, bias=2, level=2, tilt=2)
        self.velocity_offset: Floats = out["velocity_offset"][0]
        self.capture: Floats = out["capture"][0]
        self.bias: Floats = out["bias"][0]
        self.level: Floats = out["level"][0]
        self.tilt: Floats = out["tilt"][0]
        self.sink: Floats = np.zeros(2)
        self.depth: Floats = np.zeros((len(Gait), 2))
        self.push = PushYield(follow.largest_yield_m_s)
        self._due_s: Floats = np.zeros(2)
        self._touched_s: Floats = np.zeros(2)
        self._gaits = [Gait.STAND, Gait.STAND]
        self._stands = (1, 1)
        self.off_ground = [False, False]
        self._waits = [False, False]
        self._was_loaded = [True, True]
        self._turns: Floats = np.zeros((2, 2))
        self._planned = planned
        self._drop: Floats = np.zeros(2)
        self._lowered: Floats = np.zeros(2)
        self.high = [0.0, 0.0]
        self._floor = 0.0
        self._meets = [False, False]
        self._real = real
        self._ankles: Floats = planned.leg_joints[:, -2:].astype(np.float64)
        self._compare = bind(
            compare,
            real.body,
            real.feet,
            state.base,
            planned.body,
            planned.feet,
            own.base,
            settings,
            out,
        )

    def reset(self) -> None:
        """Forget the soles' heights."""
        self.sink[:] = self._lowered[:] = self._drop[:] = self.bias[:] = 0.0
        self.depth[:] = 0.0
        self.push.reset()
        self._waits = [False, False]
        self.high = [0.0, 0.0]
        self._floor = float(self._real.soles[:, 2].mean())

    def update(
        self,
        now_s: float,
        plan: StrideReference,
        landings_s: tuple[float, float],
        lift_off_s: float,
        loaded: Bools,
    ) -> None:
        """Compare the body of this tick with the plan.

        Args:
            now_s: time [s].
            plan: reference of the strider.
            landings_s: time at which each foot in the air shall land [s]; inf: it stands.
            lift_off_s: time at which the present push ends [s]; inf: there is none.
            loaded: feet that carry weight (2).
        """
        follow, dt = self._follow, self._dt
        self._compare(plan.support)
        self.push.update(now_s, plan, landings_s, bool(loaded.any()))
        self._stands = plan.support & 1, plan.support >> 1 & 1
        for foot, land_s in enumerate(landings_s):
            stands, carries = plan.support >> foot & 1, bool(loaded[foot])
            # In a jump both feet are in the air: what one does to the tilt, the other undoes.
            alone = plan.gait is not Gait.JUMP
            self._turn(foot, stands, carries, alone)
            sink = float(self._lowered[foot])
            if land_s < math.inf:
                self._due_s[foot], self._gaits[foot] = land_s, plan.gait
                self._waits[foot] = True
            self.off_ground[foot] = not stands and (self.off_ground[foot] or not carries)
            if carries and not self._was_loaded[foot]:
                self._touched_s[foot] = now_s
            self._was_loaded[foot] = carries
            planned = float(plan.soles[foot, 0, 2])
            if not stands and (land_s - now_s > HIGH_S or not self.off_ground[foot]):
                self.high[foot], self._meets[foot] = 0.0, not carries
            elif carries and self._meets[foot]:
                self._meet(foot, planned - sink)
            # A foot that leaves the ground a little before its flight is not late.
            if stands and not carries and (self._waits[foot] or plan.kind is not Kind.LEAD):
                sink = min(follow.largest_descent, sink + dt * follow.late_descent_m_s)
            elif alone and self.high[foot] > 0.0:
                if not stands:
                    sink = min(sink, planned - self.high[foot])
            elif land_s - now_s < LEAD_S:
                depth = float(self.depth[plan.gait, foot])
                sink += (depth - sink) * dt / max(dt, land_s - now_s)
            else:
                sink *= 1.0 - dt / RETURN_S
                if stands and alone:
                    sink -= dt * self.push.at(lift_off_s - now_s)
            self._lowered[foot] = sink
            self.sink[foot] = sink + self._drop[foot]
            if stands and self._waits[foot]:
                self._learn(now_s, foot, carries)

    def _meet(self, foot: int, planned: float) -> None:
        """Judge a touchdown: an edge is high by the plan and by the legs, and the sole stays on it.

        The lower of both counts. By the legs, a floor beside one that yields seems high; by the
        plan, so does the floor below a body that has sunk.

        Args:
            foot: that has touched.
            planned: height of its sole in the reference [m].
        """
        self._meets[foot] = False
        height = float(self._real.soles[foot, 2]) - self._floor
        least = min(height, planned)
        self.high[foot] = least if least > HIGH_M else 0.0
        self._floor += (EDGE_SHARE if self.high[foot] else FLOOR_SHARE) * height

    def _turn(self, foot: int, stands: int, carries: bool, alone: bool) -> None:
        """Turn a sole: one that stands against the tilt, one in the air so that it lands flat.

        The height of a sole in the air is that above the ground, though the base is tilted.
        """
        turn, follow = self._turns[foot], self._follow
        if stands:
            turn += (self.level * carries - turn) * min(1.0, self._dt / STANCE_S)
            self._drop[foot] *= 1.0 - self._dt / RETURN_S
            return
        share = follow.swing_share if alone else 0.0
        target = -share * self.tilt
        turn += (target - turn) * min(1.0, self._dt / SWING_S)
        soles, com = self._planned.soles, self._planned.com
        other = 1 - foot
        stance = soles[other] if self._stands[other] else com
        x, y = soles[foot, 0] - stance[0], soles[foot, 1] - stance[1]
        drop = share * float(self.tilt[0] * y - self.tilt[1] * x)
        self._drop[foot] += (drop - self._drop[foot]) * min(1.0, self._dt / SWING_S)

    def _learn(self, now_s: float, foot: int, carries: bool) -> None:
        """Lead a sole lower after a late touchdown, and higher after an early one.

        On a floor that yields the body has sunk, and a sole meets the ground above the plan.
        """
        late_s = now_s - float(self._due_s[foot])
        if carries:
            late_s = float(self._touched_s[foot] - self._due_s[foot]) - REPORT_S
            self._waits[foot] = False
        elif late_s > LATEST_S:
            self._waits[foot] = False
            return
        else:
            return
        follow, gait = self._follow, self._gaits[foot]
        if gait in (Gait.STAND, Gait.WALK) or abs(late_s) > LATEST_S:
            return
        depth = float(self.depth[gait, foot]) + LEARNING * late_s * follow.late_descent_m_s
        limit = follow.largest_depth
        self.depth[gait, foot] = min(limit, max(-limit, depth))

    def level_ankles(self, q: Floats) -> None:
        """Turn the soles that stand against the tilt of the base, in place (n) [rad]."""
        level_ankles(self._planned.feet, self._ankles, self._turns, q)
