"""The aim: where on the floor of the picture the robot shall walk, and which way it shall look."""

import math

from PySide6.QtCore import QObject, QPointF, QSize, Signal

from app.console.context.core_link import CoreLink
from app.console.stage.pen import floor_point
from app.picture.camera import Camera
from core.link.commands import ReleaseHead
from core.link.place import LookAt, StandsAt, WalkTo
from shows.marks import ORIGIN, Foot, Place, Point

TURNS_M = 0.12  # a shorter drag keeps the heading
ARROW_M, BARB_M = 0.35, 0.10  # length of the arrow and of its point


class Aim(QObject):
    """Owns the place that is aimed at, in the world.

    Attributes:
        place: where the robot shall stand; None while nothing is aimed at.
        chosen_foot: the chosen foot of the last step of walks from the picture.

    Signals:
        changed: the place.
    """

    changed = Signal()

    def __init__(self, link: CoreLink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self.place: Place | None = None
        self.chosen_foot: Foot = "either"

    @property
    def active(self) -> bool:
        """Whether the mouse aims."""
        return self.place is not None

    @property
    def chooses_foot(self) -> bool:
        """Whether a walk of this robot can end with a chosen foot."""
        return self._link.hello is not None and self._link.hello.chooses_foot

    @property
    def foot(self) -> Foot:
        """The foot whose step is the last; either for a robot that does not choose."""
        return self.chosen_foot if self.chooses_foot else "either"

    def choose_foot(self, foot: Foot) -> None:
        """Choose the foot of the last step, for the next walks."""
        self.chosen_foot = foot

    @property
    def robot(self) -> Place:
        """Where the robot stands, as estimated."""
        status = self._link.status
        return ORIGIN if status is None else Place(*status.place)

    def begin(self, camera: Camera, at: QPointF, size: QSize) -> bool:
        """Aim at the floor under the mouse; return whether there is any."""
        point = floor_point(camera, at, size)
        if point is None or not self._link.may_start("the walk"):
            return False
        self.place = Place(*point, self.robot.yaw)
        self.changed.emit()
        return True

    def move(self, camera: Camera, at: QPointF, size: QSize) -> None:
        """Let the robot look from the place to the mouse."""
        point, place = floor_point(camera, at, size), self.place
        if point is None or place is None:
            return
        dx, dy = point[0] - place.x, point[1] - place.y
        yaw = math.atan2(dy, dx) if math.hypot(dx, dy) > TURNS_M else self.robot.yaw
        self.place = place._replace(yaw=yaw)
        self.changed.emit()

    def end(self) -> None:
        """Let the robot walk to the place."""
        place = self.place
        self.cancel()
        if place is not None:
            self.walk(place)

    def cancel(self) -> None:
        """Aim at nothing."""
        if self.place is not None:
            self.place = None
            self.changed.emit()

    def walk(self, place: Place, mark: str = "") -> None:
        """Let the robot walk to a place in the world, which a mark names."""
        x, y, yaw = (round(value, 4) for value in self.on_stage(place))
        self._link.send(WalkTo(x, y, yaw, self.foot, mark))

    def tell(self, stage: Place) -> None:
        """Tell the core that the robot stands at a place on the stage."""
        self._link.send(StandsAt(stage.x, stage.y, stage.yaw))

    def look(self, point: Point, name: str = "") -> None:
        """Let the robot look at a point of the stage, which may have a name."""
        self._link.send(LookAt(point.x, point.y, point.z, name))

    def look_away(self) -> None:
        """Give the head back to the show."""
        self._link.send(ReleaseHead())

    def on_stage(self, place: Place) -> Place:
        """Return a place in the world in the frame of the stage."""
        return place.within(self._stage)

    def in_world(self, stage: Place) -> Place:
        """Return a place on the stage in the world."""
        return stage.beyond(self._stage)

    @property
    def _stage(self) -> Place:
        status = self._link.status
        return ORIGIN if status is None else Place(*status.stage)

    @property
    def path(self) -> tuple[tuple[float, float], ...]:
        """The way to the place, and an arrow of the heading there (k, 2) [m]; empty without one."""
        place = self.place
        if place is None:
            return ()
        robot = self.robot
        tip = Place(ARROW_M, 0.0, 0.0).beyond(place)
        barbs = [Place(-BARB_M, side * BARB_M, 0.0).beyond(tip) for side in (1.0, -1.0)]
        points = (robot, place, tip, barbs[0], tip, barbs[1])
        return tuple((point.x, point.y) for point in points)
