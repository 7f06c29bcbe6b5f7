"""`footlight preflight`: the check of a show without playing it."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_robot
from app.commands.output import complain, refuse


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("preflight", help="check a show without playing it")
    parser.set_defaults(perform=perform)
    parser.add_argument("show", type=Path, help="folder or zip")
    add_robot(parser)


def perform(options: Namespace) -> int:
    """Check a show without playing it."""
    from rich.console import Console

    from app.commands.robot import profile_of
    from app.progress import verdict_table
    from core.errors import CoreError
    from core.stage.preflight import preflight_show
    from shows.errors import ShowError

    try:
        with Console(stderr=True).status(f"reading {options.show}") as status:

            def progress(done: int, cues: int) -> None:
                status.update(f"{done} of {cues} cues")

            profile = profile_of(options)
            found = preflight_show(options.show, profile, progress, with_takes=True)
    except (CoreError, ShowError) as error:
        return refuse(error)
    for warning in found.warnings:
        complain(warning)
    Console().print(verdict_table(str(options.show), found.rows()))
    return 0 if found.passed else 1
