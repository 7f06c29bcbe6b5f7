"""The console's end of the picture process orders nothing of a robot that it has not named."""

from pytestqt.qtbot import QtBot

from app.console.stage.picture_process import PictureProcess
from app.picture.protocol import Cast
from tests.app.console.figures import figure


def test_no_shot_is_ordered_before_the_process_knows_its_robot(qtbot: QtBot) -> None:
    process = PictureProcess()
    states = [(process.running, process.ready)]
    try:
        process.start()
        states.append((process.running, process.ready))
        process.cast(Cast(figure=figure(), joint_names=("neck",), feet=()))
        states.append((process.running, process.ready))
    finally:
        process.close()
    states.append((process.running, process.ready))
    assert states == [(False, False), (True, False), (True, True), (False, False)]
