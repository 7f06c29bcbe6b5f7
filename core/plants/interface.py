"""The seam between behaviour and body: a plant turns samples and references into commands."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from core.behave.reference import UpperReference
from core.link.message import Vector3
from core.link.statement import Statement
from core.record.tape import Row
from core.robot.state import State
from devices.interface import Floats, JointCommand, Sample, Support
from shows.fields import MovingGait, SwayDirection
from shows.gaits import Jump


@dataclass(frozen=True, slots=True, eq=False)
class Sway:
    """A request to sway or squat: a sine of the body over standing feet. Each object is a new one.

    Attributes:
        direction: direction in the heading frame in which the sine begins.
        amplitude_m: amplitude [m].
        frequency_hz: frequency [Hz].
        cycles: cycles after which the body is at rest again; 0: until the request ends.
    """

    direction: SwayDirection
    amplitude_m: float
    frequency_hz: float
    cycles: int = 0


@dataclass(frozen=True, slots=True)
class Stepping:
    """How a robot steps at a velocity.

    Attributes:
        gait: walk or run.
        step_s: time from step to step [s]; 0: as the profile says.
        flight_s: duration of a flight [s]; 0: as the profile says.
        height: of the CoM between flights [m]; 0: as the profile says.
    """

    gait: MovingGait = "walk"
    step_s: float = 0.0
    flight_s: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class SwayRoom:
    """Where a standing robot can put the pressure under its feet.

    Attributes:
        omega: natural frequency of the robot's pendulum [rad/s].
        corners: forward and to the left of the middle between the soles [m].
        line_feet: the feet have no width.
        step_left: where a step has the capture point when it begins, toward its stance foot, to
            the left or right of the middle [m]; 0: it brings the weight over by itself.
        load_s: from the beginning of a step to its lift-off [s]; 0: the robot does not step.
    """

    omega: float
    corners: tuple[tuple[float, float], ...]
    line_feet: bool
    step_left: float = 0.0
    load_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A request to step at once, with the weight already over; each object is a new one.

    Attributes:
        foot: index of the foot that is lifted.
    """

    foot: int


@dataclass(slots=True)
class Wanted:
    """The request of one tick to a plant. The performer owns it and overwrites it.

    Attributes:
        upper: reference of the limbs that behaviour moves.
        velocity: velocity forward [m/s], to the left [m/s] and yaw rate [rad/s] (3).
        step_in_place: the robot steps also at zero velocity.
        body: lowering of the centre of mass [m], and roll, pitch and yaw of the body (4) [rad].
        posed: the body shall take the posture `body`; else it is upright.
        acts: the body follows the reference of its limb; else it returns to standing.
        sway: sine of the body; None ends the present one.
        stepping: how it steps at the velocity.
        jump: jumps; None ends the present ones after the flight that has been pushed for.
        last_foot: index of the foot after whose landing a robot that stops stands; -1: either.
        step: a step that begins now; None or one that has begun: none.
        may_step: the mode allows steps.
        ready: it stands so that a step can begin at once.
        settles: the robot lowers itself, to go limp.
        plays: a show plays.
        guided: a person moves limbs, and may pull at the robot.
    """

    upper: UpperReference
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    step_in_place: bool = False
    body: Floats = field(default_factory=lambda: np.zeros(4))
    posed: bool = False
    acts: bool = False
    sway: Sway | None = None
    stepping: Stepping = Stepping()
    jump: Jump | None = None
    last_foot: int = -1
    step: Step | None = None
    may_step: bool = False
    ready: bool = False
    settles: bool = False
    plays: bool = False
    guided: bool = False


@dataclass(slots=True)
class PlantFacts:
    """Facts of a tick that health, failsafe and modes judge. The plant owns and overwrites it.

    Attributes:
        finite: every number of the state is finite.
        tilt_rad: angle between the base's vertical axis and the vertical [rad].
        base_height_m: height of the base above the ground [m].
        sure: the estimate agrees with the sensors.
        unsolved_s: time since the controller last found a solution [s].
        stepping: a foot is in the air, or about to be.
        borne: the ground, or a support, carries the robot.
        risen: standing up is complete.
        settled: settling is complete.
    """

    finite: bool = True
    tilt_rad: float = 0.0
    base_height_m: float = math.inf
    sure: bool = True
    unsolved_s: float = 0.0
    stepping: bool = False
    borne: bool = True
    risen: bool = False
    settled: bool = False


