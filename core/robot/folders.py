"""Finds the folders of robots, and the default robot."""

import os
import tomllib
from pathlib import Path

from core.errors import ProfileError
from shows.folders import robot_places

CHOICE = "FOOTLIGHT_ROBOT"
"""Environment variable with the name of the default robot."""
PROFILE = "profile.toml"
HARDWARE = "hardware.toml"


def robot_folders() -> dict[str, Path]:
    """Return the folder of each robot by name; the first of two with the same name wins."""
    found: dict[str, Path] = {}
    for place in robot_places():
        for path in sorted(place.glob(f"*/{PROFILE}")):
            found.setdefault(path.parent.name, path.parent)
    return found


def robot_folder(name: str) -> Path:
    """Return the folder of a robot.

    Raises:
        ProfileError: there is no such robot.
    """
    folders = robot_folders()
    if name not in folders:
        known = ", ".join(sorted(folders))
        raise ProfileError(PROFILE, "robot", f"no robot is called {name!r}; known are: {known}")
    return folders[name]


def default_robot() -> str:
    """Return the default robot.

    It is the one in the environment variable, else the first by name whose profile has
    `default = true`, else the first by name.

    Raises:
        ProfileError: there is no robot.
    """
    chosen = os.environ.get(CHOICE, "")
    if chosen:
        return chosen
    folders = robot_folders()
    if not folders:
        raise ProfileError(PROFILE, "robot", "there is no robot: name a folder in FOOTLIGHT_ROBOTS")
    names = sorted(folders)
    return next((name for name in names if _value(folders[name], "default") is True), names[0])


def papers() -> dict[str, str]:
    """Return the robot of each paper whose experiments are made with one robot only."""
    found = ((_value(folder, "paper"), name) for name, folder in robot_folders().items())
    return {str(paper): name for paper, name in found if paper}


def _value(folder: Path, key: str) -> object:
    """Return a value of a profile; None if the file cannot be read, which its reader reports."""
    try:
        with (folder / PROFILE).open("rb") as stream:
            return tomllib.load(stream).get(key)
    except (OSError, ValueError):
        return None
