"""`footlight rehearse`: a show, or a walk, on a simulated robot."""

import math
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.options import add_body_options, add_run_options
from app.commands.output import refuse
from app.commands.values import gestures, sway, walk

if TYPE_CHECKING:
    from app.commands.understudy import Understudy
    from core.robot.profile import Profile
    from core.run.launch import SwayOrder, WalkOrder

AFTER_JUMPS_S = 1.5  # from the end of the last jump of an order to the next order


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("rehearse", help="run a show, or walk, on a simulated robot")
    parser.set_defaults(perform=perform)
    parser.add_argument(
        "show", nargs="?", type=Path, help="folder or zip (default: the robot's sample show)"
    )
    parser.add_argument(
        "--walk",
        type=walk,
        action="append",
        default=[],
        metavar='"gait=…,vx=…,vy=…,yaw=…,dur=…"',
        help="walk, run (gait=run) or jump (gait=jump,count=…,flight=…,dx=…,dy=…,turn=…,period=…) "
        "instead of a show [m, s, rad]; all zero stands, step=1 steps in place; may be repeated",
    )
    parser.add_argument(
        "--gestures",
        type=gestures,
        default=(),
        metavar="NAME,NAME,…",
        help="gestures to play, one after the other, while walking",
    )
    parser.add_argument(
        "--sway",
        type=sway,
        action="append",
        default=[],
        metavar='"direction=…,amplitude=…,frequency=…,cycles=…,t=…"',
        help="sway (direction left or forward) or squat (up) while standing [m, Hz, s]; needs "
        "--walk; may be repeated",
    )
    parser.add_argument("--headless", action="store_true", help="no console")
    add_run_options(parser)
    add_body_options(parser, real=False)


def perform(options: Namespace) -> int:
    """Open the console on a simulated robot; or play a show, or walk, without one."""
    from app.commands.robot import profile_of
    from app.commands.run import RunError, configure, run
    from core.errors import CoreError
    from core.run.launch import PushOrder, SwayOrder

    reason = _contradiction(options)
    if reason:
        return refuse(reason)
    try:
        profile = profile_of(options)
        if options.walk and profile.pace is None:
            return refuse(f"{profile.title} does not walk: leave out --walk")
        orders, reason = _walk_orders(options.walk, profile)
        if reason:
            return refuse(reason)
        sways = tuple(SwayOrder(**order) for order in options.sway)
        reason = _sways_too_far(sways, profile)
        if reason:
            return refuse(reason)
        show = None if options.walk else options.show or profile.sample_show
        if show is None and not options.walk:
            return refuse(f"{profile.title} has no sample show: name a SHOW")
        if show is not None and not show.exists():
            return refuse(f"there is no show {show}")
        opens = not (options.headless or options.walk)
        reason = _no_console(options) if opens else ""
        if reason:
            print(f"footlight: {reason}: the rehearsal operates itself, without a picture")
        opens = opens and not reason
        whole_show = None if show is None else show.resolve()
        understudy, reason = _understudy(options, whole_show, profile)
        if reason and not opens:
            return refuse(reason)
        if understudy is not None:
            options.source = understudy.source
        config = configure(
            options,
            # A console sends the core the show that it opens, with its edits.
            autopilot=not opens,
            show=None if opens or whole_show is None else str(whole_show),
            walk=orders,
            gestures=options.gestures,
            pushes=tuple(PushOrder(**order) for order in options.push),
            sways=sways,
            headless=options.headless,
        )
    except (CoreError, RunError) as error:
        return refuse(error)
    return run(config, opens, whole_show, understudy)


