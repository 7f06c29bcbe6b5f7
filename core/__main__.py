"""The composition root: the one place that knows which body, which driver, which process.

Started as `python -m core ROLE --json CONFIG`, one process a role.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import CoreError
from core.launch import LaunchConfig
from core.lifeline import Lifeline

if TYPE_CHECKING:
    from core.link.server import Server
    from core.performer import Performer
    from core.robot.profile import Profile
    from core.safety.watchdog import Heartbeat
    from core.stage.prepared import PreparedShow
    from devices.sim.body import SimulatedBody

DEFAULT_FRICTION = 0.8  # of rubber on a stage floor
SIBLINGS_S = 30.0  # to start, on a slow machine
SHOW_S = 60.0  # for the stagehand to check a show
WATCHDOG, COMPILE = "watchdog", "compile"
NOWHERE = "tcp/127.0.0.1:0"  # nothing listens where kernels are only compiled
SIMULATED_SILENCE_S = 1.0  # a machine that simulates may well stall for 100 ms


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
        friction=DEFAULT_FRICTION if config.friction is None else config.friction,
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
    from core.warm_up import warm_up
    from devices.interface import Support

    profile = load_profile(config.robot)
    paced = config.pace == "real"
    with Server(config.endpoint, config.robot, lossless_batches=not paced) as server:
        performer = Performer(profile, Support(config.support), config.seed)
        performer.may_step = config.stepping
        warm_up(profile)
        simulated_body(config, profile)  # the first one on a machine compiles its kernels
        missing = server.await_siblings(config.siblings, SIBLINGS_S, lambda: lifeline.ended)
        if missing:
            if lifeline.ended:
                raise CoreError("the run was ended before it began")
            raise CoreError(f"the {missing[0]} did not start within {SIBLINGS_S:g} s")
        show = _awaited_show(config, performer, server, lifeline)
        heartbeat = _start_watchdog() if paced else None
        autopilot = None
        if config.autopilot:
            autopilot = Autopilot(config.walk, config.gestures, config.pushes)
        dtype = tick_dtype(len(profile.joint_names), len(LIMBS), simulated=True)
        tape = Tape(dtype, server.publish_batch)
        warnings = become_real_time() if paced else []
        hello = (config.body, config.pace, config.seed)
        body = simulated_body(config, profile)  # last: its clock begins here
        loop = Loop(body, performer, server, tape, autopilot, heartbeat, hello)
        for sentence in warnings:
            performer.say("core", sentence, "warning")
        if show is not None:
            loop.load(show)
        freeze_garbage()
        report = loop.run(lambda: lifeline.ended)
        if not report.completed:
            print(report.reason, file=sys.stderr)
    return 0 if report.completed else 1


def _awaited_show(
    config: LaunchConfig, performer: "Performer", server: "Server", lifeline: Lifeline
) -> "PreparedShow | None":
    """Return what the stagehand made of the show, or the gestures, that the run begins with.

    A core without an autopilot waits for nobody: it asks for the show, or for the library's
    gestures, and its loop takes in what comes; until then it can stand up and be stopped.

    Raises:
        CoreError: the show is refused, or nothing came.
    """
    from core.link.messages import LoadRequest
    from core.stage.prepared import PreparedShow

    if config.show is None and not config.gestures and config.autopilot:
        return None
    server.publish_load(LoadRequest(config.show or ""))
    if not config.autopilot:
        return None
    deadline_s = time.monotonic() + SHOW_S
    while time.monotonic() < deadline_s and not lifeline.ended:
        refusal = server.refused()
        if refusal is not None:
            raise CoreError(refusal.reason)
        data = server.prepared()
        if data is not None:
            show = PreparedShow.from_bytes(data, len(performer.manager.joints))
            unknown = [name for name in config.gestures if name not in show.clips]
            if unknown:
                known = ", ".join(sorted(show.clips))
                raise CoreError(f"there is no gesture {unknown[0]!r}; choose from {known}")
            return show
        time.sleep(0.01)
    if lifeline.ended:
        return None
    raise CoreError(f"the stagehand did not hand over {config.show or 'the gestures'} in time")


def _start_watchdog() -> "Heartbeat":
    """Start the watchdog of this process and return the loop's end of its pipe."""
    from core.safety.watchdog import Heartbeat, open_pipe

    reader, writer = open_pipe()
    command = [sys.executable, "-P", "-m", "core", WATCHDOG, str(reader), str(os.getpid())]
    subprocess.Popen(command, pass_fds=(reader,), stdin=subprocess.DEVNULL, process_group=0)
    os.close(reader)
    return Heartbeat(writer)


def run_watchdog(reader: int, loop_pid: int) -> int:
    """Be the watchdog of a simulated body, whose power is the life of the loop's process."""
    from core.safety.watchdog import main as watch

    return watch(reader, lambda: os.kill(loop_pid, signal.SIGKILL), SIMULATED_SILENCE_S)


def run_scribe(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Be the scribe."""
    from core.record.scribe import run

    return run(config, lifeline)


def run_stagehand(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Be the stagehand."""
    from core.stage.stagehand import run

    return run(config, lifeline)


def run_voice(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Be the voice."""
    from core.stage.voice import run
    from devices.speaker import Speaker

    return run(config, lifeline, Speaker(config.sound))


def run_compile() -> int:
    """Compile the kernels of the tick, so that the first start need not."""
    from core.robot.profile import load_profile, robot_names
    from core.warm_up import warm_up

    simulates = importlib.util.find_spec("mujoco") is not None  # the robot's computer has none
    for name in robot_names():
        profile = load_profile(name)
        warm_up(profile)
        if simulates:
            simulated_body(LaunchConfig(endpoint=NOWHERE, robot=name), profile)
    return 0


ROLES: dict[str, Callable[[LaunchConfig, Lifeline], int]] = {
    "loop": run_loop,
    "scribe": run_scribe,
    "stagehand": run_stagehand,
    "voice": run_voice,
}
USAGE = "python -m core ROLE --json CONFIG, with ROLE one of " + ", ".join(ROLES)


def main(arguments: list[str]) -> int:
    """Be one process of the core; return its exit status: 2 is refused input."""
    # One thread a process: at this size more only disturb each other.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    if len(arguments) == 3 and arguments[0] == WATCHDOG:
        return run_watchdog(int(arguments[1]), int(arguments[2]))
    if arguments == [COMPILE]:
        return run_compile()
    lifeline = Lifeline()
    if len(arguments) != 3 or arguments[0] not in ROLES or arguments[1] != "--json":
        print(f"usage: {USAGE}", file=sys.stderr)
        return 2
    from devices.errors import DeviceError

    try:
        return ROLES[arguments[0]](LaunchConfig.from_json(arguments[2]), lifeline)
    except (CoreError, DeviceError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
