"""Finds the folders of robots."""

from pathlib import Path

from core.errors import ProfileError
from shows.folders import robot_places

PROFILE = "profile.toml"
HARDWARE = "hardware.toml"


def robot_folders() -> dict[str, Path]:
    """Return the folder of each robot by name; a folder named first wins."""
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
