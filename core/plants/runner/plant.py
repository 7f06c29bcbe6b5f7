"""A running biped behind the plant's seam: estimation, planning and joint positions."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.constants import GRAVITY
from core.link.statement import Statement
from core.plants.biped.ground import Ground
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import StateEstimator, tilt_of
from core.plants.biped.sense.trust import is_believable
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.dynamics_filter.plan import sole_of
from core.plants.dynamics_filter.score import BOTH, Kind
from core.plants.dynamics_filter.strider import Strider
from core.plants.interface import GroundView, PlantFacts, Solution, Step, SwayRoom, Wanted
from core.plants.limits import damping
from core.plants.runner.feedback import Feedback
from core.plants.runner.heading import HeadingHold
from core.plants.runner.lead import BodyLead
from core.plants.runner.orders import GaitChoice
from core.plants.runner.reference import BodyReference
from core.record.tape import Row
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Bools, Floats, JointCommand, Sample, Support

RISEN_ERROR = 0.006  # of the height, when standing up is complete [m]
SETTLED_ERROR = 0.010  # of the height, when the crouch is reached [m]
LIFT_S = 0.004  # after the begin of a flight, when its speed is measured
TOUCH_S = 0.06  # before a planned landing, from which on a touch may be a landing
Places: TypeAlias = npt.NDArray[np.intp]


class RunnerPlant:
    """A biped with position servos; see `core.plants.interface.Plant`.

    A servo takes the feed-forward torque as an offset of its position, torque / stiffness.

    Attributes:
        model: dynamics and kinematics at the newest estimate.
        estimator: owns the state.
        strider: owns the plan.
        reference: owns the reference of the whole body.
        feedback: owns the errors of the body.
        lead: owns the motion of the standing body beside the plan.
    """

    walks = True
    chooses_foot = False
    sways = False

    def __init__(self, profile: Profile, support: Support) -> None:
        runner = profile.as_runner
        self.support = support
        self.can_step = True
        self.model = RobotModel(profile)
        self.estimator = StateEstimator(profile, self.model)
        self._sole = sole_of(profile)
        self.strider = Strider(runner.strides, self._sole)
        self.reference = BodyReference(profile, runner.follow)
        self.feedback = Feedback(
            runner.follow,
            self.model,
            self.estimator.state,
            self.reference.model,
            self.reference.state,
            profile.tick_s,
        )
        self.lead = BodyLead(profile.tick_s)
        self._ground = Ground(profile, self.model, self.reference.forces)
        self.solution = Solution()
        self.newest_command = JointCommand.zeros(len(profile.joint_names))
        self.loads_kg: Mapping[str, float] = {}
        self._runner, self._tick_s = runner, profile.tick_s
        self._patience_s = profile.health.solver_patience_s
        self._orders = GaitChoice(runner, profile.tick_s)
        self._heading = HeadingHold(runner.follow, profile.tick_s)
        self._behaviour = np.array(profile.behaviour_joints, dtype=np.intp)
        self._upper_rows = _rows_of(self._behaviour, self.model.upper_joints)
        self._kp, self._kd = profile.column("kp"), profile.column("kd")
        self._by_position = np.array(profile.position_servos)
        self._stall = profile.actuator_column("stall_torque")
        self._torque_limit = self._stall.copy()
        self._upper: Floats = np.zeros((3, self.model.upper_joints.size))
        self._facts = PlantFacts()
        self._balances, self._has_body = False, profile.body is not None
        self._lift_s = math.inf
        self._step: Step | None = None
        self._foot = -1  # that shall be lifted, and is not yet

    # -- facts ------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The newest estimate."""
        return self.estimator.state

    @property
    def stands(self) -> bool:
        """Both feet stand, and no step is planned."""
        return self.strider.stands

    @property
    def steps(self) -> bool:
        """A foot is in the air, or about to be."""
        return not self.strider.stands

    @property
    def jumps(self) -> bool:
        """A jump is requested that the robot has not finished."""
        return self._orders.jump is not None and self.strider.order.gait is Gait.JUMP

    def estimate(self, sample: Sample, limp: bool) -> None:
        """Update state and model; the tilt of a limp robot comes from gravity."""
        estimator = self.estimator
        self.model.update(estimator.rest(sample) if limp else estimator.update(sample))

    def facts(self, sample: Sample, driven: bool, elapsed_s: float) -> PlantFacts:
        """Return the facts of this tick; the next call overwrites them."""
        facts, model, strider = self._facts, self.model, self.strider
        state, heights = self.estimator.state, self._runner.strides.heights
        left, right = model.left_sole_height, model.right_sole_height
        facts.tilt_rad = tilt_rad = tilt_of(state)
        facts.base_height_m = float(state.position_base_in_world[2]) - min(left, right)
        facts.finite = model.finite and math.isfinite(tilt_rad)
        biases = self.estimator.filter.biases
        facts.sure = not driven or is_believable(
            sample.contacts, model.soles, model.sole_rotations, biases
        )
        facts.unsolved_s = self.reference.unsolved * self._tick_s
        facts.stepping = driven and not strider.stands
        facts.borne = any(self.estimator.contact.loaded.tolist())
        height = float(strider.reference.com[0, 2])
        calm = strider.stands and abs(float(strider.reference.com[1, 2])) < 1e-3
        facts.risen = calm and abs(height - heights.stand) < RISEN_ERROR
        facts.settled = calm and height < heights.crouch + SETTLED_ERROR
        return facts

    # -- motion -----------------------------------------------------------------------------

    def start(self, now_s: float) -> None:
        """Begin to stand up from where the robot is."""
        left, right, com = self.reference.start(self.estimator.state)
        self.strider.start(now_s, left, right, com)
        self.feedback.reset()
        self.lead.reset()
        self._orders.reset()
        self._foot = -1
        self._torque_limit[:] = self._stall
        self._lift_s = math.inf

    def know_place(self) -> None:
        """Do nothing: the estimated place is not corrected."""

    def put_back(self) -> None:
        """Forget the place of a robot that was put back where it started."""
        self.estimator.put_back()

    def command(self, now_s: float, wanted: Wanted) -> JointCommand | None:
        """Return the command; None once no reference was found for too long."""
        strider, feedback, upper = self.strider, self.feedback, wanted.upper
        strider.ask(self._choose(wanted))
        self._follow_limb(wanted)
        loaded = self.estimator.contact.loaded
        self._watch_feet(now_s, loaded)
        strider.velocity_offset[:] = feedback.velocity_offset
        plan = strider.update(now_s)
        rows = self._upper_rows
        self._upper[0], self._upper[1] = upper.q[rows], upper.dq[rows]
        self._upper[2] = upper.ddq[rows]
        landings_s, lift_off_s = strider.landings_s(), strider.lift_off_s()
        feedback.update(now_s, plan, landings_s, lift_off_s, loaded)
        lead = self.lead.motion if self.lead.active else None
        self.reference.update(plan, self._upper, feedback.sink, lead)
        if self.reference.unsolved * self._tick_s > self._patience_s:
            return None
        self._balances = True
        self._write(wanted)
        return self.newest_command

    def _choose(self, wanted: Wanted) -> GaitOrder:
        """Return the order of a request; an equal one stays the same object."""
        steps = self.strider.order.gait in (Gait.WALK, Gait.RUN)
        yaw, landings = float(self.state.rpy[2]), self.strider.landings
        self._heading.update(yaw, self._orders.yaw_rate, landings, steps)
        self._watch_step(wanted.step if wanted.may_step else None)
        return self._orders.choose(
            wanted.velocity,
            wanted.step_in_place or self._foot >= 0,
            wanted.stepping,
            wanted.jump,
            self.can_step and wanted.may_step,
            wanted.settles,
            self._heading.turn,
            self._foot,
        )

    def _watch_step(self, asked: Step | None) -> None:
        """Take a request to step, and end it once the foot is lifted or cannot be."""
        strider = self.strider
        if self._foot >= 0:
            lifted = not strider.reference.support >> self._foot & 1
            if lifted or strider.refused:
                self._foot = -1
        if asked is not None and asked is not self._step:
            self._foot = asked.foot if strider.stands else -1
        self._step = asked

    def _follow_limb(self, wanted: Wanted) -> None:
        """Let the body follow its limb while the robot stands; a step begins from its shift."""
        strider, lead, limb = self.strider, self.lead, wanted.upper.body
        stays = strider.stands and strider.order.gait is Gait.STAND
        lead.follow(limb if wanted.acts and stays and limb.size else None)
        if lead.active and not stays:
            strider.displace(lead.give_shift(strider.reference.heading))

    def _watch_feet(self, now_s: float, loaded: Bools) -> None:
        """Tell the strider of an early touchdown, and of the speed of a lift-off."""
        strider, follow = self.strider, self._runner.follow
        plan = strider.plan
        phase = plan.score.phases[plan.score.index_at(now_s)]
        flies = phase.kind is Kind.FLIGHT
        if not flies:
            self._lift_s = math.inf
        elif self._lift_s == math.inf:
            self._lift_s = now_s
        if phase.support == BOTH:
            return
        since_s = now_s - self._lift_s
        if phase.gait is Gait.JUMP:
            return
        if flies and LIFT_S <= since_s < math.inf and not any(loaded.tolist()):
            self._lift_s = -math.inf  # once a flight
            measured, planned = self.model.com_rise, float(strider.reference.com[1, 2])
            strider.lifted(now_s, follow.lift_off_share * (measured - planned))
        if follow.early_s < phase.end_s - now_s < TOUCH_S:
            for foot in (0, 1):
                lands = plan.score.in_air(foot, now_s)
                due = lands and plan.score.steps[lands].land_s <= phase.end_s
                off, high = self.feedback.off_ground[foot], self.feedback.high[foot] > 0.0
                if due and loaded[foot] and off and not high:
                    strider.land_now(now_s)
                    return

    def _write(self, wanted: Wanted) -> None:
        """Write the command from the reference."""
        command, state, upper = self.newest_command, self.reference.state, wanted.upper
        count = self.model.joint_count
        command.q[self._behaviour], command.dq[self._behaviour] = upper.q, upper.dq
        legs = self.reference.legs
        command.q[legs], command.dq[legs] = state.q[legs], state.dq[legs]
        command.tau[:] = 0.0
        limit = self._torque_limit
        np.clip(self.reference.torques, -limit[:count], limit[:count], out=command.tau[:count])
        command.kp[:], command.kd[:] = self._kp, self._kd
        self.feedback.level_ankles(command.q)
        servo = self._by_position
        command.q[servo] += command.tau[servo] / self._kp[servo]
        command.tau[servo] = 0.0

    def tell_loads(self, loads_kg: Mapping[str, float] | None) -> None:
        """Do nothing: loads in the hands are not estimated."""

    def rest(self) -> None:
        """Make `newest_command` the command of a damped robot."""
        damping(self.newest_command, self._kd)
        self._balances = False

    def derate(self, shares: Floats) -> None:
        """Limit the feed-forward torque to a share of the stall torque (n)."""
        np.multiply(self._stall, shares, out=self._torque_limit)

    def take_statements(self) -> Sequence[Statement]:
        """Return no statements."""
        return ()

    # -- record and picture -----------------------------------------------------------------

    def bind_row(self, rows: Row) -> Callable[[int], None]:
        """Return the function that writes balance, forces and the estimate's deviations."""
        kernel = self._ground.bind_row(rows, self.estimator)

        def write(place: int) -> None:
            kernel(self._balances, place)

        return write

    def place(self) -> tuple[float, float, float]:
        """Return the middle between the soles, x and y [m], and their mean heading [rad]."""
        return self._ground.place()

    def sway_room(self) -> SwayRoom:
        """Return where the pressure under the soles can go."""
        strides, sole, (left, right) = self._runner.strides, self._sole, self.model.soles[:, :2]
        side = 0.5 * float(np.linalg.norm(left - right)) + sole.half_width
        ends = (-sole.half_length, sole.half_length)
        corners = tuple((x, y) for x in ends for y in (-side, side))
        omega = math.sqrt(GRAVITY / strides.heights.stand)
        return SwayRoom(omega, corners, line_feet=False, load_s=strides.times.shift_s)

    def view(self) -> GroundView:
        """Return the contact with the ground, for a picture."""
        plan, now_s = self.strider.plan, self.strider.now_s
        swing, footstep = -1, None
        if self.strider.reference.support != BOTH:
            for foot in (0, 1):
                number = plan.score.in_air(foot, now_s)
                if number:
                    pose = plan.landing_of(number)
                    swing, footstep = foot, (pose.x, pose.y, 0.0, pose.yaw)
        view = self._ground.view(self.state.contact, self._balances, footstep, swing)
        if not (self._balances and self._has_body):
            return view
        stride = self.strider.reference
        upright = 0.0, 0.0, stride.heading, float(stride.com[0, 2]), 0.0, 0.0
        return replace(
            view,
            body=self._ground.body(self.state, upright),
            body_reference=tuple(self.lead.motion[0].tolist()),
        )


def _rows_of(behaviour: Places, joints: Places) -> Places:
    """Return the place of each joint among those that behaviour moves."""
    places = {int(joint): place for place, joint in enumerate(behaviour)}
    return np.array([places[int(joint)] for joint in joints], dtype=np.intp)
