"""Where this program's files of a user lie."""

import os
import tempfile
from pathlib import Path


def user_folder(variable: str, fallback: str) -> Path:
    """Return this program's folder in one of the user's: XDG_STATE_HOME, XDG_CACHE_HOME.

    Args:
        variable: the environment variable that names the user's folder.
        fallback: where it lies in the home folder if the variable is not set; a user without a
            home has it in the temporary folder.
    """
    named = os.environ.get(variable)
    if named:
        return Path(named) / "footlight"
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(tempfile.gettempdir())
    return home / fallback / "footlight"
