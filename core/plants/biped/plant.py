"""A biped behind the plant's seam: estimation, gait, balance and whole-body control."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.errors import CoreError
from core.link.catalogue import safety
from core.link.statement import Statement
from core.plants.biped.ground import Ground
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import StateEstimator, tilt_of
from core.plants.biped.sense.hand_load import HandLoads
from core.plants.biped.sense.joint_velocity import JointVelocity
from core.plants.biped.sense.standing_heading import StandingHeading
from core.plants.biped.sense.trust import is_believable
from core.plants.biped.walk.reference import Phase
from core.plants.biped.walk.stance import PATIENCE_S, QUIET_S, Stance
from core.plants.biped.walk.walker import Walker
from core.plants.biped.whole_body.contacts import points_of
from core.plants.biped.whole_body.controller import Controller
from core.plants.interface import (
    GroundView,
    Plant,
    PlantFacts,
    Solution,
    SwayRoom,
    Wanted,
)
from core.record.tape import Row
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats, JointCommand, Sample, Support

RISEN_ERROR = 0.008  # of the height, when standing up is complete [m]
SETTLED_ERROR = 0.02  # of the height, when the crouch is reached [m]
STILL_RATE = 0.02  # of the height, below which the robot counts as still [m/s]
SEATED_RISE_S = 1.5  # in which the upper body reaches its posture
# Python takes 0.1 µs to look up a member of an enumeration.
_STAND, _STEP = Phase.STAND, Phase.STEP


class BipedPlant:
    """A torque-controlled biped; see `core.plants.interface.Plant`.

    On a seat the legs are damped and the upper body performs.

    Attributes:
        model: dynamics and kinematics at the newest state.
        estimator: owns the state.
        walker: owns the gait.
        hand_loads: owns the estimated loads in the hands.
        controller: owns the command.
    """

    walks = True
    chooses_foot = True

    def __init__(self, profile: Profile, support: Support) -> None:
        settings = profile.as_biped
        self.support = support
        self.can_step = True
        self.model = RobotModel(profile)
        self.estimator = StateEstimator(profile, self.model)
        self.walker = Walker(profile, self.model)
        self.hand_loads = HandLoads(profile, self.model)
        self.controller = Controller(
            profile, self.model, self.estimator.state, self.walker.reference
        )
        whole_body = self.controller.whole_body
        points = np.array([points_of(contact) for contact in profile.contacts])
        self.walker.force.attach(whole_body.forces, points)
        rate, planned = settings.velocity_rate, whole_body.acceleration
        self._velocity = JointVelocity(rate, planned, self.estimator.state, profile.tick_s)
        self._ground = Ground(profile, self.model, whole_body.forces)
        self.solution = Solution()
        quiet_s = PATIENCE_S if settings.pushed is None else QUIET_S  # else no push is known
        self._stance_watch = Stance(settings.gait, quiet_s)
        noises = settings.heading, settings.estimator
        filtered, state = self.estimator.filter, self.estimator.state
        self._heading = StandingHeading(*noises, filtered, state, profile.tick_s)
        self._calm = False  # nobody and nothing moves body or limbs
        self._seated = support is Support.SEATED
        self._has_body = profile.body is not None and not self._seated
        self._balance = settings.balance
        self._tick_s, self._patience_s = profile.tick_s, profile.health.solver_patience_s
        self._facts = PlantFacts()
        self._statements: list[Statement] = []

    @property
    def state(self) -> State:
        """The newest estimate."""
        return self.estimator.state

    def sway_room(self) -> SwayRoom | None:
        """Return where the pressure under standing feet can go; None on a seat."""
        return None if self._seated else self.walker.sway_room(self.model)

    @property
    def stands(self) -> bool:
        """Both feet stand."""
        return self.walker.reference.phase is _STAND and not self.walker.hop.active

    @property
    def steps(self) -> bool:
        """A foot is in the air, or about to be."""
        return self.walker.reference.phase is _STEP or self.walker.hop.active

    @property
    def jumps(self) -> bool:
        """A jump is requested that the robot has not finished."""
        return self.walker.hop.jumps

    @property
    def sways(self) -> bool:
        """The body sways, or returns from a sway."""
        return self.walker.swaying.motion.active

    @property
    def newest_command(self) -> JointCommand:
        """The newest command."""
        return self.controller.command

    def estimate(self, sample: Sample, limp: bool) -> None:
        """Update state and model; the tilt of a limp robot comes from gravity."""
        estimator = self.estimator
        state = estimator.rest(sample) if limp else estimator.update(sample)
        self._velocity.update(self.controller.qp_status in (1, 2) and not limp)
        self.model.update(state)
        if not (limp or self._seated):
            rests = self._calm and self.stands and not self.walker.pushed
            rests = rests and all(estimator.contact.loaded.tolist())
            self.walker.turn(self._heading.watch(self._sole_heading, rests))

    def facts(self, sample: Sample, driven: bool, elapsed_s: float) -> PlantFacts:
        """Return the facts of this tick; the next call overwrites them."""
        facts, model, legs = self._facts, self.model, self.walker.reference
        state, phase = self.estimator.state, legs.phase
        left, right = model.left_sole_height, model.right_sole_height
        facts.tilt_rad = tilt_rad = tilt_of(state)
        facts.base_height_m = float(state.position_base_in_world[2]) - min(left, right)
        facts.finite = model.finite and math.isfinite(tilt_rad)
        facts.sure = not driven or self._seated or self._is_believable(sample)
        facts.unsolved_s = self.controller.failures * self._tick_s
        facts.stepping = driven and (phase is _STEP or self.walker.hop.active)
        facts.borne = self._seated or any(self.estimator.contact.loaded.tolist())
        if self._seated:
            facts.risen = facts.settled = elapsed_s > SEATED_RISE_S
        else:
            balance, height = self._balance, model.height - 0.5 * (left + right)
            still = phase is _STAND and abs(legs.height_rate) < STILL_RATE
            facts.risen = still and abs(height - balance.stand_height) < RISEN_ERROR
            facts.settled = still and height < balance.crouch_height + SETTLED_ERROR
        return facts

    def _is_believable(self, sample: Sample) -> bool:
        model, biases = self.model, self.estimator.filter.biases
        return is_believable(sample.contacts, model.soles, model.sole_rotations, biases)

    def start(self, now_s: float) -> None:
        """Begin to stand up: people may have changed the loads and moved the robot."""
        self.hand_loads.forget()
        self._heading.reset()
        self.walker.start(now_s, self.model)

    def know_place(self) -> None:
        """Take the estimated place for true: an operator has told where the robot stands."""
        self._heading.know_place()

    def put_back(self) -> None:
        """Forget the place of a robot that was put back where it started."""
        self.estimator.put_back()

    def command(self, now_s: float, wanted: Wanted) -> JointCommand | None:
        """Return the command; None once the solver has failed for too long."""
        state, upper, walker = self.estimator.state, wanted.upper, self.walker
        moves = walker.swaying.motion.active or upper.states.any()
        self._calm = not (wanted.posed or wanted.guided or moves)
        self._statements.extend(self.hand_loads.watch(state.tau, upper.ddq))
        if self._seated:
            command = self.controller.perform(upper.q, upper.dq)
            self._note_solution()
            return command
        balance = self._balance
        crouches = wanted.settles and walker.reference.phase is _STAND
        height = balance.crouch_height if crouches else balance.stand_height
        walker.stepping_allowed = self.can_step and wanted.may_step
        walker.last_foot = wanted.last_foot
        walker.ready = wanted.ready and wanted.may_step
        walker.step_asked = wanted.step if wanted.may_step else None
        steps = self._corrects_stance(now_s, wanted) or wanted.step_in_place
        posture = wanted.body if wanted.posed else None
        walker.update(
            now_s,
            state,
            self.model,
            wanted.velocity,
            height,
            steps,
            posture,
            wanted.guided,
            None if crouches else wanted.sway,
            wanted.jump if wanted.may_step else None,
            upper.body if wanted.acts and upper.body.size else None,
        )
        if walker.swaying.statements:
            self._statements.extend(walker.swaying.statements)
            walker.swaying.statements.clear()
        command = self.controller.balance(upper.q, upper.dq, upper.ddq)
        self._note_solution()
        return None if self.controller.failures * self._tick_s > self._patience_s else command

    def _note_solution(self) -> None:
        solution, whole_body = self.solution, self.controller.whole_body
        solution.status = self.controller.qp_status
        solution.iterations = whole_body.result.iterations
        solution.time_us = whole_body.solve_us if solution.status else 0.0

    def _corrects_stance(self, now_s: float, wanted: Wanted) -> bool:
        """Tell whether the robot steps in place because its feet have left their stance."""
        watch, walker = self._stance_watch, self.walker
        phase = walker.reference.phase
        if phase is _STEP or not walker.stepping_allowed:
            watch.rest()
        elif phase is _STAND:
            moves = wanted.plays or walker.swaying.motion.active or wanted.upper.states.any()
            calm = not (moves or wanted.guided)
            if watch.watch(now_s, self.model, calm, walker.pushed):
                self._statements.append(safety.STANCE_DRIFTED())
        return watch.asks

    @property
    def loads_kg(self) -> Mapping[str, float]:
        """The masses at the grips of limbs with which it reckons; others are empty [kg]."""
        return self.hand_loads.loads_kg

    def tell_loads(self, loads_kg: Mapping[str, float] | None) -> None:
        """Set the masses at the grips of limbs, instead of estimates; None ends it [kg]."""
        self.hand_loads.tell(loads_kg)

    def rest(self) -> None:
        """Make `newest_command` the command of a damped robot, which sways no more."""
        self.controller.rest()
        self.walker.swaying.reset()
        self._note_solution()

    def derate(self, shares: Floats) -> None:
        """Limit the torque of each joint to a share of its stall torque (n)."""
        self.controller.derate(shares)

    def take_statements(self) -> Sequence[Statement]:
        """Return the statements since the last call."""
        if not self._statements:
            return ()
        statements, self._statements = self._statements, []
        return statements

    def bind_row(self, rows: Row) -> Callable[[int], None]:
        """Return the function that writes balance, forces and the estimate's deviations."""
        controller, kernel = self.controller, self._ground.bind_row(rows, self.estimator)

        def write(place: int) -> None:
            kernel(controller.qp_status > 0, place)

        return write

    def _sole_heading(self) -> float:
        """Return the mean heading of the soles [rad]."""
        return self.place()[2]

    def place(self) -> tuple[float, float, float]:
        """Return the middle between the soles, x and y [m], and their mean heading [rad]."""
        return self._ground.place()

    def view(self) -> GroundView:
        """Return the contact with the ground, for a picture."""
        walker, loaded = self.walker, self.state.contact
        balancing = self.controller.qp_status > 0  # else no forces and no footsteps are planned
        view = self._ground.view(loaded, balancing, walker.footstep, walker.reference.swing_side)
        if not (balancing and self._has_body):
            return view
        return replace(
            view,
            body=self._ground.body(self.state, walker.upright),
            body_reference=tuple(walker.body_motion[0].tolist()),
        )


def biped_of(plant: Plant) -> BipedPlant:
    """Return a plant as the biped that it is.

    Raises:
        CoreError: it is no biped.
    """
    if not isinstance(plant, BipedPlant):
        raise CoreError("this robot is no biped; choose one with --robot")
    return plant
