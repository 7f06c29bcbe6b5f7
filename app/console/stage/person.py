"""The person in the 3-D view: placed before the robot, and hidden when the picture is old."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, QPointF, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.console.context.context import Context
from app.console.stage.duel import Duel, Spark
from app.console.stage.placing import OLD_S, Placing, in_sight, label_of
from app.picture.camera import Camera
from app.picture.protocol import Pose2
from core.link.message import Vector3
from core.link.partner import Human


class Person(QObject):
    """Where the person is in the world of the picture, and whether it is shown.

    The person stands where the robot's place was when the person was calibrated, or following
    began, and faces it; what the person walks from there is seen, whatever the robot does.

    Attributes:
        action: shows the person, or hides it; for a menu.
        duel: judges the touches.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._link, self._preferences = context.link, context.preferences
        self._placing = Placing()
        self.duel = Duel()
        self._shown: tuple[Vector3, ...] = ()
        self.action = QAction("Show the person in the 3-D view", parent, checkable=True)
        self.action.setChecked(self._preferences.value.show_person)
        self.action.toggled.connect(self._choose)
        self._preferences.changed.connect(self._take_preferences)

    @property
    def shown(self) -> bool:
        """Whether the newest picture has a person."""
        return bool(self._shown)

    @property
    def outdated(self) -> bool:
        """Whether a person is shown whose picture is old."""
        return self.shown and self._link.human_age_s > OLD_S

    def joints(self, robot: Pose2, camera: Camera) -> tuple[Vector3, ...]:
        """Return the joints in the world (22, 3) [m]; empty if no person is to be shown.

        Args:
            robot: x, y [m] and heading [rad] of the robot's place on the floor now.
            camera: the eye, to which the person must not hide the robot.
        """
        self._note(robot)
        human = self._link.human
        self._shown = ()
        if human is not None and self._there:
            self._shown = in_sight(self._placing.place, human.positions, robot, camera)
        return self._shown

    @property
    def _there(self) -> bool:
        """A person is to be shown, if the eye is where it may be."""
        return self._link.human_age_s <= OLD_S and self.action.isChecked()

    @property
    def score(self) -> str:
        """The touches in words; empty without a person."""
        return self.duel.score if self._there else ""

    def sparks(self, camera: Camera, size: QSize) -> tuple[Spark, ...]:
        """Return the touches that are marked now; see `Duel.sparks`."""
        human = self._link.human
        return self.duel.sparks(human.stamp_s, camera, size) if human and self._there else ()

    def judge(self, human: Human) -> None:
        """Judge whether the new picture shows a touch."""
        link = self._link
        if link.scene is None or link.status is None or link.partner is None:
            return
        x, y, _ = link.scene.base_position
        self._note((x, y, link.scene.base_rpy[2]))
        scale = link.partner.calibration.scale
        follow, place = link.status.follow, self._placing.place
        self.duel.judge(human.stamp_s, follow, place, scale, human.positions, link.scene)

    def _note(self, robot: Pose2) -> None:
        """Keep the robot's place when the person is calibrated, or following begins."""
        partner, status = self._link.partner, self._link.status
        calibrated = partner is not None and partner.calibration.state == "done"
        number = 0 if status is None else status.follow.number
        self._placing = self._placing.noted(robot, calibrated, number)

    def label(self, camera: Camera, size: QSize) -> QPointF | None:
        """Return where the person's label is in the picture [pixels]; None without a person.

        Args:
            camera: the eye.
            size: of the picture [pixels].
        """
        return label_of(self._shown, camera, size)

    def _choose(self, shown: bool) -> None:
        """Remember whether the person is shown."""
        self._preferences.change(replace(self._preferences.value, show_person=shown))

    def _take_preferences(self) -> None:
        self.action.setChecked(self._preferences.value.show_person)
