"""Compiles every kernel of the tick before there is a robot to wait for it."""

import numpy as np

from core.link.commands import StandUp
from core.plants.biped.sense.estimator import HANGS_AFTER_S
from core.plants.biped.walk.walker import Walker
from core.plants.biped.whole_body.qp import ProxQpSolver
from core.record.schema import tick_dtype
from core.record.tape import Tape
from core.report.telemetry import Telemetry
from core.robot.profile import Profile
from core.safety.modes import Mode
from core.tick.performer import Performer
from devices.interface import Floats, Sample, Support, Truth

STANDING_TICKS = 200
MOST_TICKS = 6000
LANDING_TICK, LANDED_TICKS = 30, 40  # of one foot beside the other


def statue(profile: Profile) -> Sample:
    """Return what a robot would read that stands perfectly still on both feet."""
    sample = Sample.zeros(len(profile.joint_names))
    sample.q[:] = profile.posture("rest")
    sample.accel[:] = (0.0, 0.0, 9.81)
    sample.contacts[:] = True
    sample.joint_age_s[:] = 0.0
    sample.imu_age_s = 0.0
    sample.contact_age_s[:] = 0.0
    sample.battery_v, sample.battery_charge = profile.supply.nominal_v, 1.0
    return sample


def truth_of(sample: Sample) -> Truth:
    """Return what a simulator would know of a robot that stands at the origin."""
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
        contact_force=np.zeros((2, 2, 3)),
        external_force=np.zeros(3),
    )


def warm_up(profile: Profile) -> int:
    """Let a statue stand up and step once; return how many ticks that took.

    The first start on a machine compiles the kernels, which takes half a minute: inside the
    loop, the watchdog would rightly take it for dead.
    """
    performer = Performer(profile, Support.FLOOR)
    walker, velocity = performer.walker, np.array([0.1, 0.0, 0.0])
    sample = statue(profile)
    tellers: list[tuple[Telemetry, Truth | None]] = [
        (_telemetry(performer, False), None),
        (_telemetry(performer, True), truth_of(sample)),
    ]
    for tick in range(1, MOST_TICKS):
        sample.stamp_s = now_s = tick * profile.tick_s
        if tick < STANDING_TICKS:
            asks = performer.mode is Mode.DAMPED
            performer.tick(now_s, sample, [("warm-up", StandUp())] if asks else ())
            for telemetry, truth in tellers:
                telemetry.record(now_s, sample, truth, 0.0)
        elif _steps(now_s, walker, performer, velocity):
            break
    performer.controller.perform(performer.estimator.state, performer.upper.q, performer.upper.dq)
    _falter(performer, sample)
    for telemetry, _ in tellers:
        telemetry.status(now_s, sample, (), 0.0)
        telemetry.times.stats()
    return tick


def _telemetry(performer: Performer, simulated: bool) -> Telemetry:
    """Return what writes the rows of one kind of body, to nowhere."""
    limbs = len(performer.upper.states)
    dtype = tick_dtype(len(performer.profile.joint_names), limbs, simulated)
    return Telemetry(performer, Tape(dtype, lambda block: None), simulated)


def _steps(now_s: float, walker: Walker, performer: Performer, velocity: Floats) -> bool:
    """Let the legs' reference walk on; tell when a step is over."""
    walker.stepping_allowed = True
    state, model = performer.estimator.state, performer.model
    height = performer.profile.as_biped.balance.stand_height
    legs = walker.update(now_s, state, model, velocity, height)
    upper = performer.upper
    performer.controller.balance(state, legs, upper.q, upper.dq, upper.ddq)
    return walker.steps > 0


def _falter(performer: Performer, sample: Sample) -> None:
    """Do what is rare: a foot comes down beside one that stands, both hang, a solver fails.

    A kernel that only other kernels have called is not loaded for Python yet, which takes
    longer than a tick.
    """
    estimator, tick_s = performer.estimator, performer.profile.tick_s
    for tick in range(LANDING_TICK + LANDED_TICKS + round(HANGS_AFTER_S / tick_s) + 1):
        sample.stamp_s += tick_s
        landed = LANDING_TICK <= tick < LANDING_TICK + LANDED_TICKS
        sample.contacts[:2] = 0 < tick < LANDING_TICK + LANDED_TICKS
        sample.contacts[2:] = landed
        estimator.update(sample)
    problem = performer.controller.whole_body.problem
    ProxQpSolver(problem, performer.profile.as_biped.qp).solve(problem)
