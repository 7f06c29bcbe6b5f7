"""`footlight adapt`: gestures that were made for one robot become gestures of another."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.options import add_robot
from app.commands.output import refuse

if TYPE_CHECKING:
    from core.retarget.limbs import RetargetLimbs
    from core.stage.body import PreflightBody
    from shows.motion import Motion

HEADS = ("gesture", "result", "length", "largest error", "without, or why not")


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "adapt",
        help="make a robot's gestures of those of the library",
        description="Make gestures of a robot of those that the library has for another robot: "
        "upper arms, forearms and the head keep their directions. A gesture whose meaning lies in "
        "a part that the robot lacks, that it cannot follow, or in which its parts would touch is "
        "left out with the reason.",
    )
    parser.set_defaults(perform=perform)
    parser.add_argument("gestures", nargs="*", metavar="GESTURE", help="by name (default: all)")
    add_robot(parser)
    parser.add_argument(
        "--from",
        dest="made_for",
        metavar="NAME",
        help="robot that the library's gestures were made for (default: the default robot)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where to write (default: the robot's gestures)"
    )


def perform(options: Namespace) -> int:
    """Adapt gestures; the status is 1 if one that was named is left out."""
    from rich.console import Console

    from app.commands.robot import profile_of
    from app.progress import cells_table
    from core.errors import CoreError
    from core.retarget.adapt import SETTINGS
    from core.retarget.limbs import find_limbs
    from core.robot.folders import default_robot, robot_folder
    from core.robot.profile_file import load_profile
    from core.stage.body import body_from_profile
    from shows.errors import ShowError
    from shows.folders import GESTURES
    from shows.gestures import gesture_files

    try:
        profile = profile_of(options)
        first = load_profile(options.made_for or default_robot())
        if first.name == profile.name:
            return refuse(f"the gestures are {profile.title}'s own; choose another --robot")
        known = gesture_files((GESTURES,))
        unknown = [name for name in options.gestures if name not in known]
        if unknown:
            return refuse(f"the library has no gesture {unknown[0]!r}; it has {', '.join(known)}")
        made_for = find_limbs(first, SETTINGS)
        limbs = find_limbs(profile, SETTINGS)
        folder = options.out or robot_folder(profile.name) / "gestures"
        body = body_from_profile(profile)
        names = options.gestures or list(known)
        rows = []
        with Console(stderr=True).status("") as status:
            for name in names:
                status.update(f"{profile.title}: {name}")
                rows.append(_adapt(known[name], made_for, limbs, body, folder))
    except (CoreError, ShowError) as error:
        return refuse(error)
    Console().print(cells_table(f"{profile.title}: gestures of {first.title}", HEADS, rows))
    left_out = [row for row in rows if row[1] != "adapted"]
    return 1 if options.gestures and left_out else 0


def _adapt(
    path: Path,
    made_for: "RetargetLimbs",
    limbs: "RetargetLimbs",
    body: "PreflightBody",
    folder: Path,
) -> tuple[str, ...]:
    """Adapt one gesture, write it, and return its row of the table.

    Raises:
        ShowError: the file cannot be read or written.
    """
    from core.retarget.adapt import SETTINGS, adapt
    from shows.errors import ShowError
    from shows.motion import load_motion, save_motion

    motion = load_motion(path, made_for.joints)
    try:
        found = adapt(motion, made_for, limbs, SETTINGS)
    except ShowError as error:
        return motion.name, "left out", "", "", error.reason
    fault = _fault(found.motion, body)
    if fault:
        return motion.name, "left out", "", "", fault
    save_motion(found.motion, folder / path.name)
    slowed = f", {found.slowed:.2f} times slower" if found.slowed > 1.0 else ""
    error_deg, segment, time_s = found.largest_error()
    worst = f"{error_deg:.1f}°" + (f" ({segment} at {time_s:.2f} s)" if error_deg > 0.95 else "")
    length = f"{found.motion.duration_s:.1f} s{slowed}"
    return motion.name, "adapted", length, worst, _listed(found.lost)


def _fault(motion: "Motion", body: "PreflightBody") -> str:
    """Return why a robot cannot play a motion on its own; empty if it can."""
    from core.stage.flatten import prepare
    from core.stage.preflight import preflight
    from shows.document import Cue, GestureClip, GestureTrack, Show
    from shows.storage import LoadedShow

    clip = GestureClip(motion=motion.name)
    cue = Cue(number="1", name=motion.name, tracks=(GestureTrack(clips=(clip,)),))
    show = Show(name=motion.name, cues=(cue,))
    loaded = LoadedShow(show, {motion.name: motion}, {}, (), Path())
    (result,) = preflight(prepare(loaded, body.table), body)
    return "" if result.passed else result.reason


def _listed(joints: tuple[str, ...]) -> str:
    """Return names of joints, the sides of one joint together."""
    plain = (joint.removeprefix("left_").removeprefix("right_") for joint in joints)
    return ", ".join(dict.fromkeys(name.replace("_", " ") for name in plain))
