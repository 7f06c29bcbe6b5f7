"""Pictures of gestures: the robot of the core, in the pose that represents the gesture."""

from functools import partial

import msgspec
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.console.context.core_link import CoreLink
from app.console.gestures.stick_figure import stick_figure
from app.console.gestures.thumbnails import Thumbnail
from app.console.stage.thumbnail import SIDE, blank, motion_thumbnail
from app.picture.robot_tree import RobotError, tree_of
from core.link.figure import Figure
from shows.motion import Motion


class Portraits:
    """Draws the robot of the core: its meshes, else its bodies as lines, else nothing.

    Reading meshes and drawing take some 100 ms: call it in a worker thread.
    """

    def __init__(self, link: CoreLink) -> None:
        self._link = link
        self._figure: Figure | None = None
        self._draw: Thumbnail = _draw_nothing

    def __call__(self, motion: Motion) -> QImage:
        """Return the picture of a motion."""
        figure = self._link.figure
        if figure is not self._figure:
            self._draw, self._figure = _drawing(figure), figure
        return self._draw(motion)


def _drawing(figure: Figure | None) -> Thumbnail:
    """Return the best way to draw a figure."""
    if figure is None:
        return _draw_nothing
    try:
        return partial(motion_thumbnail, tree_of(figure))
    except RobotError:  # the stage names the reason
        bare = msgspec.structs.replace(figure, shapes=())
    try:
        return partial(stick_figure, tree_of(bare))
    except RobotError:
        return _draw_nothing


def _draw_nothing(_: Motion) -> QImage:
    return blank(QSize(SIDE, SIDE))
