"""The stagehand of a real robot tells the torques of the motion that is edited."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.motions.torque_judge import MotionTorque, TorqueJudge, question_of
from core.link.client import Client
from core.link.torque import MOST_VALUES, TorqueQuestion
from core.robot.profile_file import load_profile
from core.stage.stagehand import Stagehand
from shows.motion import Motion
from tests.app.console.motions.test_panel import Rig
from tests.app.console.rig import ROBOT, LineCore

SHOULDER = "left_shoulder_pitch"


def held(angle: float, name: str = SHOULDER) -> Motion:
    return Motion("held", (name,), 100.0, np.full((50, 1), angle))


def test_torques_are_those_of_the_newest_motion(
    stagehand: Stagehand, context: Context, qtbot: QtBot
) -> None:
    judge = TorqueJudge(context.link, context.link)
    answers = 0

    def count() -> None:
        nonlocal answers
        answers += judge.answer is not None

    def known() -> bool:
        stagehand.step()
        found, words = judge.found()
        return found is not None and "anew" not in words

    judge.changed.connect(count)
    assert judge.found() == (None, "")
    for angle in (0.0, -0.5, -1.57):  # while an edit goes on, nothing is asked
        judge.ask_about(held(angle))
    qtbot.waitUntil(known)
    found, words = judge.found()
    assert isinstance(found, MotionTorque) and found.torque.shape == (50, 1)
    assert answers == 1 and "left shoulder pitch" in words
    assert np.abs(found.torque).min() > 1.0 and (np.abs(found.torque) < found.most).all()
    judge.ask_about(held(0.0))
    assert judge.found()[0] is not None and "being computed anew" in judge.found()[1]
    qtbot.waitUntil(known)
    judge.ask_about(held(0.0, "tail"))
    qtbot.waitUntil(lambda: known() or "no joint tail" in judge.found()[1])
    assert judge.found()[0] is None


def test_silence_and_a_lost_core_are_told_calmly(
    context: Context, core: LineCore, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.console.context.asking.PATIENCE_S", 0.2)
    judge = TorqueJudge(context.link, context.link)
    judge.ask_about(held(0.0))
    assert judge.found() == (None, "being computed")
    qtbot.waitUntil(lambda: judge.found() == (None, "not known (no core answers)"))
    with Client(core.endpoint, ROBOT, "stagehand") as client:
        late = Stagehand(client, load_profile(ROBOT))

        def known() -> bool:
            late.step()
            return judge.found()[0] is not None

        qtbot.waitUntil(known)  # it is asked again
        late.close()
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)
    judge.ask_about(held(0.5))
    qtbot.waitUntil(lambda: judge.found() == (None, "not known (no core answers)"))
    question = question_of(held(0.0))
    assert question is not None and not context.link.ask_torque(7, question)


@pytest.mark.parametrize(("seconds", "joints"), [(0.02, 1), (4.0, 18), (600.0, 18)])
def test_a_question_about_any_motion_is_within_its_bounds(seconds: float, joints: int) -> None:
    rate_hz = 100.0
    names = tuple(f"joint_{i}" for i in range(joints))
    count = max(3, round(seconds * rate_hz))
    question = question_of(Motion("long", names, rate_hz, np.full((count, joints), 7.0)))
    assert isinstance(question, TorqueQuestion)
    assert 3 * joints <= len(question.positions) <= MOST_VALUES
    span_s = (len(question.positions) // joints - 1) / question.rate_hz
    assert span_s == pytest.approx((count - 1) / rate_hz, rel=0.02, abs=0.02)


def test_the_panel_asks_only_while_the_torque_is_shown(
    stagehand: Stagehand, context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    rig = Rig(context, qtbot, tmp_path)
    rig.open()
    title = rig.panel.curves.torque.title

    def known() -> bool:
        stagehand.step()
        return "most:" in title.text()

    qtbot.wait(400)
    assert rig.panel._torque.answer is None and not known()
    rig.panel.bar.plots["Torque"].click()
    qtbot.waitUntil(known)
    rig.panel.close_panel()
