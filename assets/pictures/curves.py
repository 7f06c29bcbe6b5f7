"""Photograph the curve editor: `python assets/pictures/curves.py OUT [--publish]`.

The console is the real one, operated by keys and mouse; the core is the real one, with the
simulated robot; the screen is a virtual one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import SIZES, START_S, Photographer  # noqa: E402
from sessions import photograph  # noqa: E402

PUBLISHED = {"curves": (SIZES[0], "keys.motion_panel")}
GESTURE, SOUND = "wave", "hello"
JOINT = "elbow"  # by role
MOST_KEYS = 4


class CurvePhotographer(Photographer):
    """Goes through the panel Motion."""

    def work(self) -> None:
        """Go through the panel."""
        window, context = self.window, self.context
        self.until("find the core", lambda: context.link.connected, START_S)
        library = window.gestures.library
        self.until("read the gestures", lambda: library.entry(GESTURE) is not None, START_S)
        self.press("Ctrl+0")
        panel = window.motion
        self.wait(1.0)
        self.photograph("begin", "motion_panel")
        panel.open_motion(library.entry(GESTURE).motion)
        self.until("open the gesture", lambda: panel.editor.motion is not None)
        sounds = context.document.audio
        if sounds:
            panel.saving.phrase.open(sounds.get(SOUND, next(iter(sounds.values()))).path)
        self.wait(0.5)
        self.photograph("opened", "motion_panel")
        panel.bar.edit_keys.click()
        self.wait(0.5)
        self.photograph("all_joints", "motion_panel")
        self.choose_joint(panel)
        keys = panel.keys
        joint = keys.joints[0]
        count = len(keys.curves[joint].keys)
        first = max(0, count // 2 - MOST_KEYS // 2)
        keys.choose((joint, i) for i in range(first, min(count, first + MOST_KEYS)))
        panel.curves.go(keys.keys[0].time_s)
        panel.curves.position.plot.setFocus()
        self.wait(0.5)
        self.photograph("position", "motion_panel")
        panel.curves.show_plots(("Velocity", "Torque", "Sound"))
        self.until("know the torque", lambda: "%" in panel.curves.torque.title.text(), START_S)
        self.wait(0.5)
        self.photograph("plots", "motion_panel")
        self.drag(panel)
        for name in ("Repair", "Layer a gesture"):
            panel.steps.asked.emit(name)
            self.wait(0.5)
            self.photograph(name.split()[0].lower(), "motion_panel")

    def choose_joint(self, panel: Any) -> None:
        """Show one joint of the first limb."""
        box = panel.bar.joints
        table = self.window.gestures.library.joints
        for row in range(box.count()):
            names = box.itemData(row)
            if len(names) == 1 and table.role_of[names[0]] == JOINT:
                box.setCurrentIndex(row)
                return

    def drag(self, panel: Any) -> None:
        """Drag a key of the joint, and photograph it while it is held."""
        keys, layer = panel.keys, panel.layer
        joint = keys.joints[0]
        index = len(keys.curves[joint].keys) // 2
        keys.choose({(joint, index)})
        self.wait(0.3)
        view = panel.curves.position.plot.viewport()
        place, size = layer.place_of(keys.curves[joint].keys[index]), view.size()
        x, y = place.x() / size.width(), place.y() / size.height()
        with self.held(view, x, y, x + 0.02, y + 0.12):
            self.wait(0.3)
            self.photograph("drag", "motion_panel", "stage")
        self.wait(1.0)
        self.photograph("keys", "motion_panel")


if __name__ == "__main__":
    sys.exit(photograph(Path(__file__), CurvePhotographer, PUBLISHED))
