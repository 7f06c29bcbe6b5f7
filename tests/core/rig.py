"""A performer with a body below it: a simulated one, or a statue that stands or crouches."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from core.__main__ import simulated_body
from core.behave.floating import Floating
from core.behave.manager import MotionManager
from core.link.commands import Command, StandUp
from core.link.commands import Walk as WalkCommand
from core.link.event import Event
from core.link.statement import Sentence, Value
from core.plants.biped.model import RobotModel
from core.plants.biped.plant import biped_of
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.build import build_plant
from core.robot.gravity import Gravity
from core.robot.model import joint_limits
from core.robot.profile import Handset, Profile
from core.robot.profile_file import load_profile
from core.robot.state import State
from core.run.launch import LaunchConfig
from core.safety.modes import Mode
from core.stage.prepared import PreparedShow
from core.tick.performer import Actuation, Performer
from devices.errors import DeviceError
from devices.interface import (
    Bools,
    Clock,
    Floats,
    JointCommand,
    Sample,
    StopChannel,
    Support,
    Trouble,
)

ENDPOINT = "tcp/127.0.0.1:7447"
TICK_S = 0.001
STAND_BEND, CROUCH_BEND = 0.35, 0.665  # of hip and ankle, half of the knee's [rad]


@cache
def profile() -> Profile:
    return load_profile("kid_cosmo")


def handset() -> Handset:
    """Return the handset's part of the profile."""
    own = profile().handset
    assert own is not None
    return own


def launch(**changes: Any) -> LaunchConfig:
    """Return a launch as fast as it goes."""
    return LaunchConfig(endpoint=ENDPOINT, pace="max", **changes)


def bent(bend: float) -> Floats:
    """Return the rest posture with both legs bent so far [rad]."""
    q = profile().posture("rest")
    for hip_pitch in (10, 15):
        q[hip_pitch : hip_pitch + 3] = (-bend, -2.0 * bend, bend)
    return q


@cache
def holding(bend: float) -> tuple[float, ...]:
    """Return the driven joints' torques that hold a bent robot still on both feet [N·m]."""
    model, state = RobotModel(profile()), State.upright(len(profile().joint_names))
    state.q[:] = bent(bend)
    model.update(state)
    rows = np.vstack(list(model.sole_jacobians))
    wrenches = np.linalg.lstsq(rows[:, :6].T, model.bias[:6], rcond=None)[0]
    return tuple((model.bias[6:] - rows[:, 6:].T @ wrenches).tolist())


def statue(bend: float = STAND_BEND) -> Sample:
    """Return a healthy sample of a robot that neither moves nor is moved."""
    sample = Sample.zeros(len(profile().joint_names), 4)
    sample.q[:] = bent(bend)
    sample.tau[:18] = holding(bend)
    sample.accel[2] = 9.81
    sample.joint_age_s[:] = 0.0
    sample.imu_age_s = 0.0
    sample.contact_age_s[:] = 0.0
    sample.contacts[:] = True
    sample.battery_v, sample.battery_charge = 24.0, 0.9
    return sample


def told(events: Iterable[Event], sentence: Sentence, **fields: Value) -> list[Event]:
    """Return the events that have a sentence's code and at least these fields."""
    return [
        event
        for event in events
        if event.code == sentence.code
        and all(event.fields.get(name) == value for name, value in fields.items())
    ]


class Rig:
    """A performer whose body is a statue; the tests change the sample between the ticks."""

    def __init__(self, support: Support = Support.FLOOR, bend: float = STAND_BEND) -> None:
        self.performer = Performer(profile(), build_plant(profile(), support))
        self.sample = statue(bend)
        self.now_s = 0.0
        self.events: list[Event] = []

    @property
    def mode(self) -> Mode:
        return self.performer.mode

    def bend(self, bend: float) -> None:
        """Bend the legs from one tick to the next."""
        self.sample.q[:] = bent(bend)
        self.sample.tau[:18] = holding(bend)

    def tick(self, *commands: Command) -> Actuation:
        """Advance by one tick with what an operator asks in it."""
        self.sample.stamp_s = self.now_s
        asked = [("operator", command) for command in commands]
        verdict = self.performer.tick(self.now_s, self.sample, asked)
        self.events += self.performer.take_events()
        self.now_s += TICK_S
        return verdict

    def wait(self, time_s: float) -> Actuation:
        """Advance without a command."""
        verdict = self.tick()
        for _ in range(round(time_s / TICK_S) - 1):
            verdict = self.tick()
        return verdict

    def expect(self, mode: Mode) -> None:
        """Fail unless the robot is in a mode."""
        assert self.mode is mode, f"{self.mode.name}, not {mode.name}: {self.events[-3:]}"

    def said(self, sentence: Sentence, **fields: Value) -> bool:
        """Tell whether an event had this code and at least these fields."""
        return bool(told(self.events, sentence, **fields))


@dataclass(frozen=True)
class Instant:
    """What one tick of a simulated walk looked like; copies, in the order of the model's arrays."""

    now_s: float
    mode: Mode
    verdict: Actuation
    estimated_velocity: Floats
    true_velocity: Floats
    estimated_rpy: Floats
    true_rpy: Floats
    contact: Bools
    loaded_truly: Bools


