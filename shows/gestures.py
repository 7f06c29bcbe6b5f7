"""The gestures of a robot: its own and those of the shared library that its joints can play."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion, load_motion


@dataclass(frozen=True, slots=True)
class Gestures:
    """Gestures that a robot can play.

    Attributes:
        motions: the gestures by name.
        left_out: the reason for each gesture that the robot cannot play, by name.
        robot: name of the robot.
    """

    motions: dict[str, Motion]
    left_out: dict[str, str]
    robot: str = ""

    def warnings(self) -> tuple[str, ...]:
        """Return one sentence for each reason to leave gestures, or the body of some, out."""
        names: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            names.setdefault(reason, []).append(name)
        left_out = [f"left out: {', '.join(group)} ({why})" for why, group in names.items()]
        return (*left_out, *bodiless(self.motions, self.robot))


def bodiless(motions: Mapping[str, Motion], robot: str) -> tuple[str, ...]:
    """Return a sentence about the motions that a robot plays without their body, if there are."""
    names = [name for name, motion in motions.items() if motion.bodiless]
    if not names:
        return ()
    return (f"played without the body: {', '.join(names)} ({robot} has no body as a limb)",)


def find_gesture(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the file of a gesture, in the first folder that has it."""
    paths = (folder / f"{name}.json" for folder in folders)
    return next((path for path in paths if path.is_file()), None)


def gesture_files(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the file of each gesture by name, in the order of the names."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in folder.glob("*.json"):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def load_gestures(joints: JointTable, folders: Iterable[Path]) -> Gestures:
    """Return the gestures that a robot can play.

    Args:
        joints: the robot's joints and limits.
        folders: see `shows.folders.gesture_folders`.
    """
    gestures = Gestures({}, {}, joints.robot)
    for name, path in gesture_files(folders).items():
        try:
            gestures.motions[name] = load_motion(path, joints)
        except ShowError as error:
            gestures.left_out[name] = f"{error.place}: {error.reason}"
    return gestures
