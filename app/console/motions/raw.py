"""The raw motion that a gesture is made of: a take, or a motion of another program."""

from pathlib import Path

from shows.joints import JointTable
from shows.motion import Motion, load_raw_motion
from shows.overdub import read_whole
from shows.take import ENDING


def raw_whole(path: Path, joints: JointTable) -> tuple[Motion, Path | None]:
    """Return the motion of a take or of an imported file as it is, and its sound or None.

    Raises:
        ShowError: it cannot be read, or is not of this robot.
    """
    if path.suffix == ENDING:
        return read_whole(path, joints)
    return load_raw_motion(path, joints), None
