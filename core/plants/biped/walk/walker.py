"""The walker: stands, shifts its weight, steps, and decides when to do which."""

import math
from functools import partial

import numpy as np

from core.plants.biped.model import LEFT, RIGHT, RobotModel
from core.plants.biped.walk import pendulum
from core.plants.biped.walk.adaptation import GroundSlope, Punctuality
from core.plants.biped.walk.balance import StandingBalance, support_of
from core.plants.biped.walk.footstep import Walking, sway_lead
from core.plants.biped.walk.kernels import (
    advance_swing,
    follow_command,
    follow_height,
    observe,
    share_load,
)
from core.plants.biped.walk.lean import LeanTrim
from core.plants.biped.walk.reference import LegReference, Phase
from core.plants.biped.walk.trim import SpeedTrim
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats

SETTLING_STEPS = 1  # steps in place before the robot stands again
QUICK_STEPS = 2  # after a push, before the gait is the usual one
QUICK_SHIFT_S = 0.15  # for the weight to leave a foot that must step at once
QUICK_SHARE = 0.6  # of the usual shift, which is then enough
LATE_S = 0.01  # a foot that is late is expected to land so soon [s]
EARLY_SHARE = 0.9  # a foot that touches later than this part of a step waits for its end
USUAL_LEAD_S = 0.05  # a step is shortened by what the robot sways over sooner than this
STUMBLE = 0.025  # a foot that touches so far above the ground expected there hit an edge [m]
LEARNING_S = 0.03  # after lift-off, when the weight is surely on one foot
SIDE_SIGN = (1.0, -1.0)  # y of the left and of the right foot


