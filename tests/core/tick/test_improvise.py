"""Phrases, pairs, poses of hands and idle life by hand: what is refused, and what ends them."""

import numpy as np
import pytest

from core.behave.idle_settings import Idle, Sway
from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link.catalogue import refusals as why
from core.link.commands import Cancel, Command, Gesture, Hold
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.sound import VoiceCue, VoiceStop
from core.robot.joint_table import joint_table
from core.safety.modes import Mode
from core.stage.flatten import prepare_gestures
from tests.core.rig import profile
from tests.core.tick.test_orders import Desk

DELAY_S, VOLUME = 0.04, 0.6
LIMP = [mode for mode in Mode if mode.name in ("OFF", "DAMPED", "FAULT", "ESTOP", "SETTLE")]


@pytest.fixture
def desk() -> Desk:
    found = Desk()
    poses = prepare_gestures({}, joint_table(profile())).clips
    found.orders.clips = {**found.orders.clips, **poses}
    improviser = found.orders.improviser
    improviser.phrases, improviser.volume, improviser.delay_s = ("hello",), VOLUME, DELAY_S
    return found


def refusal(desk: Desk, command: Command, mode: Mode = Mode.READY) -> object:
    """Return why a command is refused; None if it is not."""
    desk.lines.clear()
    desk.ask(command, mode=mode)
    said = [line.fields["reason"] for _, line in desk.lines if line.code == why.REFUSED.code]
    return said[0] if said else None


@pytest.mark.parametrize("mode", [*LIMP, Mode.READY, Mode.PERFORM, Mode.WALK])
def test_a_phrase_sounds_in_every_mode_and_other_things_where_the_robot_stands(
    desk: Desk, mode: Mode
) -> None:
    now_s = desk.now_s
    assert refusal(desk, Say("hello"), mode) is None
    assert desk.orders.improviser.sounds == [VoiceCue("hello", now_s, VOLUME, by_hand=True)]
    wrong = why.WRONG_MODE(mode=mode.name) if mode in LIMP else None
    assert refusal(desk, Gesture("wave", phrase="hello"), mode) == wrong
    assert refusal(desk, PoseHands("fist"), mode) == wrong
    assert len(desk.orders.improviser.sounds) == (1 if wrong else 2)


def test_names_that_nobody_has_are_refused(desk: Desk) -> None:
    assert refusal(desk, Say("bye")) == why.NO_PHRASE(phrase="bye")
    assert refusal(desk, Gesture("wave", phrase="bye")) == why.NO_PHRASE(phrase="bye")
    assert refusal(desk, Gesture("bow", phrase="hello")) == why.NO_GESTURE(gesture="bow")
    assert refusal(desk, PoseHands("claw")) == why.NO_POSE(pose="claw")
    assert refusal(desk, SetIdle(on=True)) == why.NO_IDLE()
    assert not desk.orders.improviser.sounds and not any(desk.manager.gestures())
    desk.hold()
    assert refusal(desk, Gesture("wave", phrase="hello")) == why.FAULT_HOLDS()
    assert refusal(desk, PoseHands("fist")) == why.FAULT_HOLDS()
    assert refusal(desk, Say("hello")) is None


def test_a_pair_has_one_beginning(desk: Desk) -> None:
    pressed_s = desk.now_s
    assert refusal(desk, Gesture("wave", phrase="hello")) is None
    (cue,) = desk.orders.improviser.sounds
    assert isinstance(cue, VoiceCue) and cue.start_stamp_s == pressed_s + DELAY_S
    desk.manager.update(pressed_s + 1.2)
    playing = desk.manager.playing(desk.manager.joints.limb_names[0])
    assert playing is not None and playing[1] == pytest.approx(1.2 - DELAY_S)


@pytest.mark.parametrize("end", [Hold(), Cancel()])
def test_whoever_ends_everything_ends_the_phrase_once(desk: Desk, end: Command) -> None:
    desk.ask(Say("hello"), end, end)
    assert desk.orders.improviser.sounds[1:] == [VoiceStop(by_hand=True)]


def test_hands_keep_a_pose_until_its_next_press(desk: Desk) -> None:
    hands = [limb for limb in desk.manager.joints.limb_names if limb.endswith("_hand")]
    for wanted in (MotionState.ACTION, MotionState.REST, MotionState.ACTION):
        assert refusal(desk, PoseHands("fist")) is None
        desk.now_s += 5.0
        desk.manager.update(desk.now_s)
        assert {desk.manager.state(hand) for hand in hands} == {wanted}
    assert refusal(desk, PoseHands("fist", "left")) is None
    desk.now_s += 5.0
    desk.manager.update(desk.now_s)
    assert [desk.manager.state(hand).name for hand in sorted(hands)] == ["REST", "ACTION"]


def test_idle_life_ends_in_any_mode_and_begins_where_limbs_may_move(desk: Desk) -> None:
    table, rest_q = joint_table(profile()), profile().posture("rest")
    joint = desk.manager.joints.names[0]
    idle = Idle(sway=(Sway(joint=joint, amplitude=0.1, period_s=1.0),))
    manager = desk.orders.improviser._manager = MotionManager(table, rest_q, None, idle)

    def idles() -> bool:
        return bool(manager.idles)

    manager.update(desk.now_s)
    assert refusal(desk, SetIdle(on=False), Mode.DAMPED) is None and not idles()
    q = [manager.update(desk.now_s + 3.0 + 0.1 * i).q.copy() for i in range(20)]
    assert np.ptp(q, axis=0).max() < 1e-9, "it stands still"
    assert refusal(desk, SetIdle(), Mode.DAMPED) == why.WRONG_MODE(mode="DAMPED")
    assert refusal(desk, SetIdle()) is None and idles()
    q = [manager.update(desk.now_s + 8.0 + 0.1 * i).q.copy() for i in range(20)]
    assert np.ptp(q, axis=0).max() > 0.01
