"""Compiles every kernel of the tick before the loop starts."""

import numpy as np

from core.constants import GRAVITY
from core.link.commands import StandUp
from core.plants.biped.plant import BipedPlant
from core.plants.biped.sense.estimator import HANGS_AFTER_S, StateEstimator
from core.plants.biped.whole_body.qp import ProxQpSolver
from core.plants.build import build_plant
from core.plants.interface import SwayRoom, Wanted
from core.plants.runner.plant import RunnerPlant
from core.record.tape import Tape
from core.report.telemetry import Telemetry
from core.retouch.shift import RetouchedShift
from core.retouch.stream import BodySample
from core.robot.profile import Profile
from core.safety.modes import Mode
from core.tick.performer import Performer
from devices.interface import Sample, Support, Truth
from shows.gaits import Jump

STANDING_TICKS = 200
MOST_TICKS = 6000
OUT_OF_REACH = 10.0  # velocity that no plan brings to rest [m/s]
LANDING_TICK, LANDED_TICKS = 30, 40  # landing of one foot beside the other


def statue(profile: Profile) -> Sample:
    """Return the sample of a robot that stands still on both feet."""
    switches = sum(len(contact.switches) for contact in profile.contacts)
    sample = Sample.zeros(len(profile.joint_names), switches)
    sample.q[:] = profile.posture("rest")
    sample.accel[:] = (0.0, 0.0, GRAVITY)
    sample.contacts[:] = True
    sample.joint_age_s[:] = 0.0
    sample.imu_age_s = 0.0
    sample.contact_age_s[:] = 0.0
    sample.battery_v, sample.battery_charge = profile.supply.nominal_v, 1.0
    return sample


def truth_of(sample: Sample) -> Truth:
    """Return the true state of a robot that stands at the origin."""
    return Truth(
        q=sample.q,
        dq=sample.dq,
        tau_applied=sample.tau,
        base_position=np.zeros(3),
        base_velocity=np.zeros(3),
        base_rpy=np.zeros(3),
        base_spin=np.zeros(3),
        com=np.zeros(3),
        com_velocity=np.zeros(3),
        contacts=sample.contacts,
        contact_force=np.zeros((len(sample.contacts), 3)),
        external_force=np.zeros(3),
    )


def warm_up(profile: Profile) -> int:
    """Run the ticks of a robot that stands up, and return their number.

    The first start on a machine compiles the kernels, which takes half a minute; inside the
    loop the watchdog would kill it. A robot with feet also takes one step.
    """
    plant = build_plant(profile, Support(next(iter(profile.supports))))
    performer = Performer(profile, plant)
    sample = statue(profile)
    tellers: list[tuple[Telemetry, Truth | None]] = [
        (_telemetry(performer, False), None),
        (_telemetry(performer, True), truth_of(sample)),
    ]
    for tick in range(1, STANDING_TICKS):
        sample.stamp_s = now_s = tick * profile.tick_s
        asks = performer.mode is Mode.DAMPED
        performer.tick(now_s, sample, [("warm-up", StandUp())] if asks else ())
        for telemetry, truth in tellers:
            telemetry.record(now_s, sample, truth, 0.0)
    if isinstance(plant, RunnerPlant):
        tick += _stride(profile, plant, performer, now_s)
        _land_and_hang(profile, plant.estimator, sample)
    if isinstance(plant, BipedPlant):
        tick += _step(profile, plant, performer, now_s)
        plant.controller.perform(performer.upper.q, performer.upper.dq)
        _falter(profile, plant, sample)
    _shift()
    for telemetry, _ in tellers:
        telemetry.status(now_s, sample, (), 0.0)
        telemetry.times.stats()
    return tick


def _shift() -> None:
    """Let a person lead the shift of a body."""
    corners = ((0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1))
    shift, still = RetouchedShift(SwayRoom(1.0, corners, True)), np.zeros(2)
    shift.begin(0.0)
    shift.receive(0.0, BodySample(0.0, still, still, still))
    shift.write(0.1, np.zeros((3, 2)))


def _telemetry(performer: Performer, simulated: bool) -> Telemetry:
    """Return a telemetry of one kind of body whose rows are discarded."""
    dtype = Telemetry.dtype(performer, simulated)
    return Telemetry(performer, Tape(dtype, lambda block: None), simulated)


def _step(profile: Profile, plant: BipedPlant, performer: Performer, now_s: float) -> int:
    """Let the leg reference take one step; return the number of ticks."""
    walker, velocity = plant.walker, np.array([0.1, 0.0, 0.0])
    walker.stepping_allowed = True
    height, upper = profile.as_biped.balance.stand_height, performer.upper
    ticks = 0
    while walker.steps == 0 and ticks < MOST_TICKS:
        ticks += 1
        now_s += profile.tick_s
        walker.update(now_s, plant.state, plant.model, velocity, height)
        plant.controller.balance(upper.q, upper.dq, upper.ddq)
    return ticks


def _stride(profile: Profile, plant: RunnerPlant, performer: Performer, now_s: float) -> int:
    """Let the plan take a step in place, and reach its bounds; return the number of ticks."""
    wanted = Wanted(performer.upper, step_in_place=True, may_step=True)
    plant.start(now_s)
    ticks = 0
    while plant.strider.landings == 0 and ticks < MOST_TICKS:
        ticks += 1
        now_s += profile.tick_s
        plant.command(now_s, wanted)
    plant.strider.velocity_offset[:] = OUT_OF_REACH
    plant.strider.update(now_s + profile.as_runner.strides.replan_s)
    return ticks


def _falter(profile: Profile, plant: BipedPlant, sample: Sample) -> None:
    """Run rare paths: one foot lands beside the other, both hang, it jumps, a solver fails."""
    _land_and_hang(profile, plant.estimator, sample)
    plant.walker.hop.follow(sample.stamp_s, Jump(), True, np.ones(2, dtype=bool))
    problem = plant.controller.whole_body.problem
    ProxQpSolver(problem, profile.as_biped.qp).solve(problem)


def _land_and_hang(profile: Profile, estimator: StateEstimator, sample: Sample) -> None:
    """Let one foot land beside the other, and then both hang.

    A kernel that only other kernels have called is not yet loaded for Python; loading takes
    longer than a tick.
    """
    left = len(profile.contacts[0].switches)
    for tick in range(LANDING_TICK + LANDED_TICKS + round(HANGS_AFTER_S / profile.tick_s) + 1):
        sample.stamp_s += profile.tick_s
        landed = LANDING_TICK <= tick < LANDING_TICK + LANDED_TICKS
        sample.contacts[:left] = 0 < tick < LANDING_TICK + LANDED_TICKS
        sample.contacts[left:] = landed
        estimator.update(sample)
