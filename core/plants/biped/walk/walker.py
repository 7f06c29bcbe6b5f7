"""The walker: stands, shifts the weight and steps, and chooses between them."""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from core.compiled import bind
from core.constants import GRAVITY
from core.plants.biped.model import LEFT, RIGHT, RobotModel
from core.plants.biped.walk import pendulum
from core.plants.biped.walk.balance import StandingBalance, Support, Target, support_of
from core.plants.biped.walk.body import HEIGHT, BodyPosture, turn_body
from core.plants.biped.walk.footstep import Walking, sway_lead
from core.plants.biped.walk.force import ForceObserver
from core.plants.biped.walk.hop import Hop
from core.plants.biped.walk.kernels import (
    advance_swing,
    follow_command,
    follow_height,
    move_pressure,
    observe,
    share_load,
)
from core.plants.biped.walk.learning import GaitLearning
from core.plants.biped.walk.pull import PullObserver
from core.plants.biped.walk.records import gait_record, walk_memory
from core.plants.biped.walk.reference import LegReference, Phase
from core.plants.biped.walk.stance import STANCE_SHARE
from core.plants.biped.walk.swaying import Swaying, is_calm
from core.plants.interface import Step, Sway, SwayRoom
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats
from shows.gaits import Jump

SETTLING_STEPS = 1  # steps in place before the robot stands again
SETTLE_ACROSS = 0.8  # of the way from the middle to a foot, within which steps end
CLOSING_REACH = 0.75  # share of the feet's reach along, within which the stance may close
RECOVERY_STEPS = 6  # of a robot that catches itself; then it steps as in a walk
QUICK_SHARE = 0.6  # of the usual shift, enough before a quick step
WIDE_SHIFT_S = 0.12  # longest extra shift before a quick step from a stance wider than its steps
LATE_S = 0.01  # expected time to the landing of a late foot [s]
EARLY_SHARE = 0.9  # after a later touch the step continues to its end
USUAL_LEAD_S = 0.05  # a step is shortened by the lead of the sway beyond this
LEFT_BEHIND = 0.3  # of the way from the middle to the other foot, where the weight still is
LIGHT_S = 0.3  # after the last landing, in which the other foot may carry little; it did for 0.15 s
LANDING_S = 0.1  # after a landing, in which an observed force is the landing's
LEARNING_S = 0.03  # after lift-off, until the weight is surely on one foot
RESTS = 0.06  # speed of the CoM, below which it learns its bias [m/s]
RISEN = 0.03  # to the height of standing: before, people hold the robot [m]
NEAR = 0.01  # to the height at which the robot steps [m]
RISE_GAIN, RISE_M_S2 = 4.0, 0.5  # of the height: pole [1/s] and acceleration
LOWERING_GAIN, LOWERING_M_S2 = 10.0, 4.0  # of a robot that catches itself
RISES = 0.01  # rate of the height, above which the robot still rises [m/s]
SIDE_SIGN = (1.0, -1.0)  # y of the left and of the right foot


