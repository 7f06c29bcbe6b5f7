"""`footlight export`: a motion for other programs, and as pictures for people without this one."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.import_motion import add_span
from app.commands.options import add_robot
from app.commands.output import refuse, say
from app.commands.values import bounded, size, whole, words

if TYPE_CHECKING:
    from app.exchange.notes import Notes
    from core.robot.profile import Profile
    from shows.motion import Motion

DATA = (".json", ".csv", ".bvh")
PICTURES = (".gif", ".png")


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "export",
        help="write a motion as JSON, CSV, BVH, GIF or a picture strip",
        description="Write a motion: .json for this program, .csv for spreadsheets and scripts, "
        ".bvh for animation programs, .gif and .png for people without this program.",
    )
    parser.set_defaults(perform=perform)
    parser.add_argument(
        "motion", metavar="MOTION", help="name of a gesture, or a file: .json, .csv, .take"
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="file to write; its ending decides")
    add_robot(parser)
    parser.add_argument("--show", type=Path, help="show whose gestures come first")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    add_span(parser)
    pictures = parser.add_argument_group("pictures")
    pictures.add_argument("--title", type=words("the title", 200), help="heading of a strip")
    pictures.add_argument(
        "--size",
        type=size,
        metavar="WxH",
        help="size of a picture [pixels] (default: 360x480)",
        default=(360, 480),
    )
    pictures.add_argument(
        "--view",
        choices=("front", "left", "right", "back", "above"),
        default="front",
        help="side of the robot that is seen (default front)",
    )
    pictures.add_argument(
        "--paper",
        choices=("light", "dark"),
        default="light",
        help="light for documents, dark for screens (default light)",
    )
    pictures.add_argument(
        "--fps",
        type=bounded("--fps", 1.0, 50.0),
        default=20.0,
        metavar="N",
        help="pictures a second of a GIF (default 20)",
    )
    pictures.add_argument(
        "--count",
        type=whole("--count", 1, 24),
        default=6,
        metavar="N",
        help="pictures of a strip (default 6)",
    )


def perform(options: Namespace) -> int:
    """Export a motion; the status is 0 if it was written."""
    from rich.console import Console

    from app.commands.robot import profile_of
    from app.exchange.notes import Notes
    from app.exchange.reading import find_motion, span_of
    from core.errors import CoreError
    from core.robot.joint_table import joint_table
    from shows.errors import ShowError
    from shows.files import write_atomically
    from shows.folders import gesture_folders

    out: Path = options.out
    try:
        _check(out, options.force)
        with Notes(f"reading {Path(options.motion).name}") as notes:
            profile = profile_of(options)
            folders = gesture_folders(profile.name)
            motion = find_motion(options.motion, joint_table(profile), folders, options.show)
            motion = span_of(motion, options.start_s, options.end_s)
            data, what = _encode(motion, profile, options, notes)
            notes.say(f"writing {out.name}")
            write_atomically(out, data)
    except (CoreError, ShowError) as error:
        return refuse(error)
    except ModuleNotFoundError as error:
        return refuse(f"pictures need {error.name}, which is not installed: make setup does it")
    say(Console(), f"{out}: {what}, {len(data) / 1000:.0f} kB")
    return 0


def _check(out: Path, force: bool) -> None:
    """Refuse a file that cannot be written.

    Raises:
        ShowError: with the reason.
    """
    from shows.errors import ShowError

    if out.suffix.lower() not in (*DATA, *PICTURES):
        advice = f"choose one of {', '.join((*DATA, *PICTURES))}"
        raise ShowError(out.name, "", "ends with no format that can be written", advice)
    if not out.absolute().parent.is_dir():
        raise ShowError(out, "", "its folder does not exist", "make it first")
    if out.is_dir():
        raise ShowError(out, "", "is a folder", "name a file")
    if out.exists() and not force:
        raise ShowError(out, "", "is there already", "choose another name, or add --force")


def _encode(
    motion: "Motion", profile: "Profile", options: Namespace, notes: "Notes"
) -> tuple[bytes, str]:
    """Return the file's bytes, and what they are.

    Raises:
        ShowError: the motion does not fit the format.
    """
    from app.exchange.encoding import encode_data
    from core.report.figure import figure_of

    suffix = options.out.suffix.lower()
    if suffix in DATA:
        return encode_data(motion, suffix, options.out.stem, lambda: figure_of(profile))
    from app.film.film import Film, Look
    from core.robot.profile import REST

    look = Look(options.size, options.view, options.paper)
    notes.say("preparing the pictures")
    resting = dict(zip(profile.joint_names, profile.posture(REST).tolist(), strict=True))
    film = Film(motion, figure_of(profile), resting, look, notes.count)
    if suffix == ".gif":
        return film.animated(options.fps)
    return film.strip(options.count, options.title or motion.title or motion.name, profile.title)
