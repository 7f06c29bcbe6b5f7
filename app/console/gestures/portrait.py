"""A gesture's picture: the robot that plays it, in the pose that stands for it."""

from PySide6.QtGui import QImage

from app.console.context.core_link import CoreLink
from app.console.gestures.stick_figure import stick_figure
from app.console.stage.robot_tree import RobotError, load_tree
from app.console.stage.thumbnail import motion_thumbnail
from shows.motion import Motion


class Portraits:
    """Makes pictures of the robot that the core has, or a stick figure where it cannot be drawn.

    Robots and pictures take a while: it is called in a thread beside the screen.
    """

    def __init__(self, link: CoreLink) -> None:
        self._link = link

    def __call__(self, motion: Motion) -> QImage:
        """Return the picture of a motion."""
        hello = self._link.hello
        if hello is None:
            return stick_figure(motion)
        try:
            tree = load_tree(hello.robot)
        except RobotError:
            return stick_figure(motion)
        return motion_thumbnail(tree, motion)
