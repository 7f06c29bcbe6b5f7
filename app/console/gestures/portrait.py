"""A gesture's picture: the robot that plays it, in the pose that stands for it."""

from PySide6.QtGui import QImage

from app.console.context.core_link import CoreLink
from app.console.gestures.stick_figure import stick_figure
from app.console.stage.robot_tree import RobotError, RobotTree, tree_of
from app.console.stage.thumbnail import motion_thumbnail
from core.link.figure import Figure
from shows.motion import Motion


class Portraits:
    """Makes pictures of the robot that the core has, or a stick figure where it cannot be drawn.

    Robots and pictures take a while: it is called in a thread beside the screen.
    """

    def __init__(self, link: CoreLink) -> None:
        self._link = link
        self._figure: Figure | None = None
        self._tree: RobotTree | None = None

    def __call__(self, motion: Motion) -> QImage:
        """Return the picture of a motion."""
        figure = self._link.figure
        if figure is None:
            return stick_figure(motion)
        try:
            if self._figure is not figure:
                self._tree, self._figure = tree_of(figure), figure
        except RobotError:
            return stick_figure(motion)
        assert self._tree is not None
        return motion_thumbnail(self._tree, motion)
