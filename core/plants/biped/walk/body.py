"""The motion of the body over standing feet: the posture of a show, and the limb of the body."""

import math

import numpy as np

from core.compiled import bind, compiled
from core.records import Record, make_record, record_of
from devices.interface import Floats
from shows.body_limb import ROLES, BodyLimb

FOLLOW = 8.0  # double pole of the motion toward the wanted posture [1/s]
FADE = 5.0  # double pole of the share to which the limb is followed [1/s]
UPRIGHT, STILL = 1e-4, 1e-3  # below which the body counts as upright [m, rad], and still
BENT = 0.02  # from which no step begins [m, rad]
ROLL, PITCH, YAW, HEIGHT, LEFT, FORWARD = range(len(ROLES))


@compiled
def move_body(
    constants: Record, memory: Record, motion: Floats, dt: float, stands: bool, acts: bool
) -> float:
    """Advance the body by one tick; return its distance from where steps may begin [m, rad].

    Args:
        constants: `walking`, the share of each coordinate that stays while the robot steps (6).
        memory: `posture`, the wanted posture, and its follower's `at` and `rate` (6); `limb`, the
            reference of the limb (3, 6); `share` of the limb that is followed at all and `free`,
            the share of the rest that standing allows, each with its rate (2).
        motion: output: position, velocity and acceleration of each coordinate (3, 6).
        dt: of the tick [s].
        stands: the robot stands, and shall not step.
        acts: the limb shall be followed.
    """
    given = memory[0]
    curves = np.zeros(2)
    for i in range(2):
        state = given.share if i == 0 else given.free
        wanted = acts if i == 0 else stands
        curves[i] = FADE * (FADE * ((1.0 if wanted else 0.0) - state[0]) - 2.0 * state[1])
        state[1] += dt * curves[i]
        state[0] += dt * state[1]
    s, s_rate, s_curve = given.share[0], given.share[1], curves[0]
    bent = 0.0
    for i in range(6):
        curve = FOLLOW * (FOLLOW * (given.posture[i] - given.at[i]) - 2.0 * given.rate[i])
        given.rate[i] += dt * curve
        given.at[i] += dt * given.rate[i]
        stays = constants[0].walking[i]
        f = stays + (1.0 - stays) * given.free[0]
        f_rate, f_curve = (1.0 - stays) * given.free[1], (1.0 - stays) * curves[1]
        w, w_rate = s * f, s_rate * f + s * f_rate
        w_curve = s_curve * f + 2.0 * s_rate * f_rate + s * f_curve
        q, dq, ddq = given.limb[0, i], given.limb[1, i], given.limb[2, i]
        motion[0, i] = given.at[i] + w * q
        motion[1, i] = given.rate[i] + w_rate * q + w * dq
        motion[2, i] = curve + w_curve * q + 2.0 * w_rate * dq + w * ddq
        bent = max(bent, abs(given.at[i]), abs((w - s * stays) * q))
    return bent


@compiled
def turn_body(motion: Floats, targets: Record) -> None:
    """Add the motion to the torso's attitude, and write the angular motion, in the world.

    Products of two rates are left out of the angular acceleration.

    Args:
        motion: of `move_body`.
        targets: `LegReference.record`; its attitude is the one without the motion.
    """
    rpy, turn = targets[0].torso_rpy, targets[0].torso_turn
    for i in range(3):
        rpy[i] += motion[0, i]
    cy, sy, cp, sp = math.cos(rpy[2]), math.sin(rpy[2]), math.cos(rpy[1]), math.sin(rpy[1])
    for k in range(2):
        roll, pitch, yaw = motion[k + 1, 0], motion[k + 1, 1], motion[k + 1, 2]
        turn[k, 0] = cy * cp * roll - sy * pitch
        turn[k, 1] = sy * cp * roll + cy * pitch
        turn[k, 2] = yaw - sp * roll


class BodyPosture:
    """Owns the motion of the body: a show's posture, or else the limb of the body.

    A posture is followed without jumps in velocity; the limb, which has velocity and acceleration,
    is followed exactly, and fades out where the robot steps or takes a posture.

    Args:
        limb: of the profile; a robot without it has only postures.
        tick_s: period of the tick [s].

    Attributes:
        active: the body is not upright, or shall not be.
        motion: position, velocity and acceleration of roll, pitch and yaw of the torso, of the
            height and of the shift of the centre of mass to the left and forward (3, 6).
        bent: the body is too far from upright for a step to begin.
    """

    def __init__(self, limb: BodyLimb | None, tick_s: float) -> None:
        walking = [0.0] * len(ROLES) if limb is None else [c.walking for c in limb.coordinates]
        self._memory = make_record(posture=6, at=6, rate=6, limb=(3, 6), share=2, free=2)
        self.motion: Floats = np.zeros((3, len(ROLES)))
        self._posture: Floats = self._memory["posture"][0]
        self._limb: Floats = self._memory["limb"][0]
        self._share: Floats = self._memory["share"][0]
        self._source: Floats = self._limb
        self._tick_s = tick_s
        constants = record_of(walking=np.array(walking))
        self._move = bind(move_body, constants, self._memory, self.motion)
        self.active = self.bent = False

    def reset(self) -> None:
        """Be upright at once, as before standing up."""
        self.active = self.bent = False
        self._memory.fill(0)
        self.motion.fill(0.0)
        self._source = self._limb

    def follow(self, posture: Floats | None, limb: Floats | None, stands: bool) -> None:
        """Advance by one tick.

        Args:
            posture: lowering [m], roll, pitch and yaw [rad] that a show wants (4); None: upright.
            limb: reference of the limb (3, 6), which its owner overwrites; None: it fades out.
            stands: the robot stands, and shall not step.
        """
        if limb is None and posture is None and not self.active:
            return
        self.active = True
        wants = posture is not None and stands
        if wants and posture is not None:
            lower, roll, pitch, yaw = posture.tolist()
            self._posture[:4] = roll, pitch, yaw, -lower
        else:
            self._posture[:] = 0.0
        if limb is not None:
            self._source = limb
        if self._source is not self._limb:
            self._limb[:] = self._source
        acts = limb is not None and not wants
        self.bent = self._move(self._tick_s, stands, acts) > BENT
        if limb is None and not wants:
            still = abs(self._share[0]) < UPRIGHT and abs(self._share[1]) < STILL
            at, rate = self._memory["at"][0], self._memory["rate"][0]
            if still and np.abs(at).max() < UPRIGHT and np.abs(rate).max() < STILL:
                self.reset()
