"""The files under version control, for the tests that look at the tree itself."""

import functools
import subprocess
from pathlib import Path, PurePosixPath

REPOSITORY = Path(__file__).resolve().parent.parent


@functools.cache
def tracked_files() -> tuple[PurePosixPath, ...]:
    """Return every tracked file that exists, relative to the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, check=True, capture_output=True, text=True
    ).stdout
    paths = (PurePosixPath(name) for name in listed.split("\0") if name)
    return tuple(path for path in paths if (REPOSITORY / path).is_file())
