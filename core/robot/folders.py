"""Finds the folders of robots."""

import os
from pathlib import Path

from core.errors import ProfileError

ROBOTS = Path(__file__).parents[2] / "assets" / "robots"
VARIABLE = "FOOTLIGHT_ROBOTS"
"""Environment variable with further folders of robots, separated as in PATH."""
PROFILE = "profile.toml"
HARDWARE = "hardware.toml"


def robot_folders() -> dict[str, Path]:
    """Return the folder of each robot by name; a folder named first wins."""
    added = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    found: dict[str, Path] = {}
    for place in (ROBOTS, *added):
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
