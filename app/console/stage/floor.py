"""The marks and points of the stage in the picture, and the menu at a place on its floor."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.console.context.context import Context
from app.console.cues.edits import EditError
from app.console.stage import mark_edits
from app.console.stage.aim import Aim
from app.console.stage.mark_edits import title_of
from app.console.stage.pen import floor_point
from app.console.timeline.names import FOOT_WORDS
from app.console.toolkit.name_line import NameLine
from app.picture.camera import Camera
from shows.document import Show
from shows.marks import ORIGIN, Mark, Place, Point

NEAR_PX = 22.0  # the menu is that of a mark that is no farther
EYES_M = 1.2  # height of the eyes of people, at which a point on the floor is looked at
LOOK_M = 0.22  # length of the line that shows a mark's heading
HELD = "the point that is held"
LINE_PX, EDGE_PX = QSize(220, 30), 4
PLACES = ("here", "where the robot stands")


@dataclass(frozen=True, slots=True)
class Flag:
    """A mark as it is drawn.

    Attributes:
        name: of the mark; empty for a point that is held and has none.
        title: its label.
        place: in the picture [pixels].
        ahead: end of the line that shows its heading [pixels]; None behind the eye.
        wanted: the robot walks to it, or looks at it by hand.
        point: it is a point to look at.
    """

    name: str
    title: str
    place: QPointF
    ahead: QPointF | None
    wanted: bool
    point: bool = False


class Floor(QObject):
    """Shows the marks of the show that is open, and lets the operator use and edit them.

    Args:
        context: shared parts.
        aim: leads the robot.
        widget: the picture, above which menus and names are shown.
    """

    def __init__(self, context: Context, aim: Aim, widget: QWidget) -> None:
        super().__init__(widget)
        self._context, self._aim, self._widget = context, aim, widget

    @property
    def _marks(self) -> dict[str, Mark]:
        return self._context.document.show.settings.marks

    @property
    def _points(self) -> dict[str, Point]:
        return self._context.document.show.settings.points

    @property
    def _held(self) -> Point | None:
        """The point at which the robot looks by hand."""
        status = self._context.link.status
        return None if status is None or status.look is None else Point(*status.look)

    def flags(self, camera: Camera, size: QSize) -> tuple[Flag, ...]:
        """Return the marks that are before the eye, as they are drawn."""
        status = self._context.link.status
        wanted = "" if status is None else status.mark
        found = []
        for name, mark in self._marks.items():
            place = self._aim.in_world(mark.place)
            ahead = Place(LOOK_M, 0.0, 0.0).beyond(place)
            pixel = _pixel(camera, place, size)
            if pixel is not None:
                ends = _pixel(camera, ahead, size)
                found.append(Flag(name, title_of(name), pixel, ends, name == wanted))
        held = self._held
        points = [(name, title_of(name), point) for name, point in self._points.items()]
        if held is not None and held not in self._points.values():
            points.append(("", HELD, held))
        for name, title, point in points:
            place = self._aim.in_world(Place(point.x, point.y, 0.0))
            pixel = _pixel(camera, place, size, point.z)
            if pixel is not None:
                found.append(Flag(name, title, pixel, None, point == held, True))
        return tuple(found)

    def open_menu(self, camera: Camera, at: QPointF, size: QSize, over: QPoint) -> None:
        """Open the menu of the mark, or of the place on the floor, under the mouse.

        Args:
            camera: the eye.
            at: the mouse in the picture [pixels].
            size: of the picture [pixels].
            over: the mouse on the screen [pixels].
        """
        menu = self.menu(camera, at, size)
        if menu is not None:
            menu.popup(over)

    def menu(self, camera: Camera, at: QPointF, size: QSize) -> QMenu | None:
        """Return the menu of a place in the picture; None above the horizon."""
        point = floor_point(camera, at, size)
        menu = QMenu(self._widget)
        menu.setObjectName("floor_menu")
        flag = next(
            (f for f in self.flags(camera, size) if (f.place - at).manhattanLength() < NEAR_PX),
            None,
        )
        if flag is not None and flag.point and flag.name:
            self._fill_point(menu, flag.name)
        elif flag is not None and flag.point:
            self._fill_held(menu, at)
        elif flag is None:
            if point is None:
                return None
            self._fill_place(menu, Place(*point, self._aim.robot.yaw), at)
        else:
            self._fill_mark(menu, flag.name, at)
        return menu

    def _fill_place(self, menu: QMenu, place: Place, at: QPointF) -> None:
        """Put what can be done at a place of the world into a menu."""
        walk = menu.addAction("Walk here", partial(self._aim.walk, place))
        walk.setToolTip("The robot keeps its heading; Ctrl and a drag choose another one")
        self._offer_feet(menu)
        stage = self._aim.on_stage(place)
        eyes = Point(round(stage.x, 3), round(stage.y, 3), EYES_M)
        menu.addAction("Look at the eyes of a person here", partial(self._aim.look, eyes))
        menu.addAction("Look where the show says", self._aim.look_away)
        menu.addSeparator()
        look = menu.addAction("Put a point to look at here…")
        look.triggered.connect(
            lambda: self._ask_name("point", "", at, lambda s, t: mark_edits.put_point(s, t, eyes))
        )
        put, here = (menu.addAction(f"Put a mark {where}…") for where in PLACES)
        for action, at_place in ((put, place), (here, self._aim.robot)):
            action.triggered.connect(partial(self._ask_put, self._aim.on_stage(at_place), at))
        for action in (look, put, here):
            action.setEnabled(not self._context.lock.locked)
        menu.addSeparator()
        stands = menu.addMenu("The robot stands on")
        stands.addAction("the origin of the stage", partial(self._aim.tell, ORIGIN))
        for name, mark in self._marks.items():
            stands.addAction(title_of(name), partial(self._aim.tell, mark.place))

    def _offer_feet(self, menu: QMenu) -> None:
        """Put the choice of the foot of a walk's last step into a menu."""
        feet = menu.addMenu("Last foot of walks")
        group = QActionGroup(feet)
        for foot, word in FOOT_WORDS.items():
            action = feet.addAction(f"{word} foot", partial(self._aim.choose_foot, foot))
            action.setCheckable(True)
            action.setChecked(foot == self._aim.foot)
            group.addAction(action)
        if not self._aim.chooses_foot:
            feet.setTitle("Last foot of walks: this robot does not choose it")
            feet.setEnabled(False)

    def _fill_point(self, menu: QMenu, name: str) -> None:
        """Put what can be done with a point to look at into a menu."""
        title = title_of(name)
        menu.addAction(f"Look at {title}", partial(self._aim.look, self._points[name], name))
        menu.addAction("Look where the show says", self._aim.look_away)
        remove = menu.addAction("Remove")
        remove.triggered.connect(
            lambda: self._edit(
                f"remove the point {title}", lambda s: mark_edits.removed_point(s, name)
            )
        )
        remove.setEnabled(not self._context.lock.locked)

    def _fill_held(self, menu: QMenu, at: QPointF) -> None:
        """Put what can be done with the point that is held into a menu."""
        held = self._held
        menu.addAction("Look where the show says", self._aim.look_away)
        keep = menu.addAction("Keep it as a point to look at…")
        keep.setEnabled(held is not None and not self._context.lock.locked)
        if held is not None:
            point = Point(*(round(value, 3) for value in (held.x, held.y, held.z)))
            keep.triggered.connect(
                lambda: self._ask_name(
                    "point", "", at, lambda s, t: mark_edits.put_point(s, t, point)
                )
            )

    def _fill_mark(self, menu: QMenu, name: str, at: QPointF) -> None:
        """Put what can be done with a mark into a menu."""
        stage, title = self._marks[name].place, title_of(name)
        menu.addAction(f"Walk to {title}", partial(self._aim.walk, self._aim.in_world(stage), name))
        self._offer_feet(menu)
        menu.addAction(f"The robot stands on {title}", partial(self._aim.tell, stage))
        menu.addSeparator()
        here = self._aim.on_stage(self._aim.robot)
        move = menu.addAction("Move it to the robot")
        move.triggered.connect(
            lambda: self._edit(f"move the mark {title}", lambda s: mark_edits.moved(s, name, here))
        )
        rename = menu.addAction("Rename…")
        rename.triggered.connect(
            lambda: self._ask_name("mark", title, at, lambda s, t: mark_edits.renamed(s, name, t))
        )
        remove = menu.addAction("Remove")
        remove.triggered.connect(
            lambda: self._edit(f"remove the mark {title}", lambda s: mark_edits.removed(s, name))
        )
        for action in (move, rename, remove):
            action.setEnabled(not self._context.lock.locked)

    def _ask_put(self, stage: Place, at: QPointF) -> None:
        self._ask_name("mark", "", at, lambda show, title: mark_edits.put(show, title, stage))

    # Edits

    def _ask_name(
        self, what: str, name: str, at: QPointF, edit: Callable[[Show, str], Show]
    ) -> None:
        """Let the operator type a name at the mouse, and edit the show with it."""
        place = QRect(at.toPoint(), LINE_PX)
        room = self._widget.rect()
        place.moveRight(min(place.right(), room.right() - EDGE_PX))
        place.moveBottom(min(place.bottom(), room.bottom() - EDGE_PX))

        def take(title: str) -> None:
            if title:
                self._edit(f"{what} {title}", lambda show: edit(show, title))

        NameLine(self._widget, place, name, f"Name of the {what}", take)

    def _edit(self, text: str, edit: Callable[[Show], Show]) -> None:
        """Edit the show, or tell why not."""
        document = self._context.document
        try:
            document.edit(text, edit(document.show))
        except EditError as error:
            self._context.notices.say(str(error), "warning")


def _pixel(camera: Camera, place: Place, size: QSize, z: float = 0.0) -> QPointF | None:
    """Return where a place, at a height [m], is in the picture; None behind the eye."""
    pixel = camera.pixel(np.array([place.x, place.y, z]), size.width(), size.height())
    return None if pixel is None else QPointF(*pixel)
