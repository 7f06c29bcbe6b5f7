"""Sessions of a photographer: a real core, a console on a virtual screen of each size."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import console
from console import COLOURS, MANUAL, ROOT, SIZES, START_S, Photographer, screen


def rise(photographer: Photographer) -> None:
    """Let the robot stand."""
    from core.link.commands import StandUp

    link = photographer.context.link
    photographer.until("find the core", lambda: link.connected, START_S)
    deadline = time.monotonic() + START_S
    while photographer.mode != "READY" and time.monotonic() < deadline:
        if photographer.mode == "DAMPED":
            link.send(StandUp())
        photographer.wait(3.0)
    photographer.wait(2.0)
    acknowledge(photographer)


def acknowledge(photographer: Photographer) -> None:
    """Take away what a slow machine was warned of."""
    from app.console.top.alarms import AlarmsPanel

    photographer.window.findChild(AlarmsPanel).acknowledge_all()


def photograph(
    script: Path, kind: type[Photographer], published: Mapping[str, tuple[str, str]]
) -> int:
    """Carry out the command of a script, and return its exit status.

    Args:
        script: file of the command, which starts itself again for each session.
        kind: goes through a session.
        published: for each picture of the manual the size of the screen and the picture.
    """
    parser = argparse.ArgumentParser(description=(kind.__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the pictures")
    parser.add_argument("--size", choices=SIZES, action="append", help="only this screen")
    parser.add_argument("--publish", action="store_true", help="renew the manual")
    parser.add_argument("--robot", default="", help="another robot than the default one")
    parser.add_argument("--session", help=argparse.SUPPRESS)
    options = parser.parse_args()
    out = options.out.resolve()
    if options.session:
        _session(kind, out, options.session, options.robot)
    from core.link.session import free_endpoint

    named = ("--robot", options.robot) if options.robot else ()
    status = 0
    for size in options.size or SIZES:
        with tempfile.TemporaryDirectory() as home, screen(size) as display:
            folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}"
                       for kind in ("CONFIG", "STATE", "CACHE", "DATA")}  # fmt: skip
            command = [sys.executable, str(script.resolve()), str(out / size)]
            done = subprocess.run(
                [*command, "--session", free_endpoint(), *named],
                env={**os.environ, **folders, "HOME": home, "DISPLAY": display},
            )
            status = status or done.returncode
    if options.publish:
        for place, (size, name) in published.items():
            subprocess.run(
                ["convert", str(out / size / f"{name}.png"), "+dither", "-colors", str(COLOURS),
                 "-strip", "-define", "png:compression-level=9",
                 f"png8:{MANUAL / f'{place}.png'}"], check=True,
            )  # fmt: skip
    return status


def _session(kind: type[Photographer], out: Path, endpoint: str, robot: str) -> None:
    """Start a core, photograph one session with it, and end it; does not return."""
    out.mkdir(parents=True, exist_ok=True)
    port = endpoint.rpartition(":")[2]
    named = ("--robot", robot) if robot else ()
    core = subprocess.Popen(
        [sys.executable, "-P", "-m", "app", "core", "--port", port, *named],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    status = 1
    try:
        photographer = kind(out, core, endpoint, robot)
        photographer.work()
        photographer.window.leave()
        photographer.context.link.close()
        status = 0
    finally:
        console.end(core)
        sys.stdout.flush()
        if status == 0:
            os._exit(0)  # nothing of a console that was photographed is worth an orderly end
