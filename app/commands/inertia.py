"""`footlight inertia`: how the centroidal inertia of robots changes with their posture."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.output import complain, refuse, say
from app.commands.values import mass_move, pose_grid

if TYPE_CHECKING:
    from core.robot.profile import Profile

_PLAIN_WIDTH = 150  # of a table in a file


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "inertia", help="compare how the centroidal inertia of robots changes with their posture"
    )
    parser.set_defaults(perform=perform)
    parser.add_argument(
        "robots",
        nargs="*",
        metavar="ROBOT",
        help="names of robots; the others are compared with the first (default: all that can be)",
    )
    parser.add_argument(
        "--move",
        type=mass_move,
        action="append",
        default=[],
        metavar="KG:FROM:TO",
        help="move a mass from the centre of mass of one link to that of another; LINK@origin is "
        "the axis of the link's joint; several make one design",
    )
    parser.add_argument(
        "--grid",
        type=pose_grid,
        default=(10, 10, 30),
        metavar="XxYxT",
        help="end points along x and y, and instants of each swing (default 10x10x30)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures and settings")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="draw figures")


def perform(options: Namespace) -> int:
    """Compare robots; the status is 0 only if every pose is reached."""
    from rich.console import Console

    from core.errors import CoreError
    from core.lab.inertia.designs import Move
    from core.lab.inertia.plots import draw
    from core.lab.inertia.poses import Grid
    from core.lab.inertia.report import as_json, results_table, sentences
    from core.lab.inertia.study import Row, compare
    from core.lab.measure.pyplot import load_pyplot

    grid, moves = Grid(*options.grid), [Move(*move) for move in options.move]
    rows: list[Row] = []
    try:
        profiles = _chosen(options.robots)
        if moves and len(profiles) != 1:
            return refuse("--move changes one robot: name it")
        reason = _unwritable(options.json, options.plot)
        if reason:
            return refuse(reason)
        if options.plot is not None:
            load_pyplot()
        with Console(stderr=True).status("") as status:
            for profile in profiles:

                def told(done: int, title: str = profile.title) -> None:
                    status.update(f"{title}: {done} of {grid.poses} poses")

                told(0)
                rows += compare(profile, grid, moves, told)
        console = Console()
        if not console.is_terminal:
            console = Console(width=_PLAIN_WIDTH)
        console.print(results_table(rows, grid))
        for sentence in sentences(rows):
            say(console, sentence)
        if options.json is not None:
            options.json.write_text(as_json(rows, profiles, grid), encoding="utf-8")
        for path in draw(rows, options.plot) if options.plot is not None else ():
            say(console, f"figure: {path}")
    except CoreError as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"the results cannot be written: {error}")
    except KeyboardInterrupt:
        complain("ended by SIGINT")
        return 1
    return 1 if any(row.poses.unreachable for row in rows) else 0


def _chosen(names: list[str]) -> "list[Profile]":
    """Return the profiles of robots, or of all that can be compared.

    Raises:
        ProfileError: there is no such robot, or its profile cannot be used.
    """
    from core.robot.folders import robot_folders
    from core.robot.profile_file import load_profile

    if names:
        return [load_profile(name) for name in dict.fromkeys(names)]
    profiles = [load_profile(name) for name in sorted(robot_folders())]
    return [profile for profile in profiles if profile.inertia is not None]


def _unwritable(file: Path | None, folder: Path | None) -> str:
    """Return why a place cannot be written; empty if it can."""
    for place in (file, folder):
        if place is not None and not place.absolute().parent.is_dir():
            return f"{place} cannot be written: its folder does not exist"
    if file is not None and file.is_dir():
        return f"{file} cannot be written: it is a folder"
    if folder is not None and folder.exists() and not folder.is_dir():
        return f"{folder} takes no figures: it is no folder"
    return ""