def wrapped(angle: float) -> float:
    """Return an angle in [-pi, pi) [rad]."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


class Walker:
    """Owns the gait: phase, feet, step timing and the body's reference.

    Attributes:
        reference: what the whole-body controller shall do, overwritten by `update`.
        velocity: the rate-limited command that is being walked (3) [m/s, m/s, rad/s].
        steps: steps taken since the start.
    """

    def __init__(self, profile: Profile, mass: float) -> None:
        self._gait = profile.as_biped.gait
        self._settings = profile.as_biped.balance
        self._momentum_gain = profile.as_biped.estimator.momentum_rate * profile.tick_s
        stall = profile.actuator_column("stall_torque")
        ankles = [i for i, name in enumerate(profile.joint_names) if name.endswith("_ankle")]
        ankle_torque = profile.as_biped.tasks.torque_fraction * float(stall[ankles].sum())
        reach = ankle_torque / (mass * 9.81)
        self._balance = StandingBalance(profile.as_biped.balance, profile.contacts[0], reach)
        self._force_max = profile.as_biped.tasks.force_max
        self._dt = dt = profile.tick_s
        gait = profile.as_biped.gait
        largest = [gait.max_speed_forward, gait.max_speed_sideways, gait.max_yaw_rate]
        rates = np.array([gait.acceleration, gait.acceleration, gait.yaw_acceleration])
        self._limits: Floats = np.array([largest, rates * dt])
        self._reach: Floats = np.array(
            [gait.step_width, gait.reach_forward, gait.reach_out, gait.reach_in]
        )
        span = profile.as_biped.balance.stand_height - profile.as_biped.balance.crouch_height
        self._fastest_rise = 1.5 * span / profile.as_biped.balance.rise_s
        self.stepping_allowed = True
        self.reference = LegReference()
        self.velocity: Floats = np.zeros(3)
        self.steps = 0
        self._stance = LEFT
        self._phase_start_s = 0.0
        self._loaded_since_s: Floats = np.zeros(2)
        self._path: Floats = np.zeros((2, 3))
        self._target = self._path[1]
        self._offset: Floats = np.zeros(2)
        self._pendulum: Floats = np.zeros((3, 2))
        self._lever, _, self._u = self._pendulum
        self._yaw = 0.0
        self._lift_off_yaw = 0.0
        self._lifted = False
        self._lift_s = 0.0
        self._quick_steps = 0
        self._step_s = self._gait.step_s
        self._trim = SpeedTrim(profile.as_biped.gait.trim_forward)
        hip = profile.joint_names.index("left_hip_1")
        leg_joints = profile.joint_names.index("right_hip_1") - hip
        self._new_lean = partial(LeanTrim, hip, leg_joints, profile.tick_s)
        self._still_steps = 0
        self._forget()
        self._expected_s = self._step_s
        self._height = profile.as_biped.balance.stand_height

    def _forget(self) -> None:
        """Know nothing of load and ground: people may have changed both."""
        self._lean = self._new_lean()
        self._offset[:] = 0.0
        self._punctuality = Punctuality()
        self._slope = GroundSlope()

    @property
    def footstep(self) -> tuple[float, float, float, float] | None:
        """Where the swing foot shall land: x, y, z [m] and yaw [rad]; None while none swings."""
        if self.reference.swing_side < 0:
            return None
        x, y, z = self._target.tolist()
        return x, y, z, self._yaw

    def start(self, now_s: float, model: RobotModel) -> None:
        """Stand where the robot is."""
        self._forget()
        self._enter_stand(now_s)
        self._yaw = support_of(model).yaw
        self._height = model.com_height - 0.5 * (model.left_sole_height + model.right_sole_height)
        self.reference.com_height = self._height
        self.reference.com_height_rate = 0.0
        self._loaded_since_s[:] = now_s - 10.0
        self.velocity[:] = 0.0

    def update(
        self,
        now_s: float,
        state: State,
        model: RobotModel,
        command: Floats,
        height: float,
        step_in_place: bool = False,
    ) -> LegReference:
        """Advance to `now_s` and return the reference.

        Args:
            now_s: the tick's time [s].
            state: the estimated state.
            model: dynamics and kinematics at that state.
            command: desired mean velocity forward, to the left, and yaw rate (3).
            height: the CoM height asked for [m].
            step_in_place: keep stepping when the command is zero.
        """
        moves = follow_command(command, self._limits, self.velocity)
        self._follow_height(height)
        reference = self.reference
        reference.ground_height = 0.5 * (model.left_sole_height + model.right_sole_height)
        moving = step_in_place or moves
        if reference.phase is Phase.STAND:
            self._stand(now_s, model, moving and self.stepping_allowed)
        elif reference.phase is Phase.SHIFT:
            if self._quick_steps or (moving and self.stepping_allowed):
                self._shift(now_s, model)
            else:
                self._enter_stand(now_s)
                self._stand(now_s, model, False)
        if reference.phase is Phase.STEP:
            self._step(now_s, state, model, moving)
        if reference.swing_side < 0:  # else the swing has shared it
            share_load(
                now_s,
                self._loaded_since_s,
                self._gait.load_s,
                self._force_max,
                -1,
                reference.stance_side,
                reference.load_limit,
            )
        rpy = reference.torso_rpy
        rpy[0], rpy[1], rpy[2] = self._lean.roll, self._lean.pitch, self._yaw
        return reference

    @property
    def _shifted(self) -> float:
        """Where, across the support, the capture point of a periodic step is at its start."""
        omega = pendulum.natural_frequency(self._height)
        return math.tanh(0.5 * omega * self._gait.step_s)

    def _follow_height(self, height: float) -> None:
        reference = self.reference
        self._height, reference.com_height_rate = follow_height(
            height,
            self._height,
            reference.com_height_rate,
            self._fastest_rise,
            0.5 * self._dt,
            self._dt,
        )
        reference.com_height = self._height

    # -- standing ---------------------------------------------------------------------------

    def _enter_stand(self, now_s: float) -> None:
        self.reference.phase = Phase.STAND
        self.reference.swing_side = -1
        self.reference.stance_side = -1
        self._phase_start_s = now_s
        self._still_steps = 0
        self._quick_steps = 0
        self._trim.reset()
        self._lean.reset()

    def _stand(self, now_s: float, model: RobotModel, moving: bool) -> None:
        reference = self.reference
        out = reference.com_acceleration
        support = self._balance.acceleration(model, self._height, (0.0, 0.0), out)
        self._yaw += 2.0 * self._dt * wrapped(support.yaw - self._yaw)
        reference.torso_yaw_rate = 0.0
        omega = pendulum.natural_frequency(self._height)
        along, across = self._balance.capture_point(model, support, omega)
        if self.stepping_allowed and self._balance.must_step(along, across):
            # The foot toward which the robot falls has the weight already; the other is free.
            self._stance = LEFT if across > 0.0 else RIGHT
            self._quick_steps = QUICK_STEPS
            if abs(across) > QUICK_SHARE * self._shifted:
                self._begin_step(now_s, model)
            else:
                reference.phase = Phase.SHIFT
                self._phase_start_s = now_s
        elif moving:
            sideways = float(self.velocity[1]) + 0.1 * float(self.velocity[2])
            self._stance = RIGHT if sideways > 0.0 else LEFT
            reference.phase = Phase.SHIFT
            self._phase_start_s = now_s

    def _shift(self, now_s: float, model: RobotModel) -> None:
        """Bring the capture point to where a periodic step would have it at its start."""
        gait, reference = self._gait, self.reference
        omega = pendulum.natural_frequency(self._height)
        elapsed = now_s - self._phase_start_s
        start = self._shifted
        share = min(1.0, elapsed / gait.shift_s)
        patience_s = 2.5 * gait.shift_s
        if self._quick_steps:
            share, start, patience_s = 1.0, QUICK_SHARE * start, QUICK_SHIFT_S
        target = (0.0, 1.1 * self._shifted * share * SIDE_SIGN[self._stance])
        support = self._balance.acceleration(
            model, self._height, target, reference.com_acceleration
        )
        _, across = self._balance.capture_point(model, support, omega)
        if across * SIDE_SIGN[self._stance] > start or elapsed > patience_s:
            self._begin_step(now_s, model)

    # -- stepping ---------------------------------------------------------------------------

    def _begin_step(self, now_s: float, model: RobotModel) -> None:
        """Begin a step: the weight goes over to the stance foot."""
        self.reference.phase = Phase.STEP
        self.reference.stance_side = self._stance
        self._phase_start_s = now_s
        self._lifted = False
        self._step_s = self._gait.quick_step_s if self._quick_steps else self._gait.step_s
        self._expected_s = self._step_s * self._punctuality.share
        self._quick_steps = max(0, self._quick_steps - 1)
        sole = model.soles[self._stance]
        pendulum.effective_velocity(model.com, sole, model.momentum, self._scale(model), self._u)

    def _lift(self, now_s: float, model: RobotModel) -> None:
        """Let the foot opposite the stance leave the ground."""
        swing = 1 - self._stance
        self.reference.swing_side = swing
        self._lifted = True
        self._lift_s = now_s
        self._path[:] = model.soles[swing]
        rotation = model.sole_rotations[swing]
        self._lift_off_yaw = math.atan2(float(rotation[1, 0]), float(rotation[0, 0]))

    def _hurry(self, omega: float, left_s: float) -> None:
        """Shorten a step in which the robot sways over much too soon.

        After a foot has met a bump early, or a push, the weight comes back sooner: at the usual
        time the next foot would have to go far out, and the one after it farther still.
        """
        forward, left = (self.velocity[:2] + self._trim.correction).tolist()
        lead_s = sway_lead(
            self._gait.step_width,
            Walking(forward, left, self._gait.step_s, omega),
            SIDE_SIGN[1 - self._stance],
            self._to_the_left(self._lever),
            self._to_the_left(self._u),
            left_s + self._gait.transfer_s,
        )
        if lead_s > USUAL_LEAD_S:
            quick_s = min(self._step_s, self._gait.quick_step_s)
            self._step_s = max(quick_s, self._step_s - (lead_s - USUAL_LEAD_S))
            self._expected_s = self._step_s * self._punctuality.share

    def _to_the_left(self, vector: Floats) -> float:
        """Return a horizontal vector's part to the left of the heading."""
        x, y = float(vector[0]), float(vector[1])
        return math.cos(self._yaw) * y - math.sin(self._yaw) * x

    def _scale(self, model: RobotModel) -> float:
        """Return 1 / (m h), which makes effective velocities of momenta [1/(kg·m)]."""
        return 1.0 / (model.mass * self._height)

    def _step(self, now_s: float, state: State, model: RobotModel, moving: bool) -> None:
        gait, reference = self._gait, self.reference
        elapsed = now_s - self._phase_start_s
        forward, left, yaw_rate = self.velocity.tolist()
        self._yaw = wrapped(self._yaw + yaw_rate * self._dt)
        reference.torso_yaw_rate = yaw_rate
        self._trim.watch(forward, left)
        self._lean.watch(state.tau)
        omega = pendulum.natural_frequency(self._height)
        observe(
            model.com,
            model.soles,
            self._stance,
            model.momentum,
            self._scale(model),
            self._yaw,
            omega,
            self._dt,
            self._momentum_gain,
            self._lifted and now_s - self._lift_s > LEARNING_S,
            self._offset,
            self._pendulum,
        )
        left_s = self._expected_s - elapsed
        if not self._lifted and elapsed >= gait.load_s:
            self._lift(now_s, model)
            self._hurry(omega, left_s)
            left_s = self._expected_s - elapsed
        if not self._lifted:
            return
        self._swing(now_s, model, omega, left_s)
        if elapsed > gait.max_step_fraction * self._step_s or self._landed(elapsed, state, model):
            self._touch_down(now_s, model, moving)

    def _landed(self, elapsed: float, state: State, model: RobotModel) -> bool:
        """Tell whether the swing foot stands: it touches, in time, and met no edge."""
        side, share = self.reference.swing_side, elapsed / self._step_s
        if not state.contact[side]:
            return False
        if share >= 1.0:
            return True
        high = float(model.soles[side, 2] - self._target[2]) > STUMBLE
        return self._gait.min_step_fraction < share < EARLY_SHARE and not high

    def _swing(self, now_s: float, model: RobotModel, omega: float, left_s: float) -> None:
        """Place the next footstep, and move the swing foot toward it."""
        gait, reference = self._gait, self.reference
        elapsed = now_s - self._lift_s
        duration = self._step_s - gait.load_s
        advance_swing(
            now_s,
            self._loaded_since_s,
            gait.load_s,
            self._force_max,
            self._stance,
            model.soles,
            left_s > gait.freeze_s or left_s < 0.0,  # later than expected: follow the fall
            self._yaw,
            self._pendulum,
            max(left_s, LATE_S) + gait.transfer_s,
            gait.step_s * self._punctuality.share,
            omega,
            self.velocity,
            self._trim.correction,
            self._reach,
            self._slope.x,
            self._slope.y,
            elapsed,
            duration,
            gait.apex,
            gait.late_descent_m_s,
            self._path,
            reference.swing,
            reference.load_limit,
        )
        turn = wrapped(self._yaw - self._lift_off_yaw)
        share = min(1.0, elapsed / duration)
        reference.swing_yaw = self._lift_off_yaw + share * turn
        reference.swing_yaw_rate = turn / duration if share < 1.0 else 0.0

    def _touch_down(self, now_s: float, model: RobotModel, moving: bool) -> None:
        """Change the stance; stand if nothing keeps the robot stepping."""
        landed = self.reference.swing_side
        self._punctuality.learn((now_s - self._phase_start_s) / self._step_s)
        self._slope.learn(*(model.soles[landed] - model.soles[self._stance]).tolist())
        self.steps += 1
        self._loaded_since_s[landed] = now_s
        self._stance = landed
        self.reference.swing_side = -1
        self._trim.touch_down(now_s, model.com, self._yaw)
        self._lean.touch_down()
        self._still_steps = 0 if moving else self._still_steps + 1
        if self._still_steps > SETTLING_STEPS and self._may_stand(model):
            self._enter_stand(now_s)
        else:
            self._begin_step(now_s, model)

    def _may_stand(self, model: RobotModel) -> bool:
        """Tell whether standing balance can catch the robot as it is."""
        support = support_of(model)
        omega = pendulum.natural_frequency(self._height)
        along, across = self._balance.capture_point(model, support, omega)
        spread = support.half_span
        staggered = abs(spread[0] * support.forward[0] + spread[1] * support.forward[1])
        return abs(along) < 0.05 and abs(across) < 0.8 and staggered < 0.03