def _understudy(
    options: Namespace, show: Path | None, profile: "Profile"
) -> "tuple[Understudy | None, str]":
    """Return who plays the person whom a show follows, and why the show cannot play itself.

    Args:
        options: of the command.
        show: folder or zip; None without one.
        profile: of the robot.
    """
    from app.commands.understudy import Understudy, follows
    from shows.live import performer_of

    if show is None or not follows(show, profile):
        return None, ""
    if options.pace != "real":
        return None, "a show that follows a person is rehearsed at --pace real only"
    if options.source:
        return None, ""
    take = performer_of(show)
    if take is None:
        return None, f"{show.name} follows a person: give --source, or add takes/performer.bvh"
    return Understudy(take), ""


def _contradiction(options: Namespace) -> str:
    """Return why the options do not fit together; empty if they do."""
    if options.show is not None and options.walk:
        return "a rehearsal either plays a show or walks: leave out SHOW or --walk"
    if options.gestures and not options.walk:
        return "--gestures plays while walking: add --walk"
    if options.sway and not options.walk:
        return '--sway is for a robot that stands: add --walk "dur=…"'
    moves = any(map(_moves, options.walk))
    if moves and (options.support == "seated" or options.stepping == "off"):
        cause = "seated" if options.support == "seated" else "not allowed to step"
        return f"the robot is {cause}, so it cannot walk; leave out gait, vx, vy, yaw and step"
    return ""


def _moves(order: Mapping[str, Any]) -> bool:
    return order["gait"] != "walk" or any(order[axis] for axis in ("vx", "vy", "yaw", "step"))


def _walk_orders(
    given: Sequence[Mapping[str, Any]], profile: "Profile"
) -> "tuple[tuple[WalkOrder, ...], str]":
    """Return the orders of --walk, and why the robot cannot obey one of them, or nothing."""
    from core.run.launch import WalkOrder
    from shows.gaits import Jump

    gaits, orders = profile.gaits, []
    for values in given:
        gait, run, jump = values["gait"], gaits.run, gaits.jump
        if gait != "walk" and getattr(gaits, gait) is None:
            reason = f"{profile.title} refuses gait={gait}: {gaits.refusal(gait)}"
            return (), f"--walk: {reason}; leave out gait={gait}"
        faults: list[tuple[str, str]] = []
        if gait == "run" and run is not None:
            faults = list(run.faults(values["vx"], values["vy"], values["yaw"]))
            flight, longest = values.get("flight", 0.0), math.inf if jump is None else jump.flight_s
            if flight > longest:
                reason = f"{flight:g} s is beyond the robot's longest flight of {longest:g} s"
                faults.append(("flight", reason))
        elif gait == "jump" and jump is not None:
            flight, period = values.get("flight", 0.0), values.get("period", 0.0)
            dx, dy, turn = (values.get(way, 0.0) for way in ("dx", "dy", "turn"))
            faults = list(jump.faults(Jump(values["count"], flight, dx, dy, turn, period)))
            dur = values["count"] * (period or jump.usual_period_s) + AFTER_JUMPS_S
            values = {"dur": dur, **values}
        for name, reason in faults:
            key = {"yaw_rate": "yaw", "flight_s": "flight", "period_s": "period"}.get(name, name)
            return (), f"--walk: {key}: {reason}; give {key} a value within it"
        orders.append(WalkOrder(**values))
    return tuple(orders), ""


def _sways_too_far(sways: "Sequence[SwayOrder]", profile: "Profile") -> str:
    """Return why the robot cannot sway as told; empty if it can."""
    limits = None if profile.biped is None else profile.biped.sway
    if limits is None:
        return f"{profile.title} does not sway: leave out --sway" if sways else ""
    for order in sways:
        for _, reason in limits.faults(order.direction, order.amplitude, order.frequency):
            return f"--sway: {reason}"
    return ""


def _no_console(options: Namespace) -> str:
    """Return why a rehearsal has no console, as the beginning of a sentence, or nothing."""
    from app.keeper import dead_display

    if options.pace != "real":
        return "nobody can operate a robot at another pace than real"
    if options.push:
        return "pushes at set times are for a robot that operates itself"
    return dead_display(os.environ)
