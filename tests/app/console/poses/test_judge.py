"""The stagehand of a real robot answers the panel's questions."""

import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.poses.judge import PoseJudge
from app.console.poses.verdict import verdict_words
from core.link import topics
from core.link.client import Client
from core.link.pose import PoseVerdict
from core.stage.stagehand import Stagehand
from tests.app.console.rig import ROBOT, LineCore


def test_the_real_stagehand_names_links_that_touch_and_torques(
    stagehand: Stagehand, context: Context, qtbot: QtBot
) -> None:
    judge = PoseJudge(context.link, context.link)

    def answered() -> bool:
        stagehand.step()
        return judge.answer is not None

    judge.ask({"left_shoulder_pitch": 0.0, "left_shoulder_roll": 0.6, "left_elbow": 1.9})
    qtbot.waitUntil(answered)
    verdict = judge.answer
    assert verdict is not None and verdict.collisions
    assert all("left" in pair[0] or "left" in pair[1] for pair in verdict.collisions)
    assert "touches" in verdict_words(verdict, False, True)[1]
    judge.ask({"left_shoulder_pitch": -1.57, "left_shoulder_roll": 0.0, "left_elbow": 0.0})
    qtbot.waitUntil(lambda: answered() and judge.answer != verdict)
    assert judge.answer is not None and not judge.answer.collisions
    assert 0.2 < judge.answer.loads["left_shoulder_pitch"] < 1.0
    judge.rest()
    assert judge.answer is None


def test_silence_and_a_lost_core_are_told(
    context: Context, core: LineCore, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.console.context.asking.PATIENCE_S", 0.2)
    judge = PoseJudge(context.link, context.link)
    judge.ask({"left_elbow": 0.0})
    qtbot.waitUntil(lambda: judge.silent)
    assert "does not answer" in verdict_words(judge.answer, judge.silent, True)[1]
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)
    assert not context.link.ask_pose(7, {"left_elbow": 0.0})


def test_verdicts_of_other_consoles_and_old_ones_are_not_shown(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    judge = PoseJudge(context.link, context.link)
    with Client(core.endpoint, ROBOT, "stagehand") as client:
        questions = client.subscribe(topics.POSE_QUESTION)

        def answered() -> bool:
            """Answer every question as three stagehands would: one may be lost at first."""
            judge.ask({"left_elbow": 0.0})
            for asked in questions.poll():
                client.publish(PoseVerdict("console-other", asked.number, (("a", "b"),)))
                client.publish(PoseVerdict(asked.sender, asked.number + 1, (("a", "b"),)))
                client.publish(PoseVerdict(asked.sender, asked.number, (), {"left_elbow": 0.1}))
            return judge.answer is not None

        qtbot.waitUntil(answered)
        assert judge.answer is not None and judge.answer.collisions == ()


def test_words_of_a_verdict() -> None:
    def words(collisions: tuple[tuple[str, str], ...], loads: dict[str, float]) -> str:
        tone, text = verdict_words(PoseVerdict("c", 1, collisions, loads), False, True)
        return f"{tone.mark} {text}"

    assert words((), {}) == "● free of collisions; no joint has a load"
    assert words((), {"a_b": 0.5, "c": 0.1}) == "● free of collisions; most torque: a b 50 %"
    assert words((), {"a_b": 0.8}) == "▲ a b needs 80 % of its torque"
    assert words((), {"a_b": 1.0}) == "■ a b needs 100 % of its torque"
    assert words((("a_b", "c"),) * 5, {"d": 0.9}) == (
        "■ a b touches c, a b touches c, a b touches c and 2 more; d needs 90 % of its torque"
    )
    assert verdict_words(None, False, False)[1] == ""
