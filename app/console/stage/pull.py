"""The pull at a rehearsed robot: from the mouse to the core, while the button is down."""

from PySide6.QtCore import QObject, QPointF, QSize, Signal

from app.console.context.core_link import CoreLink
from app.console.stage import drag
from app.console.toolkit.presses import Stream
from app.picture import posture
from app.picture.camera import Camera
from app.picture.floor import is_laid, laid
from app.picture.robot_tree import Floats, RobotTree


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
        self._mouse, self._size = QPointF(), QSize()
        self._stream = Stream(round(1000.0 * drag.EVERY_S), link.presses, self)
        self._stream.beat.connect(self._send)

    @property
    def active(self) -> bool:
        """Whether the robot is held."""
        return self._drag is not None

    def take(self, tree: RobotTree) -> None:
        """Take another robot."""
        self.end()
        self.tree, self._reach = tree, drag.Reach(tree)

    def under(self, camera: Camera, mouse: QPointF, size: QSize) -> Floats | None:
        """Return the point of a robot that may be pushed under the mouse (3) [m].

        Args:
            camera: the eye.
            mouse: in the picture [pixels].
            size: of the picture [pixels].
        """
        link = self._link
        if link.hello is None or not link.hello.simulated or not link.connected:
            return None
        if link.scene is None or self.tree is None or self._reach is None:
            return None
        scene, names = link.scene, link.hello.joint_names
        if is_laid(link.hello, link.status):
            scene = laid(scene, names, self.tree)
        poses = self.tree.forward_kinematics(
            posture.angles(names, scene.q),
            posture.base(scene, self.tree, bool(link.hello.feet)),
        )
        ray = camera.ray(mouse.x(), mouse.y(), size.width(), size.height())
        return self._reach.hit(poses, camera.eye(), ray)

    def begin(self, camera: Camera, mouse: QPointF, size: QSize) -> bool:
        """Hold the body under the mouse; return whether there is one."""
        place = self.under(camera, mouse, size)
        if place is None or not self._link.may_start("the pull"):
            return False
        self._drag = drag.Drag(place, camera)
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
        force = self.force()
        command = None if force is None else drag.push(force)
        if command is not None and not self._link.send(command):
            self.end()
