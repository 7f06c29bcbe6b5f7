"""Photograph the window of recorded runs: `python assets/pictures/runs.py OUT [--publish]`.

A show is rehearsed without a window and recorded; the window is the real one, on a virtual screen.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import COLOURS, MANUAL, SIZES, end, screen  # noqa: E402

OPEN_S, DRAWN_S = 15.0, 2.0
MOMENTS = {  # picture: keys that lead to it
    "begin": (),
    "step": ("n",) * 13 + ("shift+Right",) * 5,
    "whole": ("0",),
    "cursors": ("c",),
}
PUBLISHED = "step"


def main() -> int:
    """Photograph the window on every size of screen."""
    parser = argparse.ArgumentParser(description="Photograph the window of runs.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the pictures")
    parser.add_argument("--publish", action="store_true", help="renew the manual")
    options = parser.parse_args()
    out = options.out.resolve()
    program = [sys.executable, "-P", "-m", "app"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    with tempfile.TemporaryDirectory() as folder:
        environment["XDG_CONFIG_HOME"] = folder
        run = Path(folder) / "meet_cosmo.mcap"
        rehearse = ["rehearse", "--headless", "--pace", "max", "--log", str(run)]
        subprocess.run([*program, *rehearse], env=environment, check=True)
        for size in SIZES:
            with screen(size) as display:
                photograph(program, {**environment, "DISPLAY": display}, run, out / size, size)
    if options.publish:
        picture = out / SIZES[0] / f"{PUBLISHED}.png"
        target = MANUAL / "runs.png"
        subprocess.run(
            ["convert", str(picture), "-resize", "75%", "+dither", "-colors", str(COLOURS),
             "-strip", "-define", "png:compression-level=9", f"png8:{target}"], check=True,
        )  # fmt: skip
    return 0


def photograph(
    program: list[str], environment: dict[str, str], run: Path, out: Path, size: str
) -> None:
    """Photograph each moment on one screen."""
    out.mkdir(parents=True, exist_ok=True)
    window = subprocess.Popen([*program, "log", "view", str(run)], env=environment)

    def do(*words: str) -> str:
        done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    try:
        time.sleep(OPEN_S)
        name = do("xdotool", "search", "--name", "recorded run").splitlines()[-1]
        do("xdotool", "windowmove", name, "0", "0", "windowsize", name, *size.split("x"))
        do("xdotool", "windowfocus", name)
        for picture, keys in MOMENTS.items():
            for key in keys:
                do("xdotool", "key", key)
                time.sleep(0.1)
            time.sleep(DRAWN_S)
            do("import", "-window", "root", str(out / f"{picture}.png"))
    finally:
        end(window)


if __name__ == "__main__":
    sys.exit(main())
