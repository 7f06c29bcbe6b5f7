"""Photograph the panels Record and Motion: `python assets/pictures/record.py OUT [--publish]`.

The console is the real one, operated by keys and mouse; the core is the real one, with the
simulated robot; the screen is a virtual one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import SIZES, START_S, Photographer  # noqa: E402
from sessions import acknowledge, photograph, rise  # noqa: E402

PUBLISHED = {
    "record": (SIZES[1], "recording"),
    "motion": (SIZES[1], "motion.motion_panel"),
}
TITLE = "Over here"
PULL = [(0.004 * step, -0.010 * step) for step in range(1, 13)]  # from the hand, in shares
REFUSED = "/proc/l_arm_1.take"  # where nobody can write


class RecordPhotographer(Photographer):
    """Records an arm that is pulled at, and makes a gesture of it."""

    def work(self) -> None:
        """Go through both panels."""
        from core.link.commands import StartTake
        from core.link.take import TakePlan

        window, link = self.window, self.context.link
        rise(self)
        self.press("Ctrl+Shift+9")
        record, motion = window.record, window.motion
        self.until("have a picture", lambda: window.stage.drawing, START_S)
        self.wait(1.5)
        self.photograph("begin")
        arm = next(limb for limb in link.hello.limbs if limb.kind == "arm")
        self.named(record, f"{arm.title}: Floating").click()
        self.until("float", lambda: "floating" in link.status.freedoms)
        self.wait(0.5)
        self.press("F4")
        self.until("count in", lambda: self.stage == "counting")
        self.photograph("counting")
        self.until("record", lambda: self.stage == "recording")
        x, y = self.far_end(arm.name)
        self.wait(0.8)
        with self.held(window.stage.picture, x, y, x + PULL[0][0], y + PULL[0][1]):
            for right, down in PULL:
                self.lead(x + right, y + down)
            self.wait(1.0)
            acknowledge(self)
            self.photograph("recording")
            for right, down in reversed(PULL):
                self.lead(x + right, y + down)
        self.wait(1.0)
        self.press("F4")
        self.until("save", lambda: self.stage == "saved")
        self.wait(1.0)
        record._pages.setCurrentIndex(1)
        self.wait(2.5)
        self.photograph("takes")
        record._pages.setCurrentIndex(2)
        self.photograph("next")
        record._pages.setCurrentIndex(1)
        self.named(record, "Make a motion (take)").click()
        self.until("open it", lambda: motion.editor.raw is not None)
        motion.steps.clean.click()
        motion.steps.asked.emit("Mirror")
        motion.steps.choose(1)
        motion.saving.name.setText(TITLE)
        motion.saving.save.click()
        self.wait(1.0)
        motion.curves.go(0.5 * motion.editor.motion.duration_s)
        self.wait(1.0)
        acknowledge(self)
        self.photograph("motion", "motion_panel")
        limbs = (arm.name,)
        link.send(StartTake(TakePlan(path=REFUSED, limbs=limbs)))
        self.until("be refused", lambda: self.stage == "failed")
        self.wait(0.5)
        self.photograph("refused")

    def lead(self, x: float, y: float) -> None:
        """Move the mouse that is held to a place of the picture, in shares of its size."""
        from PySide6.QtCore import QPoint
        from PySide6.QtTest import QTest

        picture = self.window.stage.picture
        QTest.mouseMove(picture, QPoint(round(x * picture.width()), round(y * picture.height())))
        self.wait(0.15)

    @property
    def stage(self) -> str:
        """The stage of the newest take."""
        status = self.context.link.status
        return "" if status is None or status.take is None else status.take.stage

    def named(self, within: Any, name: str) -> Any:
        """Return the widget with an accessible name."""
        from PySide6.QtWidgets import QWidget

        return next(w for w in within.findChildren(QWidget) if w.accessibleName() == name)

    def far_end(self, limb: str) -> tuple[float, float]:
        """Return where the last link of a limb is, as shares of the picture's size."""
        from app.picture import posture

        stage, link = self.window.stage, self.context.link
        tree, hello = stage._pull.tree, link.hello
        poses = tree.forward_kinematics(
            posture.angles(hello.joint_names, link.scene.q),
            posture.base(link.scene, tree, bool(hello.feet)),
        )
        limbs = dict(zip(hello.joint_names, hello.joint_limbs, strict=True))
        index = max(i for i, body in enumerate(tree.bodies) if limbs.get(body.joint) == limb)
        corners = np.concatenate([patch.mesh.positions for patch in tree.bodies[index].patches])
        middle = np.append((corners.min(axis=0) + corners.max(axis=0)) / 2.0, 1.0)
        size = stage.picture.size()
        x, y = stage.steering.camera.pixel((poses[index] @ middle)[:3], size.width(), size.height())
        return x / size.width(), y / size.height()


if __name__ == "__main__":
    sys.exit(photograph(Path(__file__), RecordPhotographer, PUBLISHED))
