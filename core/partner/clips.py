"""The clips with which a robot may answer: those of a show, and the library's."""

from pathlib import Path

from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from shows import archive
from shows.errors import ShowError
from shows.folders import gesture_folders
from shows.gestures import find_gesture
from shows.motion import load_motion
from shows.repertoire import FOLDER
from shows.storage import default_cache


class Clips:
    """Knows the lengths of a robot's clips.

    Args:
        profile: of the robot.
    """

    def __init__(self, profile: Profile) -> None:
        self._joints = joint_table(profile)
        self._library = gesture_folders(profile.name)

    def duration_s(self, name: str, repertoire: Path) -> float:
        """Return the length of a clip, the show's own before the library's [s].

        Args:
            name: of the clip.
            repertoire: folder of the repertoire, inside its show.

        Raises:
            ShowError: there is no such clip, or the robot cannot play it.
        """
        path = find_gesture(name, (repertoire.parent.parent / "motions", *self._library))
        if path is None:
            reason = f"neither the show nor the library has the clip {name!r}"
            raise ShowError(repertoire.name, "answer", reason, "choose another answer")
        return load_motion(path, self._joints).duration_s


def repertoire_folder(show: Path, name: str) -> Path:
    """Return the folder of a repertoire in a show's folder or zip.

    Raises:
        ShowError: the zip cannot be unpacked.
    """
    if show.suffix == ".zip":
        show = archive.unpack(show, show.name, default_cache())
    return show / FOLDER / name
