"""Photograph the panel Poses: `python assets/pictures/poses.py OUT [--publish]`.

The console is the real one, operated by keys and mouse; the core is the real one, with the
simulated robot; the screen is a virtual one.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import console  # noqa: E402
from console import COLOURS, MANUAL, ROOT, SIZES, START_S, Photographer, screen  # noqa: E402

PUBLISHED = "hand"
RAISED_RAD = {"shoulder_pitch": -1.2, "shoulder_roll": -0.5, "elbow": 0.9}  # by role
CLOSER = 1.5  # steps of the wheel


class PosePhotographer(Photographer):
    """Goes through the panel."""

    def work(self) -> None:
        """Go through the panel."""
        from app.console.top.alarms import AlarmsPanel
        from core.link.commands import StandUp

        window, context = self.window, self.context
        self.until("find the core", lambda: context.link.connected, START_S)
        deadline = time.monotonic() + START_S
        while self.mode != "READY" and time.monotonic() < deadline:
            if self.mode == "DAMPED":
                context.link.send(StandUp())
            self.wait(3.0)
        self.wait(2.0)
        window.findChild(AlarmsPanel).acknowledge_all()  # what a slow machine was warned of
        self.press("Ctrl+Shift+1")
        panel = window.poses
        self.until("have a picture", lambda: window.stage.drawing, START_S)
        self.wait(1.5)
        self.photograph("begin")
        self.raise_arms()
        for title in ("Hero", "Wave left", "Look up"):
            panel.library.name.setText(title)
            panel.buttons["Save as"].click()
            panel.editor.mirror()
            self.wait(0.6)
        panel.editor.begin()
        self.raise_arms()
        self.photograph("library")
        self.drag()
        panel.pages.setCurrentIndex(1)
        panel.library.list.selectAll()
        panel.sequence.buttons["Add"].click()
        panel.sequence.table.cellWidget(1, 1).setValue(0.1)
        self.wait(0.5)
        self.photograph("sequence")
        panel.sequence.buttons["→ Motion"].click()
        self.wait(1.5)
        self.photograph("motion")

    def raise_arms(self) -> None:
        """Turn the sliders of the first arm by their boxes."""
        editor = self.window.poses.editor
        joints = editor.joints
        arm = next(limb for limb in joints.moved_limbs if limb.kind == "arm")
        for name in joints.joints_of[arm.name]:
            angle = RAISED_RAD.get(joints.role_of[name])
            if angle is not None:
                row = self.window.poses.sliders.groups[arm.name].rows[name]
                row.box.setValue(math.degrees(angle))
        self.wait(1.0)

    def drag(self) -> None:
        """Drag the first hand outward and up, and the gaze target to the other side."""
        stage = self.window.stage
        stage.steering.zoom(CLOSER)
        self.wait(1.0)
        titles = [spot.title for spot in stage.picture.spots]
        for name, way, picture in (
            (titles[0], (0.04, -0.10), "hand"),
            (titles[-1], (-0.10, -0.05), "gaze"),
        ):
            size = stage.picture.size()
            spot = next(spot for spot in stage.picture.spots if spot.title == name)
            x, y = spot.place.x() / size.width(), spot.place.y() / size.height()
            with self.held(stage.picture, x, y, x + way[0], y + way[1]):
                self.wait(1.5)
                self.photograph(picture)


def session(out: Path, endpoint: str, robot: str) -> None:
    """Start a core, photograph one session with it, and end it."""
    out.mkdir(parents=True, exist_ok=True)
    port = endpoint.rpartition(":")[2]
    named = ("--robot", robot) if robot else ()
    core = subprocess.Popen(
        [sys.executable, "-P", "-m", "app", "core", "--port", port, *named],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        photographer = PosePhotographer(out, core, endpoint, robot)
        photographer.work()
        photographer.window.leave()
        photographer.context.link.close()
    finally:
        console.end(core)
    sys.stdout.flush()
    os._exit(0)  # nothing of a console that was photographed is worth an orderly end


def main() -> int:
    """Photograph the panel on every size of screen."""
    parser = argparse.ArgumentParser(description="Photograph the panel Poses.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the pictures")
    parser.add_argument("--publish", action="store_true", help="renew the manual")
    parser.add_argument("--robot", default="", help="another robot than the default one")
    parser.add_argument("--session", help=argparse.SUPPRESS)
    options = parser.parse_args()
    out = options.out.resolve()
    if options.session:
        session(out, options.session, options.robot)
    from core.link.session import free_endpoint

    named = "--robot", options.robot
    status = 0
    for size in SIZES:
        with tempfile.TemporaryDirectory() as home, screen(size) as display:
            folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}"
                       for kind in ("CONFIG", "STATE", "CACHE", "DATA")}  # fmt: skip
            command = [sys.executable, str(Path(__file__).resolve()), str(out / size)]
            command += ["--session", free_endpoint(), *(named if options.robot else ())]
            done = subprocess.run(
                command, env={**os.environ, **folders, "HOME": home, "DISPLAY": display}
            )
            status = status or done.returncode
    if options.publish:
        subprocess.run(
            ["convert", str(out / SIZES[1] / f"{PUBLISHED}.png"), "+dither",
             "-colors", str(COLOURS), "-strip", "-define", "png:compression-level=9",
             f"png8:{MANUAL / 'poses.png'}"], check=True,
        )  # fmt: skip
    return status


if __name__ == "__main__":
    sys.exit(main())