def wrapped(angle: float) -> float:
    """Return an angle in [-pi, pi) [rad]."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


class Walker:
    """Owns the gait: phase, feet, step timing and the body's reference.

    Attributes:
        reference: of legs and body, overwritten by `update`.
        gait: see `gait_record`.
        memory: see `walk_memory`.
        swaying: sway or squat over standing feet.
        stepping_allowed: it may step.
        last_foot: index of the foot after whose landing it stands; -1: either.
        ready: it stands at the height at which it steps.
        step_asked: a step that begins at once, if the robot stands; each object begins one.
        velocity: the rate-limited command that is being walked (3) [m/s, m/s, rad/s].
        steps: steps taken since the start.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        biped, dt = profile.as_biped, profile.tick_s
        self._robot = model
        self._gait, self._adaptation = biped.gait, biped.adaptation
        self._loaded_force = biped.estimator.contact_on_force
        gait, balance = biped.gait, biped.balance
        stall = profile.actuator_column("stall_torque")
        legs = {contact.limb for contact in profile.contacts}
        ankles = [
            i
            for i, joint in enumerate(profile.joints.rows)
            if joint.limb in legs and joint.role == biped.ankle_role
        ]
        ankle_torque = biped.constraints.torque_fraction * float(stall[ankles].sum())
        reach = ankle_torque / (model.mass * GRAVITY)
        foresight_s = biped.pushed.foresight_s if biped.pushed is not None else 0.0
        self._dt = dt
        largest = [gait.max_speed_forward, gait.max_speed_sideways, gait.max_yaw_rate]
        rates = np.array([gait.acceleration, gait.acceleration, gait.yaw_acceleration])
        self._limits: Floats = np.array([largest, rates * dt])
        self.memory = walk_memory()
        memory = {name: self.memory[name][0] for name in self.memory.dtype.names or ()}
        bias = memory["bias"]
        self._balance = StandingBalance(balance, profile.contacts[0], reach, foresight_s, bias)
        along = CLOSING_REACH * min(-self._balance.heel, self._balance.toe)
        self.gait = gait_record(biped, min(along, balance.settle_along))
        self._loaded_since_s: Floats = memory["loaded_since_s"]
        self._lift_off: Floats = memory["lift_off"]
        self._target: Floats = memory["target"]
        self._offset: Floats = memory["offset"]
        self._lever: Floats = memory["lever"]
        self._u: Floats = memory["velocity"]
        self._believes: Floats = memory["believes"]
        self._width: Floats = memory["step_width"]
        self._closes: Floats = memory["closes"]
        self._closed: Floats = memory["closed"]
        self._expected_push: Floats = memory["expected_push"]
        self.velocity: Floats = memory["command"]
        span = balance.stand_height - balance.crouch_height
        self._fastest_rise = 1.5 * span / balance.rise_s
        self.stepping_allowed = True
        self.last_foot = -1
        self.reference = LegReference()
        numbers, step, targets = self.gait, self.memory, self.reference.record
        self._share_load = bind(share_load, numbers, step, targets)
        self._observe = bind(observe, numbers, step, model.body, model.feet, targets)
        self._move_pressure = bind(move_pressure, numbers, step, model.body, targets)
        self._advance_swing = bind(advance_swing, numbers, step, model.feet, targets)
        self.steps = 0
        self._stance = LEFT
        self._phase_start_s = 0.0
        self._yaw = 0.0
        self._lift_off_yaw = 0.0
        self._lifted = False
        self._lift_s = 0.0
        self._quick_steps = 0
        self._recovery_steps = 0
        self._walked = False
        self._step_s = gait.step_s
        self._learned = GaitLearning(profile, model, self.memory)
        self._still_steps = 0
        self.ready = False
        self.step_asked: Step | None = None
        self._step_taken: Step | None = None
        self._body = BodyPosture(profile.body, dt)
        self._turn_body = bind(turn_body, self._body.motion, targets)
        self.swaying = Swaying(biped.sway, profile.body, self._body.motion, dt)
        self.hop = Hop(biped.hopping, biped.gaits.jump)
        self._pull = PullObserver(biped.guided, model.body, bias, dt)
        self._pushed = biped.pushed
        push = memory["push"]
        self.force = ForceObserver(biped.pushed, model.body, model.feet, push, bias, dt)
        self._expected_s = self._step_s
        self._stand_height = self._height = self._pendulum_m = balance.stand_height
        self._height_rate = 0.0

    @property
    def body_motion(self) -> Floats:
        """The motion of the body over the feet (3, 6), see `BodyPosture.motion`."""
        return self._body.motion

    @property
    def upright(self) -> tuple[float, float, float, float, float, float]:
        """Where the body is without its motion, in the coordinates of `Ground.body`."""
        lean, height = self._learned.lean, self._height + self._learned.height.shift
        return lean.roll, lean.pitch, self._yaw, height, 0.0, self._balance.middle

    @property
    def footstep(self) -> tuple[float, float, float, float] | None:
        """Where the swing foot shall land: x, y, z [m] and yaw [rad]; None while none swings."""
        if self.reference.swing_side < 0:
            return None
        x, y, z = self._target.tolist()
        return x, y, z, self._yaw

    def sway_room(self, model: RobotModel) -> SwayRoom:
        """Return where the pressure under the feet can go."""
        room = self._balance.room(model, self._pendulum_m)
        left = self._step_left(support_of(model).half_distance)
        return replace(room, step_left=left, load_s=self._gait.load_s)

    def start(self, now_s: float, model: RobotModel) -> None:
        """Stand where the robot is."""
        self._learned.forget()
        self._body.reset()
        self.swaying.reset()
        self.hop.reset()
        self.force.start()
        self._enter_stand(now_s)
        self._yaw = support_of(model).yaw
        self._height = model.height - 0.5 * (model.left_sole_height + model.right_sole_height)
        self._height_rate = 0.0
        self.reference.height = self._height
        self.reference.height_rate = 0.0
        self._loaded_since_s[:] = now_s - 10.0
        self.velocity[:] = 0.0

    def turn(self, angle: float) -> None:
        """Follow an estimate whose heading was corrected by an angle [rad]."""
        self._yaw = wrapped(self._yaw + angle)

    def update(
        self,
        now_s: float,
        state: State,
        model: RobotModel,
        command: Floats,
        height: float,
        step_in_place: bool = False,
        posture: Floats | None = None,
        guided: bool = False,
        sway: Sway | None = None,
        jump: Jump | None = None,
        limb: Floats | None = None,
    ) -> LegReference:
        """Advance to `now_s` and return the reference.

        Args:
            now_s: the tick's time [s].
            state: the estimated state.
            model: dynamics and kinematics at that state.
            command: desired mean velocity forward, to the left, and yaw rate (3).
            height: the desired CoM height [m].
            step_in_place: keep stepping when the command is zero.
            posture: lowering of the CoM [m], and roll, pitch and yaw of the body (4) [rad], that a
                robot takes which does not step; None: upright.
            guided: a person moves its limbs, and may pull at the robot.
            sway: sine of the body over standing feet; None ends the present one.
            jump: jumps in place; None ends the present ones.
            limb: reference of the body as a limb (3, 6), which its owner overwrites, to be followed
                as far as the robot stands and nobody pushes it; None: it fades out.
        """
        moves = follow_command(command, self._limits, self.velocity)
        self._walked = self._walked or moves
        reference, body = self.reference, self._body
        stands = reference.phase is Phase.STAND and not (step_in_place or moves)
        jumps = jump is not None or self.hop.jumps
        # Over the middle of its feet the robot answers best to a push.
        body.follow(posture, None if self.pushed else limb, stands and not jumps)
        # A robot that settles, or may not step, does not rise to the height at which it steps.
        steps = self.ready or not stands
        steps = steps and self.stepping_allowed and height == self._stand_height
        aim = self._gait.height if steps else height
        if self._pushed is not None and self._recovers:
            aim = self._pushed.height  # long steps need legs that are not straight
        self._follow_height(aim)
        self._pendulum_m = self._height - (model.height - model.com_height)
        self._watch_push(model)
        self._follow_sway(now_s, sway, stands)
        if jumps:
            self._follow_jump(now_s, jump, state, stands)
        reference.ground_height = 0.5 * (model.left_sole_height + model.right_sole_height)
        level = self._risen and abs(self._height_rate) < RISES
        if reference.phase is Phase.STAND and level and not self.hop.active:
            self._learned.height.learn(reference.height - model.height + reference.ground_height)
        reference.height += self._learned.height.shift
        moving = step_in_place or moves
        if guided and reference.phase is Phase.STAND:
            self._watch_pull(model)
        elif self._pull.active:
            self._pull.rest()
        if self.step_asked is not self._step_taken:
            self._step_at_once(now_s, model)
        if reference.phase is Phase.STAND:
            upright = not (body.bent or self.swaying.motion.active or self._rises)
            self._stand(now_s, model, moving and self.stepping_allowed and upright)
        elif reference.phase is Phase.SHIFT:
            if self._quick_steps or (moving and self.stepping_allowed):
                self._shift(now_s, model)
            else:
                self._enter_stand(now_s)
                self._stand(now_s, model, False)
        if reference.phase is Phase.STEP:
            self._step(now_s, state, model, moving)
        if reference.phase is not Phase.STAND or now_s - self._phase_start_s > LIGHT_S:
            reference.full_load[:] = 0.0
        self._share_load(now_s, reference.swing_side, reference.stance_side)
        if self.hop.flies:
            reference.load_limit[:] = 0.0
            self._loaded_since_s[:] = now_s
        rpy = reference.torso_rpy
        lean = self._learned.lean
        rpy[0], rpy[1], rpy[2] = lean.roll, lean.pitch, self._yaw
        if body.active:
            self._turn_body()
        else:
            reference.torso_turn.fill(0.0)
        return reference

    @property
    def _risen(self) -> bool:
        """Whether the robot is about as high as it stands, so that nobody holds it any more."""
        heights = (self._stand_height, self._gait.height) if self.ready else (self._stand_height,)
        return any(abs(self._height - height) < RISEN for height in heights)

    @property
    def _rises(self) -> bool:
        """Whether the robot is still far from the height at which it steps."""
        if self._gait.height == self._stand_height:
            return False
        return abs(self._height - self._gait.height) > NEAR

    @property
    def _recovers(self) -> bool:
        """Whether the robot steps to catch itself."""
        return self._recovery_steps > 0

    @property
    def pushed(self) -> bool:
        """Whether somebody pushes the robot, so that friction and noise do not explain it."""
        return bool(self.force.offset.any())

    def _follow_sway(self, now_s: float, wanted: Sway | None, stands: bool) -> None:
        """Follow a sway, which ends when the robot begins to step."""
        swaying, reference = self.swaying, self.reference
        if reference.phase is not Phase.STAND:
            swaying.cut()
        calm = wanted is not None and abs(self._height_rate) < RISES and is_calm(self._robot)
        swaying.follow(now_s, wanted, stands, calm)
        motion = swaying.motion
        height, rate, acceleration = self._body.motion[:, HEIGHT].tolist()
        reference.height = self._height + motion.offset[2] + height
        reference.height_rate = self._height_rate + motion.velocity[2] + rate
        reference.height_acceleration = motion.acceleration[2] + acceleration

    def _follow_jump(self, now_s: float, jump: Jump | None, state: State, stands: bool) -> None:
        """Jump in place, if the robot stands calmly; a jump is finished before anything else."""
        hop, reference = self.hop, self.reference
        calm = stands and reference.phase is Phase.STAND and abs(self._height_rate) < RISES
        moves = self._body.bent or self.swaying.motion.active
        calm = calm and not moves and is_calm(self._robot)
        hop.follow(now_s, jump if stands else None, calm, state.contact)
        (height, rate, acceleration), lift = hop.height.tolist(), hop.lift
        reference.lift[:] = lift
        # The height counts from the soles, which are in the air in a flight.
        reference.height += height - float(lift[0])
        reference.height_rate += rate - float(lift[1])
        reference.height_acceleration += acceleration

    @property
    def _shifted(self) -> float:
        """Where, across the support, the capture point of a periodic step is at its start."""
        omega = pendulum.natural_frequency(self._pendulum_m)
        return math.tanh(0.5 * omega * self._gait.step_s)

    def _follow_height(self, height: float) -> None:
        fastest, change, gain = self._fastest_rise, RISE_M_S2, RISE_GAIN
        if self._pushed is not None and self._recovers:
            fastest, change, gain = self._pushed.lowering_m_s, LOWERING_M_S2, LOWERING_GAIN
        self._height, self._height_rate = follow_height(
            height,
            self._height,
            self._height_rate,
            fastest,
            change * self._dt,
            gain,
            self._dt,
        )

    def _watch_push(self, model: RobotModel) -> None:
        """Learn the force of a push; contact forces of a jump tell nothing of it."""
        if self.hop.active:
            self.force.forget()
        else:
            phase = self.reference.phase
            stands = phase is Phase.STAND and not self._pull.active and self._risen
            speed = math.hypot(*model.com_velocity.tolist())
            rests = abs(self._height_rate) < RISES and speed < RESTS
            omega = pendulum.natural_frequency(self._pendulum_m)
            self.force.watch(model.mass, omega, self._yaw, stands, rests, phase is Phase.STEP)

    def _watch_pull(self, model: RobotModel) -> None:
        """Learn how a person pulls; the robot waits where it can answer to all sides alike."""
        middle, (x, y) = self._balance.middle, support_of(model).forward
        self._pull.watch(pendulum.natural_frequency(self._pendulum_m), middle * x, middle * y)

    # -- standing ---------------------------------------------------------------------------

    def _enter_stand(self, now_s: float) -> None:
        self.reference.phase = Phase.STAND
        self.reference.swing_side = -1
        self.reference.stance_side = -1
        self._phase_start_s = now_s
        self._still_steps = 0
        self._quick_steps = 0
        self._recovery_steps = 0
        self._width[0] = self._gait.step_width
        self._walked = False
        self._expected_push[:] = 0.0
        self._learned.reset()
        self.reference.pressure[:] = 0.0
        self.reference.full_load[:] = 0.0

    def _stand(self, now_s: float, model: RobotModel, moving: bool) -> None:
        reference = self.reference
        out, pull = reference.com_acceleration, self._pull
        offset = lean = (0.0, 0.0)
        if pull.active:
            feet = support_of(model)
            offset, lean = (feet.parts(*vector.tolist()) for vector in (pull.offset, pull.lean))
        elif self.pushed:
            feet = support_of(model)
            offset = feet.parts(*self.force.offset.tolist())
        target = Target(*lean)
        omega = pendulum.natural_frequency(self._pendulum_m)
        if self.swaying.leads:
            feet = support_of(model)
            capture = self._balance.capture_point(model, feet, omega)
            moves = self._body.active
            alone = not (pull.active or self.pushed)
            target = self.swaying.target(feet, omega, target, capture, alone, moves)
        support = self._balance.acceleration(model, self._pendulum_m, target, out, offset)
        if pull.active:
            pull.asked(out)
        self._yaw += 2.0 * self._dt * wrapped(support.yaw - self._yaw)
        reference.torso_yaw_rate = 0.0
        along, across = self._balance.capture_point(model, support, omega)
        # Leaning against a pull is no reason to step, nor is a pull that the lean will answer.
        must_step = partial(self._balance.must_step, support)
        if pull.active:
            falls = must_step(along, across) and must_step(along + offset[0], across + offset[1])
        elif self.force.settles:
            # Every force is the robot's own, and not learned yet; people have just let go.
            own = support.parts(*self.force.raw.tolist())
            falls = self._balance.is_outside(support, along + own[0], across + own[1])
        else:
            # A foot that has just landed bears a force that nobody has planned.
            landed_s = float(self._loaded_since_s.max())
            felt = offset if now_s - landed_s > LANDING_S else (0.0, 0.0)
            falls = must_step(*self._balance.foreseen(support, along, across, felt, omega))
        if falls:
            self.swaying.cut()
        if self.hop.active:
            return
        if self.stepping_allowed and falls:
            if pull.active and self._pushed is None:
                self._expect_pull(pull.offset)
            # The foot toward which the robot falls has the weight already; the other is free.
            self._stance = LEFT if across > 0.0 else RIGHT
            self._begin_recovery()
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

    def _begin_recovery(self) -> None:
        """Let the first steps be quick, and all be wide until the robot stands or walks on."""
        self._quick_steps = self._gait.quick_steps
        self._recovery_steps = RECOVERY_STEPS
        if self._pushed is not None:
            self._width[0] = self._pushed.step_width
            self._expected_push[:] = self._pushed.step_share * self.force.offset

    def _expect_pull(self, offset: Floats) -> None:
        """Let steps begin with what standing has found of a pull (2) [m]."""
        cos, sin = math.cos(self._yaw), math.sin(self._yaw)
        x, y = offset.tolist()
        limit = self._adaptation.largest_offset
        self._offset[:, 0] = min(limit, max(-limit, cos * x + sin * y))
        self._offset[:, 1] = min(limit, max(-limit, cos * y - sin * x))

    def _shift(self, now_s: float, model: RobotModel) -> None:
        """Bring the capture point to where a periodic step would have it at its start."""
        gait, reference = self._gait, self.reference
        omega = pendulum.natural_frequency(self._pendulum_m)
        elapsed = now_s - self._phase_start_s
        start = self._shifted
        share = min(1.0, elapsed / gait.shift_s)
        patience_s = 2.5 * gait.shift_s
        if self._quick_steps:
            share, start, patience_s = 1.0, QUICK_SHARE * start, gait.quick_shift_s
        target = Target(0.0, 1.1 * self._shifted * share * SIDE_SIGN[self._stance])
        support = self._balance.acceleration(
            model, self._pendulum_m, target, reference.com_acceleration
        )
        _, across = self._balance.capture_point(model, support, omega)
        over = across * SIDE_SIGN[self._stance]
        begins = over > start or elapsed > patience_s
        if self._quick_steps and elapsed < WIDE_SHIFT_S:
            # From a stance that is too wide a step would throw the robot beyond its other foot.
            lever = (1.0 - max(0.0, over)) * support.half_distance
            begins = begins and lever <= 0.5 * float(self._width[0])
        if begins:
            self._begin_step(now_s, model)

    # -- stepping ---------------------------------------------------------------------------

    def _step_at_once(self, now_s: float, model: RobotModel) -> None:
        """Begin the step that is asked for, if the robot stands and has its weight over."""
        step = self._step_taken = self.step_asked
        stands = self.reference.phase is Phase.STAND and not (self._rises or self.hop.active)
        if step is None or not stands or not self.stepping_allowed:
            return
        stance = 1 - step.foot
        omega, support = pendulum.natural_frequency(self._pendulum_m), support_of(model)
        _, across = self._balance.capture_point(model, support, omega)
        over = across * SIDE_SIGN[stance] * support.half_distance
        if over > QUICK_SHARE * self._step_left(support.half_distance):
            self._stance = stance
            self.swaying.cut()
            self._begin_step(now_s, model)

    def _step_left(self, half_distance: float) -> float:
        """Return where, from the middle, a step has the capture point when it begins [m].

        It is as far from the stance foot as in a periodic gait, whatever the stance is.

        Args:
            half_distance: of the feet from the middle [m].
        """
        return max(0.0, half_distance - (1.0 - self._shifted) * 0.5 * self._gait.step_width)

    def _begin_step(self, now_s: float, model: RobotModel) -> None:
        """Begin a step: the weight goes over to the stance foot."""
        self.reference.phase = Phase.STEP
        self.reference.stance_side = self._stance
        self._phase_start_s = now_s
        self._lifted = False
        self._step_s = self._gait.quick_step_s if self._quick_steps else self._gait.step_s
        self._expected_s = self._step_s * self._learned.punctuality.share
        self._quick_steps = max(0, self._quick_steps - 1)
        sole = model.soles[self._stance]
        pendulum.effective_velocity(model.com, sole, model.momentum, self._scale(model), self._u)

    def _lift(self, now_s: float, model: RobotModel) -> None:
        """Let the foot opposite the stance leave the ground."""
        swing = 1 - self._stance
        self.reference.swing_side = swing
        self._lifted = True
        self._lift_s = now_s
        self._closed[0] = 0.0
        self._lift_off[:] = self._target[:] = model.soles[swing]
        rotation = model.sole_rotations[swing]
        self._lift_off_yaw = math.atan2(float(rotation[1, 0]), float(rotation[0, 0]))

    def _hurry(self, omega: float, left_s: float) -> None:
        """Shorten a step in which the robot sways over much too soon.

        After a foot has met a bump early, or a push, the weight comes back sooner: at the usual
        time the next foot would have to go far out, and the one after it farther still.
        """
        forward, left = (self.velocity[:2] + self._learned.speed.correction).tolist()
        lead_s = sway_lead(
            float(self._width[0]),
            Walking(forward, left, self._gait.step_s, omega),
            SIDE_SIGN[1 - self._stance],
            self._to_the_left(self._lever),
            self._to_the_left(self._u),
            left_s + self._gait.transfer_s,
        )
        if lead_s > USUAL_LEAD_S:
            quick_s = min(self._step_s, self._gait.quick_step_s)
            self._step_s = max(quick_s, self._step_s - (lead_s - USUAL_LEAD_S))
            self._expected_s = self._step_s * self._learned.punctuality.share

    def _to_the_left(self, vector: Floats) -> float:
        """Return a horizontal vector's part to the left of the heading."""
        x, y = float(vector[0]), float(vector[1])
        return math.cos(self._yaw) * y - math.sin(self._yaw) * x

    def _scale(self, model: RobotModel) -> float:
        """Return 1 / (m h), which makes effective velocities of momenta [1/(kg·m)]."""
        return 1.0 / (model.mass * self._pendulum_m)

    def _step(self, now_s: float, state: State, model: RobotModel, moving: bool) -> None:
        gait, reference = self._gait, self.reference
        elapsed = now_s - self._phase_start_s
        yaw_rate = float(self.velocity[2])
        self._yaw = wrapped(self._yaw + yaw_rate * self._dt)
        reference.torso_yaw_rate = yaw_rate
        self._learned.watch(self.velocity, state.tau)
        omega = pendulum.natural_frequency(self._pendulum_m)
        share = self._learned.unrest.believes(math.hypot(*self.force.raw.tolist()), self._dt)
        self._believes[0] = 1.0 if self._recovers else share
        self._observe(
            self._stance,
            self._scale(model),
            self._yaw,
            omega,
            self._dt,
            self._lifted and now_s - self._lift_s > LEARNING_S,
        )
        left_s = self._expected_s - elapsed
        if not self._lifted and elapsed >= gait.load_s:
            self._lift(now_s, model)
            self._hurry(omega, left_s)
            left_s = self._expected_s - elapsed
        until_s = max(left_s, 0.0) + gait.transfer_s
        self._move_pressure(self._yaw, omega, self._expected_s, until_s)
        if not self._lifted:
            return
        self._swing(now_s, model, omega, left_s, moving)
        if elapsed > gait.max_step_fraction * self._step_s or self._landed(elapsed, state, model):
            self._touch_down(now_s, model, moving)

    def _landed(self, elapsed: float, state: State, model: RobotModel) -> bool:
        """Tell whether the swing foot stands: it touches, in time, and met no edge."""
        side, share = self.reference.swing_side, elapsed / self._step_s
        if not state.contact[side]:
            return False
        if share >= 1.0:
            return True
        high = float(model.soles[side, 2] - self._target[2]) > self._gait.stumble_height
        return self._gait.min_step_fraction < share < EARLY_SHARE and not high

    def _swing(
        self, now_s: float, model: RobotModel, omega: float, left_s: float, moving: bool
    ) -> None:
        """Place the next footstep, and move the swing foot toward it."""
        gait, reference = self._gait, self.reference
        elapsed = now_s - self._lift_s
        duration = self._step_s - gait.load_s
        ends = not moving and self._may_end(1 - self._stance, self._still_steps + 1)
        self._closes[0] = 1.0 if ends and not self._walked else 0.0
        self._advance_swing(
            self._stance,
            left_s > gait.freeze_s or left_s < 0.0,  # later than expected: follow the fall
            self._yaw,
            max(left_s, LATE_S) + gait.transfer_s,
            gait.step_s * self._learned.punctuality.share,
            omega,
            elapsed,
            duration,
        )
        turn = wrapped(self._yaw - self._lift_off_yaw)
        share = min(1.0, elapsed / duration)
        reference.swing_turn[0] = self._lift_off_yaw + share * turn
        reference.swing_turn[1] = turn / duration if share < 1.0 else 0.0

    def _touch_down(self, now_s: float, model: RobotModel, moving: bool) -> None:
        """Change the stance; stand if nothing keeps the robot stepping."""
        landed = self.reference.swing_side
        self.steps += 1
        self._recovery_steps = max(0, self._recovery_steps - 1)
        self._loaded_since_s[landed] = now_s
        self._stance = landed
        self.reference.swing_side = -1
        share = (now_s - self._phase_start_s) / self._step_s
        turning = float(self.velocity[2])
        self._learned.touch_down(now_s, landed, self._yaw, share, turning, self._recovers, moving)
        self._still_steps = 0 if moving else self._still_steps + 1
        if moving and not self._recovers:
            self._width[0] = self._gait.step_width
        omega = pendulum.natural_frequency(self._pendulum_m)
        support = support_of(model)
        along, across = self._balance.capture_point(model, support, omega)
        may_stand = self._may_stand(support, along, across)
        if may_stand and self._may_end(landed, self._still_steps):
            self._enter_stand(now_s)
            self.reference.full_load[1 - landed] = self._loaded_force
            return
        if self._closed[0]:
            # The weight may still be on the other foot, and the robot falls toward that.
            if across * SIDE_SIGN[landed] < -LEFT_BEHIND:
                self._stance = 1 - landed
        self._begin_step(now_s, model)

    def _may_end(self, foot: int, still_steps: int) -> bool:
        """Tell whether the steps may end with a landing of a foot, after steps in place."""
        return still_steps > SETTLING_STEPS and self.last_foot in (-1, foot)

    def _may_stand(self, support: Support, along: float, across: float) -> bool:
        """Tell whether standing balance can catch the robot with its capture point there."""
        spread, balance = support.half_span, self._balance.settings
        staggered = abs(spread[0] * support.forward[0] + spread[1] * support.forward[1])
        half = 0.5 * float(self._width[0])
        steady = abs(support.half_distance - half) < STANCE_SHARE * half
        settled = abs(along) < balance.settle_along and abs(across) < SETTLE_ACROSS
        return settled and staggered < balance.settle_stagger and steady
