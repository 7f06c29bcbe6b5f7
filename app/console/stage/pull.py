"""The pull at a rehearsed robot: from the mouse to the core, while the button is down.

In RECORD the mouse pulls the link that it holds, else the torso.
"""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QSize, Signal

from app.console.context.core_link import CoreLink
from app.console.stage import drag
from app.console.stage.standing import seen_scene
from app.console.toolkit.presses import Stream
from app.picture import posture
from app.picture.camera import Camera
from app.picture.robot_tree import Floats, RobotTree
from core.link.commands import Command


@dataclass(frozen=True, slots=True, eq=False)
class Hold:
    """Where the mouse holds the robot.

    Attributes:
        place: in the world (3) [m].
        link: name of the link that it pulls; empty: the torso is pushed.
        point: the place in the link's frame (3) [m].
    """

    place: Floats
    link: str
    point: Floats


class Pull(QObject):
    """Owns where the robot is held.

    Attributes:
        tree: the robot; None before it is known.

    Signals:
        changed: the force is another one, or it ended.
    """

    changed = Signal()

    def __init__(self, link: CoreLink, parent: QObject) -> None:
        super().__init__(parent)
        self.tree: RobotTree | None = None
        self._link = link
        self._reach: drag.Reach | None = None
        self._drag: drag.Drag | None = None
        self._hold: Hold | None = None
        self._mouse, self._size = QPointF(), QSize()
        self._stream = Stream(round(1000.0 * drag.EVERY_S), link.presses, self)
        self._stream.beat.connect(self._send)

    @property
    def active(self) -> bool:
        """Whether the robot is held."""
        return self._drag is not None

    @property
    def link(self) -> str:
        """The link that is pulled, in words; empty if the torso is pushed."""
        return "" if self._hold is None else self._hold.link.replace("_", " ")

    def take(self, tree: RobotTree) -> None:
        """Take another robot."""
        self.end()
        self.tree, self._reach = tree, drag.Reach(tree)

    def under(self, camera: Camera, mouse: QPointF, size: QSize) -> Hold | None:
        """Return where the mouse would hold a robot that may be pulled at.

        Args:
            camera: the eye.
            mouse: in the picture [pixels].
            size: of the picture [pixels].
        """
        link = self._link
        if link.hello is None or not link.hello.simulated or not link.connected:
            return None
        if self.tree is None or self._reach is None:
            return None
        scene, names = seen_scene(link, self.tree), link.hello.joint_names
        if scene is None:
            return None
        poses = self.tree.forward_kinematics(
            posture.angles(names, scene.q),
            posture.base(scene, self.tree, bool(link.hello.feet)),
        )
        ray = camera.ray(mouse.x(), mouse.y(), size.width(), size.height())
        found = self._reach.hit(poses, camera.eye(), ray)
        if found is None:
            return None
        place, body = found
        limb_of = dict(zip(names, link.hello.joint_limbs, strict=False))
        while body and limb_of.get(self.tree.bodies[body].joint) not in link.hello.movable_limbs:
            body = self.tree.bodies[body].parent  # a finger belongs to its arm
        inverse = np.linalg.inv(poses[body])
        recording = link.status is not None and link.status.mode == "RECORD"
        name = self.tree.bodies[body].link if recording and body else ""
        return Hold(place, name, inverse[:3, :3] @ place + inverse[:3, 3])

    def begin(self, camera: Camera, mouse: QPointF, size: QSize) -> bool:
        """Hold the body under the mouse; return whether there is one."""
        hold = self.under(camera, mouse, size)
        if hold is None or not self._link.may_start("the pull"):
            return False
        self._drag, self._hold = drag.Drag(hold.place, camera), hold
        self.move(mouse, size)
        self._stream.start()
        return True

    def move(self, mouse: QPointF, size: QSize) -> None:
        """Take the mouse's place."""
        self._mouse, self._size = mouse, size
        self.changed.emit()

    def end(self) -> None:
        """Let go."""
        self._stream.stop()
        if self._drag is not None:
            self._drag = None
            self.changed.emit()

    def force(self) -> Floats | None:
        """Return the spring's force (3) [N]; None while nothing is held."""
        if self._drag is None:
            return None
        size = self._size
        return self._drag.force(self._mouse.x(), self._mouse.y(), size.width(), size.height())

    def _send(self) -> None:
        force, hold = self.force(), self._hold
        if force is None or self._drag is None or hold is None:
            return
        command: Command | None = drag.push(force)
        if hold.link:
            width, height = self._size.width(), self._size.height()
            target = self._drag.target(self._mouse.x(), self._mouse.y(), width, height)
            command = drag.pull(hold.link, hold.point, target)
        if command is not None and not self._link.send(command):
            self.end()
