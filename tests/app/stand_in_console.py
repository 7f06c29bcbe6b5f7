"""Stands in for the console: an operator who does one thing and leaves, each time another.

The environment's `CONSOLES` is a file of words, one a start: what this start does. See `main`.
"""

import os
import signal
import sys
import time
from pathlib import Path

from core.link.client import Client

ENOUGH = 5  # statuses, after which it does what it shall


def take_word(path: Path) -> str:
    """Return the first word of the file and take it out; "stay" where there is none."""
    words = path.read_text().split()
    path.write_text(" ".join(words[1:]))
    return words[0] if words else "stay"


def main(endpoint: str) -> int:
    """Operate until it is time: "close", "kill" itself, "fail", "outlive" the core, or "stay"."""
    word = take_word(Path(os.environ["CONSOLES"]))
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: ended.append(number))
    heard, heard_s = 0, time.monotonic()
    with Client(endpoint, "kid_cosmo", "console", operator=True, timeout_s=20.0) as client:
        while not ended:
            client.beat()
            before = client.status()
            time.sleep(0.02)
            if client.status() is not before:
                heard, heard_s = heard + 1, time.monotonic()
            if heard < ENOUGH:
                continue
            if word == "close" or (word == "outlive" and time.monotonic() - heard_s > 0.5):
                return 0
            if word == "fail":
                print("Traceback", "the window has a defect", sep="\n", file=sys.stderr)
                return 1
            if word == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
