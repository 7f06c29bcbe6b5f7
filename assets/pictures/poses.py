"""Photograph the panel Poses: `python assets/pictures/poses.py OUT [--publish]`.

The console is the real one, operated by keys and mouse; the core is the real one, with the
simulated robot; the screen is a virtual one.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import SIZES, START_S, Photographer  # noqa: E402
from sessions import photograph, rise  # noqa: E402

PUBLISHED = {"poses": (SIZES[1], "hand")}
RAISED_RAD = {"shoulder_pitch": -1.2, "shoulder_roll": -0.5, "elbow": 0.9}  # by role
CLOSER = 1.5  # steps of the wheel


class PosePhotographer(Photographer):
    """Goes through the panel."""

    def work(self) -> None:
        """Go through the panel."""
        window = self.window
        rise(self)
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


if __name__ == "__main__":
    sys.exit(photograph(Path(__file__), PosePhotographer, PUBLISHED))
