"""`footlight console`: the operator's window on a core."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_robot
from app.commands.output import refuse
from app.commands.values import DEFAULT_PORT, endpoint


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("console", help="open the operator's console on a core")
    parser.set_defaults(perform=perform)
    parser.add_argument("show", nargs="?", type=Path, help="folder or zip to open")
    add_robot(parser)
    parser.add_argument(
        "--connect",
        type=endpoint,
        default=f"tcp/127.0.0.1:{DEFAULT_PORT}",
        metavar="ENDPOINT",
        help="where the core listens, on this machine (default: %(default)s)",
    )


def perform(options: Namespace) -> int:
    """Open the operator's console on a core that runs, or will run."""
    from app.commands.robot import robot_of
    from app.keeper import no_display
    from core.errors import CoreError

    if options.show is not None and not options.show.exists():
        return refuse(f"there is no show {options.show}")
    try:
        robot = robot_of(options)
    except CoreError as error:
        return refuse(error)
    reason = no_display(os.environ)
    if reason:
        return refuse(f"{reason}: the console needs one")
    try:
        from app.console.application import run
    except ModuleNotFoundError as error:
        return refuse(f"the console needs {error.name}, which is not installed: make setup does it")
    show = None if options.show is None else options.show.resolve()
    return run(options.connect, robot, show)
