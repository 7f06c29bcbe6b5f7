"""The core's robot is drawn in the gesture's pose; one that cannot be drawn is a stick figure."""

from PySide6.QtCore import QSize

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.gestures.portrait import Portraits
from app.console.gestures.stick_figure import stick_figure
from app.console.stage.thumbnail import SIDE
from core.link.figure import Figure
from tests.app.console.figures import figure
from tests.app.console.gestures.motions import motion
from tests.app.console.rig import ROBOT


def test_the_cores_robot_is_drawn_in_the_pose(context: Context) -> None:
    context.link.figure = figure()
    portraits = Portraits(context.link)
    elbow, head = portraits(motion("a", "", (), "left_elbow")), portraits(motion("b"))
    assert elbow.size() == QSize(SIDE, SIDE)
    assert elbow != head


def test_a_robot_that_cannot_be_drawn_is_a_stick_figure() -> None:
    link, shown = CoreLink("tcp/127.0.0.1:1", ROBOT), motion("a")
    assert Portraits(link)(shown) == stick_figure(shown)
    link.figure = Figure(ROBOT, problem="robot.xml cannot be drawn")
    assert Portraits(link)(shown) == stick_figure(shown)
    link.close()
