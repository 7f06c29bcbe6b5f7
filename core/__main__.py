"""The composition root: the one place that knows which body, which driver, which process.

Started as `python -m core ROLE --json CONFIG`, one process a role.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import CoreError
from core.launch import LaunchConfig
from core.lifeline import Lifeline

if TYPE_CHECKING:
    from core.robot.profile import Profile
    from devices.sim.body import SimulatedBody

SIBLINGS_S = 30.0  # to start, on a slow machine
SHOW_S = 30.0  # for the stagehand to check a show


def simulated_body(config: LaunchConfig, profile: "Profile") -> "SimulatedBody":
    """Return the simulated robot that a launch asks for."""
    from devices.interface import Support
    from devices.sim.body import SimulatedBody
    from devices.sim.settings import SimSettings

    def column(field: str) -> tuple[float, ...]:
        return tuple(profile.actuator_column(field).tolist())

    support = Support(config.support)
    posture = "seat" if support is Support.SEATED else "crouch"
    settings = SimSettings(
        model_path=profile.model_path,
        joint_names=profile.joint_names,
        stall_torque=column("stall_torque"),
        no_load_speed=tuple(profile.no_load_speed().tolist()),
        torque_constant=column("torque_constant"),
        friction_coulomb=column("friction_coulomb"),
        friction_viscous=column("friction_viscous"),
        initial_q=tuple(profile.posture(posture).tolist()),
        nominal_voltage=profile.supply.nominal_v,
        battery_capacity_ah=profile.supply.capacity_ah,
        battery_resistance_ohm=profile.supply.resistance_ohm,
        timestep_s=profile.tick_s,
        support=support,
        slope_deg=config.slope,
        payload_kg=config.payload_kg,
        **({} if config.friction is None else {"friction": config.friction}),
    )
    return SimulatedBody(settings, config.seed, config.pace)


def run_loop(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Be the core: load everything, wait for the siblings, then loop until the end."""
    from core.autopilot import Autopilot
    from core.behave.reference import LIMBS
    from core.link.server import Server
    from core.loop import Loop
    from core.performer import Performer
    from core.realtime import become_real_time, freeze_garbage
    from core.record.schema import tick_dtype
    from core.record.tape import Tape
    from core.robot.profile import load_profile
    from devices.interface import Support

    profile = load_profile(config.robot)
    paced = config.pace == "real"
    with Server(config.endpoint, config.robot, lossless_batches=not paced) as server:
        performer = Performer(profile, Support(config.support), config.seed)
        performer.walker.stepping_allowed = config.stepping
        body = simulated_body(config, profile)
        missing = server.await_siblings(config.siblings, SIBLINGS_S)
        if missing:
            raise CoreError(f"the {missing[0]} did not start within {SIBLINGS_S:g} s")
        autopilot = None
        if config.autopilot:
            autopilot = Autopilot(config.walk, config.gestures, config.pushes)
        dtype = tick_dtype(len(profile.joint_names), len(LIMBS), simulated=True)
        tape = Tape(dtype, server.publish_batch)
        hello = (config.body, config.pace, config.seed)
        loop = Loop(body, performer, server, tape, autopilot, None, hello)
        show = _awaited_show(config, performer, server, lifeline)
        if show is not None:
            loop.load(show)
        if paced:
            for sentence in become_real_time():
                performer.say("core", sentence, "warning")
        freeze_garbage()
        report = loop.run(lambda: lifeline.ended)
        if not report.completed:
            print(report.reason, file=sys.stderr)
    return 0 if report.completed else 1