class SimulatedRig:
    """A performer on a simulated robot, ticked as the loop does it."""

    def __init__(self, **launch_changes: Any) -> None:
        config = launch(**launch_changes)
        self.body = simulated_body(config, profile())
        plant = build_plant(profile(), Support(config.support or "floor"))
        plant.can_step = config.stepping
        self.performer = Performer(profile(), plant, config.seed)

    @property
    def mode(self) -> Mode:
        return self.performer.mode

    def load(self, show: PreparedShow) -> None:
        self.performer.load(show)

    def tick(self, *commands: Command) -> Instant:
        """Advance by one tick and return what it looked like."""
        sample = self.body.read()
        asked = [("operator", command) for command in commands]
        verdict = self.performer.tick(sample.stamp_s, sample, asked)
        if verdict is Actuation.WRITE:
            self.body.write(self.performer.command)
        elif verdict is Actuation.DAMP:
            self.body.damp()
        else:
            self.body.stop()
        truth, state = self.body.truth(), self.performer.plant.state
        return Instant(
            sample.stamp_s,
            self.performer.mode,
            verdict,
            state.velocity_base_in_world.copy(),
            truth.base_velocity.copy(),
            state.rpy.copy(),
            truth.base_rpy.copy(),
            state.contact.copy(),
            np.logical_or(truth.contacts[::2], truth.contacts[1::2]),
        )


@dataclass
class Walk:
    """What was noted of a short walk: every tick's instant, and every tenth tick's problem."""

    instants: list[Instant] = field(default_factory=list)
    problems: list[QuadraticProgram] = field(default_factory=list)
    solutions: list[Floats] = field(default_factory=list)
    forces: list[Floats] = field(default_factory=list)
    torques: list[Floats] = field(default_factory=list)
    speeds: list[Floats] = field(default_factory=list)
    swing_sides: list[int] = field(default_factory=list)
    unsolved: int = 0

    def note(self, rig: SimulatedRig) -> None:
        """Note how the last tick's problem was solved."""
        body = biped_of(rig.performer.plant).controller.whole_body
        self.problems.append(deepcopy(body.problem))
        self.solutions.append(body.result.x.copy())
        self.forces.append(body.forces.copy())
        self.torques.append(body.torque.copy())
        self.speeds.append(rig.performer.plant.state.dq[: body.torque.size].copy())
        self.swing_sides.append(biped_of(rig.performer.plant).walker.reference.swing_side)


@cache
def short_walk() -> Walk:
    """Stand up and walk; computed once for all tests of what happens within the ticks."""
    rig, walk = SimulatedRig(), Walk()
    for tick in range(6000):
        commands: tuple[Command, ...] = ()
        if tick == 200:
            commands = (StandUp(),)
        elif tick >= 2200 and tick % 100 == 0:
            commands = (WalkCommand(vx=0.16, vy=0.02),)
        walk.instants.append(rig.tick(*commands))
        walk.unsolved += biped_of(rig.performer.plant).controller.failures
        if rig.mode is Mode.WALK and tick % 10 == 0:
            walk.note(rig)
    return walk


class FakeClock:
    """A clock that jumps to what is waited for, and may be made late."""

    def __init__(self) -> None:
        self.time_s = 0.0
        self.waited_for: list[float] = []
        self.late_s: dict[int, float] = {}

    def now_s(self) -> float:
        return self.time_s

    def wait_until(self, stamp_s: float) -> float:
        late_s = max(self.late_s.get(len(self.waited_for), 0.0), self.time_s - stamp_s)
        self.waited_for.append(stamp_s)
        self.time_s = stamp_s + late_s
        return late_s


class StatueBody:
    """A real body as far as the loop knows: it stands still and notes what it is told."""

    def __init__(self) -> None:
        self.fake_clock = FakeClock()
        self.clock: Clock = self.fake_clock
        self.sample = statue()
        self.done: list[str] = []
        self.fail_writes = False
        self.commands: list[JointCommand] = []
        self.supplied = True
        self.complaints: tuple[Trouble, ...] = ()

    def read(self) -> Sample:
        self.sample.stamp_s = self.fake_clock.time_s
        return self.sample

    def write(self, command: JointCommand) -> None:
        if self.fail_writes:
            raise DeviceError("left leg bus", "it does not answer; check its cable")
        self.done.append("write")
        copies = (command.q, command.dq, command.tau, command.kp, command.kd)
        self.commands.append(JointCommand(*(array.copy() for array in copies)))

    def damp(self) -> None:
        self.done.append("damp")

    def stop(self) -> None:
        self.done.append("stop")

    def troubles(self) -> tuple[Trouble, ...]:
        return self.complaints

    def powered(self) -> bool:
        return self.supplied

    def restore(self) -> None:
        self.supplied = True

    def stop_channels(self) -> tuple[StopChannel, ...]:
        return (StopChannel("E-stop chain", self.sample.estop_closed),)

    def close(self) -> None:
        self.done.append("close")


def random_posture(rng: np.random.Generator) -> Floats:
    """Return joint positions within the middle of their limits (n) [rad]."""
    lower, upper = joint_limits(profile())
    return lower + (upper - lower) * rng.uniform(0.2, 0.8, lower.size)


def floating_of(manager: MotionManager, measured: Floats | None = None) -> Floating:
    """Return the limbs that a person may move, for a manager of the default robot.

    Args:
        manager: the limbs' owner.
        measured: positions of all joints, which the test changes; None: they rest.
    """
    robot = profile()
    return Floating(
        manager,
        robot.floating,
        robot.column("kp"),
        robot.column("kd"),
        Gravity(robot).largest(),
        ~np.array(robot.movable_joints),
        np.array(robot.position_servos),
        robot.posture("rest") if measured is None else measured,
        robot.tick_s,
        tuple(grip.limb for grip in robot.grips),
    )
