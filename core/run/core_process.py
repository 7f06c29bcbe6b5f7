"""The process of the core: builds everything around the loop and runs it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeAlias

from core.errors import CoreError
from core.handset.operator import fit
from core.link import topics
from core.link.requests import LoadRequest
from core.link.server import Server
from core.plants.build import build_plant
from core.record.tape import Tape
from core.report.telemetry import Telemetry
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.run.autopilot import Autopilot
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.run.processes import SCRIBE, STAGEHAND
from core.run.realtime import become_real_time, freeze_garbage
from core.run.warm_up import warm_up
from core.safety.rules import RULES, rehearsal_rules
from core.safety.watchdog import Heartbeat, open_pipe
from core.stage.prepared import PreparedShow
from core.tick.loop import FIRST_ROWS, Loop
from core.tick.performer import Performer
from devices.interface import Body, Handset, Support

SIBLINGS_S = 30.0  # longest start of the siblings, on a slow machine
SHOW_S = 60.0  # longest preparation of a show by the stagehand
WATCHDOG = "watchdog"
SILENCE_S = 0.1  # silence after which a loop that drives a robot is killed
SIMULATED_SILENCE_S = 1.0  # a machine that simulates may stall for 100 ms
TWIN_SILENCE_S = 60.0  # the loop waits half of this for an answer of its twin

BodyOf: TypeAlias = Callable[[LaunchConfig, Profile], tuple[Body, Handset | None]]


def run(config: LaunchConfig, lifeline: Lifeline, body_of: BodyOf) -> int:
    """Run the core: load everything, wait for the siblings, and loop until the end.

    Args:
        config: the launch configuration.
        lifeline: ends the run from outside.
        body_of: makes the body of a launch, and the operator's handset if there is one.

    Raises:
        CoreError: the run cannot start.
    """
    profile = load_profile(config.robot)
    paced = config.pace == "real"
    with Server(config.endpoint, config.robot, lossless_batches=not paced) as server:
        plant = build_plant(profile, Support(profile.chosen_support(config.support)))
        plant.can_step = config.stepping
        rules = RULES if config.body == "real" else rehearsal_rules()
        performer = Performer(profile, plant, config.seed, rules)
        warm_up(profile)
        if config.body == "sim":
            body_of(config, profile)  # the first call on a machine compiles its kernels
        missing = server.await_siblings(config.siblings, SIBLINGS_S, lambda: lifeline.ended)
        if missing:
            if lifeline.ended:
                raise CoreError("the run was ended before it started")
            raise CoreError(f"the {missing[0]} did not start within {SIBLINGS_S:g} s")
        show = _awaited_show(config, performer, server, lifeline)
        silences_s = {"real": SILENCE_S, "sim": SIMULATED_SILENCE_S, "twin": TWIN_SILENCE_S}
        heartbeat = _start_watchdog(silences_s[config.body]) if paced else None
        autopilot = None
        if config.autopilot:
            autopilot = Autopilot(config.walk, config.gestures, config.pushes, config.sways)
        simulated = config.body != "real"
        dtype = Telemetry.dtype(performer, simulated)
        tape = Tape(dtype, server.publish_batch, first_rows=FIRST_ROWS)
        warnings = become_real_time() if paced else []
        hello = (config.body, config.pace, config.seed)
        for refused in warnings:
            performer.say("core", refused)
        body, held = body_of(config, profile)  # last: the clock of a simulation starts here
        handset = None if held is None else fit(held, performer)
        # At any other pace than real time, silence has no meaning.
        missed = [name for name in (SCRIBE, STAGEHAND) if paced and name in config.siblings]
        loop = Loop(
            body, performer, server, tape, autopilot, heartbeat, hello, handset, tuple(missed)
        )
        if show is not None:
            loop.load(show)
        freeze_garbage()
        report = loop.run(lambda: lifeline.ended)
        if not report.completed:
            print(report.reason, file=sys.stderr)
    return 0 if report.completed else 1


def _awaited_show(
    config: LaunchConfig, performer: Performer, server: Server, lifeline: Lifeline
) -> PreparedShow | None:
    """Return the prepared show, or gestures, with which the run starts.

    A core without an autopilot does not wait: it requests the show, or the library's gestures,
    and its loop loads them when they arrive; until then the robot can stand up and be stopped.

    Raises:
        CoreError: the show is refused or did not arrive in time.
    """
    if config.show is None and not config.gestures and config.autopilot:
        return None
    server.publish(LoadRequest(config.show or ""))
    if not config.autopilot:
        return None
    deadline_s = time.monotonic() + SHOW_S
    while time.monotonic() < deadline_s and not lifeline.ended:
        refusal = server.poll(topics.REFUSED)
        if refusal is not None:
            raise CoreError(refusal.reason)
        data = server.poll(topics.PREPARED)
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
    raise CoreError(f"the stagehand did not prepare {config.show or 'the gestures'} in time")


def _start_watchdog(silence_s: float) -> Heartbeat:
    """Start the watchdog of this process and return the loop's end of its pipe."""
    reader, writer = open_pipe()
    numbers = (str(reader), str(os.getpid()), str(silence_s))
    command = [sys.executable, "-P", "-m", "core", WATCHDOG, *numbers]
    subprocess.Popen(command, pass_fds=(reader,), stdin=subprocess.DEVNULL, process_group=0)
    os.close(reader)
    return Heartbeat(writer)
