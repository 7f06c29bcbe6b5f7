"""Programs that keep every core of the machine busy at the lowest priority."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOGS = 2
NICENESS = 19
_BUSY = f"import os\nos.nice({NICENESS})\nwhile True: pass"


@contextmanager
def hogs(count: int = HOGS) -> Iterator[None]:
    """Keep so many processes busy for as long as the context lasts."""
    running = [
        subprocess.Popen([sys.executable, "-I", "-c", _BUSY], stdin=subprocess.DEVNULL, cwd=os.sep)
        for _ in range(count)
    ]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