@dataclass(slots=True)
class Solution:
    """The result of the plant's optimisation in a tick.

    Attributes:
        status: index into `core.report.telemetry.QP_STATUS`; 0: nothing was optimised.
        iterations: of the solver.
        time_us: wall time of the solver [µs].
    """

    status: int = 0
    iterations: int = 0
    time_us: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundView:
    """The contact of a robot with the ground, for a picture; world frame.

    Attributes:
        com: centre of mass [m].
        com_velocity: its velocity [m/s].
        capture_point: point at which the robot would come to rest by a step, x and y [m].
        soles: origin of each sole [m].
        sole_yaws: heading of each sole [rad].
        contact_forces: planned force at each contact point [N].
        support: corners of the support polygon, counter-clockwise [m].
        footstep: planned position of the swing foot; None without one [m].
        footstep_yaw: planned heading of the swing foot [rad].
        swing_side: index of the swing foot; -1 without one.
        body: measured coordinates of the body as a limb, in the order of `shows.body_limb.ROLES`;
            empty for a robot without it, or that does not balance [rad, m].
        body_reference: the commanded ones, likewise.
    """

    com: Vector3 = (0.0, 0.0, 0.0)
    com_velocity: Vector3 = (0.0, 0.0, 0.0)
    capture_point: tuple[float, float] = (0.0, 0.0)
    soles: tuple[Vector3, ...] = ()
    sole_yaws: tuple[float, ...] = ()
    contact_forces: tuple[Vector3, ...] = ()
    support: tuple[Vector3, ...] = ()
    footstep: Vector3 | None = None
    footstep_yaw: float = 0.0
    swing_side: int = -1
    body: tuple[float, ...] = ()
    body_reference: tuple[float, ...] = ()


class Plant(Protocol):
    """One kind of body: estimates its state and computes its joint commands.

    Attributes:
        support: support of the robot besides its feet.
        solution: result of the optimisation of the last tick.
        can_step: False makes a robot that walks only balance.
    """

    support: Support
    solution: Solution
    can_step: bool

    @property
    def state(self) -> State:
        """The newest estimate, overwritten at every tick."""

    @property
    def newest_command(self) -> JointCommand:
        """The newest command, overwritten at every tick."""

    @property
    def walks(self) -> bool:
        """The robot can walk."""

    @property
    def chooses_foot(self) -> bool:
        """It stops after the landing of the foot that `Wanted.last_foot` names."""

    def place(self) -> tuple[float, float, float]:
        """Return the middle between the soles, x and y [m], and their mean heading [rad].

        World frame. In a walk the soles in the air count like those that stand.
        """

    def sway_room(self) -> SwayRoom | None:
        """Return where the pressure under standing feet can go; None if the body cannot sway."""

    @property
    def stands(self) -> bool:
        """The robot takes no steps, and begins none."""

    @property
    def steps(self) -> bool:
        """A foot is in the air, or about to be."""

    @property
    def sways(self) -> bool:
        """The body sways, or returns from a sway."""

    @property
    def jumps(self) -> bool:
        """A jump is requested that the robot has not finished."""

    def estimate(self, sample: Sample, limp: bool) -> None:
        """Update the state from a sample.

        Args:
            sample: newest reading of the body; its numbers are finite.
            limp: the joints are not driven, or have not been driven yet.
        """

    def facts(self, sample: Sample, driven: bool, elapsed_s: float) -> PlantFacts:
        """Return the facts of this tick; the next call overwrites them.

        Args:
            sample: newest reading of the body.
            driven: the joints are driven.
            elapsed_s: time in the present mode [s].
        """

    def start(self, now_s: float) -> None:
        """Begin to stand up at a time [s], and forget all learned values."""

    def know_place(self) -> None:
        """Take the estimated place for true: an operator has told where the robot stands."""

    def put_back(self) -> None:
        """Forget the place of a robot that was put back where it started."""

    def command(self, now_s: float, wanted: Wanted) -> JointCommand | None:
        """Return the command of a driven robot; None if it can only be damped.

        Args:
            now_s: time of the tick [s].
            wanted: request of behaviour.
        """

    @property
    def loads_kg(self) -> Mapping[str, float]:
        """The masses at the grips of limbs with which it reckons; others are empty [kg]."""

    def tell_loads(self, loads_kg: Mapping[str, float] | None) -> None:
        """Set the masses at the grips of limbs, instead of estimates; None ends it [kg]."""

    def rest(self) -> None:
        """Make `newest_command` the command of a damped robot."""

    def derate(self, shares: Floats) -> None:
        """Limit the torque of each joint to a share of its stall torque (n)."""

    def take_statements(self) -> Sequence[Statement]:
        """Return the statements since the last call."""

    def bind_row(self, rows: Row) -> Callable[[int], None]:
        """Return the function that writes the plant's own arrays into a row of the record.

        Args:
            rows: `Tape.block`; the function takes the place of the row in it.
        """

    def view(self) -> GroundView:
        """Return the contact with the ground, for a picture."""
