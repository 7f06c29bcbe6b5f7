"""The program's folders: of robots, of gestures and of a user."""

import os
import tempfile
from pathlib import Path

ROBOTS = Path(__file__).parents[1] / "assets" / "robots"
LIBRARY = Path(__file__).parent / "library"
GESTURES = LIBRARY / "gestures"
VARIABLE = "FOOTLIGHT_ROBOTS"
"""Environment variable with further folders of robots, separated as in PATH."""


def robot_places() -> tuple[Path, ...]:
    """Return the folders that hold the folders of robots; the first that has a robot wins."""
    added = os.environ.get(VARIABLE, "").split(os.pathsep)
    return (ROBOTS, *(Path(part) for part in added if part))


def gesture_folders(robot: str) -> tuple[Path, ...]:
    """Return the folders of a robot's gestures; the first that has a gesture wins.

    The folder `gestures` in the robot's own folder comes before the shared library.
    """
    own = (place / robot / "gestures" for place in robot_places())
    return (*(folder for folder in own if folder.is_dir()), GESTURES)


def user_folder(variable: str, fallback: str) -> Path:
    """Return the program's folder in a folder of the user: XDG_STATE_HOME, XDG_CACHE_HOME.

    Args:
        variable: the environment variable that names the user's folder.
        fallback: its path in the home folder if the variable is not set; for a user without a
            home, in the temporary folder.
    """
    named = os.environ.get(variable)
    if named:
        return Path(named) / "footlight"
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(tempfile.gettempdir())
    return home / fallback / "footlight"
