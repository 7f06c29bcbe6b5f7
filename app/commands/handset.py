"""`footlight handset`: the window of a twin's handset."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_robot
from app.commands.output import refuse


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("handset", help="open the handset of a twin that runs")
    parser.set_defaults(perform=perform)
    add_robot(parser)
    parser.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where the twin puts its serial lines (default: the only twin that runs)",
    )


def perform(options: Namespace) -> int:
    """Open the handset of a twin."""
    from app.commands.robot import profile_of
    from app.keeper import no_display
    from core.errors import CoreError
    from core.handset.kept import kept_path, read_kept
    from core.link.handset import use_words
    from core.link.hello import BatteryRange

    try:
        profile = profile_of(options)
    except CoreError as error:
        return refuse(error)
    own = profile.handset
    if own is None:
        return refuse(f"{profile.title} has no handset")
    reason = no_display(os.environ)
    if reason:
        return refuse(f"{reason}: the handset's window needs one")
    try:
        from app.handset.application import choose_twin, run
    except ModuleNotFoundError as error:
        return refuse(f"the handset needs {error.name}, which is not installed: make setup does it")
    folder: Path | None = options.ports
    if folder is None:
        folder, reason = choose_twin()
        if folder is None:
            return refuse(reason)

    def uses() -> list[str]:
        layout, _ = read_kept(kept_path(profile.name))
        buttons = (layout or own.map).buttons
        return list(map(use_words, buttons))

    battery, voltages = profile.battery, None
    if battery is not None:
        nominal_v = profile.supply.nominal_v
        voltages = BatteryRange(nominal_v, battery.low_v, battery.critical_v, battery.flat_v)
    return run(folder.absolute(), uses, voltages)
