"""The robot of the core is drawn in the gesture's pose: meshes, else lines, else nothing."""

import msgspec
from PySide6.QtCore import QSize

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.gestures.portrait import Portraits
from app.console.gestures.stick_figure import stick_figure
from app.console.stage.thumbnail import SIDE, blank
from core.link.figure import Figure
from tests.app.console.figures import figure, tree
from tests.app.console.gestures.motions import motion
from tests.app.console.rig import ROBOT


def test_the_cores_robot_is_drawn_in_the_pose(context: Context) -> None:
    context.link.figure = figure()
    portraits = Portraits(context.link)
    elbow, head = portraits(motion("a", "", (), "left_elbow")), portraits(motion("b"))
    assert elbow.size() == QSize(SIDE, SIDE)
    assert elbow != head


def test_a_robot_whose_meshes_cannot_be_read_is_drawn_as_lines(context: Context) -> None:
    context.link.figure = msgspec.structs.replace(figure(), folder="/nowhere")
    shown = motion("a")
    assert Portraits(context.link)(shown) == stick_figure(tree(), shown)


def test_a_robot_without_a_figure_is_an_empty_picture_until_it_comes() -> None:
    link, shown = CoreLink("tcp/127.0.0.1:1", ROBOT), motion("a")
    portraits, empty = Portraits(link), blank(QSize(SIDE, SIDE))
    assert portraits(shown) == empty
    link.figure = Figure(ROBOT, problem="robot.xml cannot be drawn")
    assert portraits(shown) == empty
    link.figure = figure()
    assert portraits(shown) != empty
    link.close()
