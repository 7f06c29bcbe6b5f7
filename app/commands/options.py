"""Options that several commands share."""

import argparse
from pathlib import Path
from typing import Any

from app.commands.values import bounded, push, sound, source, whole


def add_robot(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses the robot."""
    parser.add_argument(
        "--robot",
        metavar="NAME",
        help="model of the robot (default: FOOTLIGHT_ROBOT, or the profile marked as default)",
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of every run of a core."""
    add_robot(parser)
    parser.add_argument(
        "--pace", choices=("real", "max"), default="real", help="hold real time, or do not"
    )
    parser.add_argument(
        "--seed",
        type=whole("the seed", 0, 2**53),
        default=0,
        metavar="N",
        help="seed of the simulated noise (default 0)",
    )
    parser.add_argument("--log", type=Path, metavar="RUN.mcap", help="write the record of the run")
    parser.add_argument(
        "--sound",
        type=sound,
        metavar="DEVICE",
        help="name of the sound device, or a part of it (default: the system's usual one)",
    )
    parser.add_argument(
        "--source",
        type=source,
        metavar="PROTOCOL[:PORT][@HOST]",
        help="motion capture of a person whom the robot may follow: vmc, mvn or natnet; it is "
        "heard from HOST only, without it from nobody until the console pairs it; camera[:NUMBER] "
        "looks through a webcam (default 0), camera:FILE at a video",
    )


def add_body_options(parser: argparse.ArgumentParser, real: bool) -> None:
    """Add the options of the body below the core.

    Args:
        parser: of the command.
        real: the command may run the real robot, which nothing pushes.
    """
    group: Any = parser.add_argument_group("body")
    group.add_argument(
        "--body",
        choices=("sim", "twin", "real") if real else ("sim", "twin"),
        default="sim",
        help="a simulation; a twin, which speaks every device's bytes on serial lines"
        + ("; or the robot" if real else "")
        + " (default %(default)s)",
    )
    group.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where the serial lines are, or where a twin puts its own",
    )
    if real:
        group.add_argument(
            "--calibration",
            type=Path,
            metavar="FILE",
            help="calibration of the robot unit (default: the only one on this computer)",
        )
    add_faults(group)
    group.add_argument(
        "--support",
        metavar="NAME",
        help="what carries the robot besides its feet: floor, gantry, seated or mounted "
        "(default: the first of the robot's profile)",
    )
    if not real:
        group.add_argument(
            "--push",
            type=push,
            action="append",
            default=[],
            metavar='"t=…,dur=…,fx=…,fy=…,fz=…"',
            help="push the torso, world frame [s, N]; may be repeated",
        )
    group.add_argument(
        "--slope",
        type=bounded("the slope", -15.0, 15.0),
        default=0.0,
        metavar="DEG",
        help="slope of the ground, uphill positive",
    )
    group.add_argument(
        "--friction",
        type=bounded("the friction", 0.01, 3.0),
        metavar="MU",
        help="coefficient of friction of the ground",
    )
    group.add_argument(
        "--payload",
        type=bounded("the payload", 0.0, 5.0),
        default=0.0,
        metavar="KG",
        help="mass that a simulated robot holds in its grip",
    )
    group.add_argument(
        "--stepping",
        choices=("on", "off"),
        default="on",
        help="whether balance may take a step (default on)",
    )


def add_faults(parser: Any) -> None:
    """Add the option with the fault script of a twin."""
    parser.add_argument(
        "--faults",
        type=Path,
        metavar="FILE",
        help="fault script of the twin: a time [s] and an order on each line",
    )


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that looks at a robot's serial lines."""
    add_robot(parser)
    parser.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where the serial lines are (default: /dev/footlight; a twin's own)",
    )
    add_faults(parser)


def whole_path(path: Path | None) -> str | None:
    """Return an absolute path as text; None stays None."""
    return None if path is None else str(path.absolute())
