"""Motions in files of this program: gestures, motions, takes and tables."""

from collections.abc import Sequence
from pathlib import Path

from shows.csv_motion import CsvReading, load_csv
from shows.errors import ShowError
from shows.gestures import find_gesture
from shows.joints import JointTable
from shows.motion import Motion, load_motion, load_raw_motion
from shows.overdub import read_whole
from shows.process.trim import trim
from shows.storage import load_show
from shows.take import ENDING

READ = (".json", ".csv", ENDING)
"""Endings of the files that hold a motion of the robot."""


def read_table(path: Path, name: str, joints: JointTable) -> CsvReading:
    """Return the motion of a table of the robot's joints; it may go beyond their limits.

    Raises:
        ShowError: with the line and the reason; it names every column that is no joint.
    """
    reading = load_csv(path, name)
    names = reading.motion.joint_names
    unknown = [joint for joint in names if joint not in joints.index]
    if unknown:
        reason = f"{joints.robot} has no joint {', '.join(map(repr, unknown))}"
        advice = f"name the columns after its joints: {', '.join(joints.limb_of)}"
        raise ShowError(path.name, "line 1", reason, advice)
    legs = [joint for joint in names if joint not in joints.limb_of]
    if legs:
        reason = f"{', '.join(legs)}: a gesture cannot move a leg"
        raise ShowError(path.name, "line 1", reason, "leave these columns out")
    return reading


def find_motion(
    text: str, joints: JointTable, folders: Sequence[Path], show: Path | None = None
) -> Motion:
    """Return the motion of a file, a take, or a gesture's name.

    Args:
        text: a path, or the name of a gesture of the show, the robot or the library.
        joints: the robot's joints.
        folders: folders of gestures; the first that has it wins.
        show: a show whose gestures come first; None for none.

    Raises:
        ShowError: there is none, or it cannot be read.
    """
    path = Path(text)
    if path.suffix or "/" in text:
        return _of_file(path, joints)
    if show is not None:
        motions = load_show(show, joints, unfinished=True).motions
        if text in motions:
            return motions[text]
    found = find_gesture(text, folders)
    if found is None:
        where = "library, robot" if show is None else "show, library, robot"
        advice = f"name a gesture, or a file that ends with {', '.join(READ)}"
        raise ShowError(text, "", f"is no gesture of {where}", advice)
    return load_motion(found, joints)


def span_of(motion: Motion, start_s: float | None, end_s: float | None) -> Motion:
    """Return the part of a motion between two times; None is its beginning or end.

    Raises:
        ShowError: the span is empty or not inside the motion.
    """
    if start_s is None and end_s is None:
        return motion
    last_s = motion.duration_s if end_s is None else end_s
    return trim(motion, 0.0 if start_s is None else start_s, last_s)


def _of_file(path: Path, joints: JointTable) -> Motion:
    """Return the motion of a file."""
    suffix = path.suffix.lower()
    if suffix == ENDING:
        return read_whole(path, joints)[0]
    if suffix == ".csv":
        return read_table(path, path.stem, joints).motion
    if suffix == ".json":
        return load_raw_motion(path, joints)
    advice = f"choose one that ends with {', '.join(READ)}, or import it first"
    raise ShowError(path.name, "", "is no file of a motion of the robot", advice)
