"""Every way in which a clip can ask for what the robot or the show does not have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shows.audio import AudioInfo
from shows.check_clips import Stock
from shows.document import (
    BodyClip,
    Clip,
    GestureClip,
    HandClip,
    HeadClip,
    JumpClip,
    LightClip,
    LiveClip,
    MarkClip,
    NetworkClip,
    Settings,
    SwayClip,
    VoiceClip,
    WalkBounds,
    WalkClip,
)
from shows.gaits import GaitRange, JumpRange, RunRange
from shows.marks import Mark
from shows.motion import Motion
from tests.shows.examples import ARMS, FIST, joint_table, wave_motion

STOCK = Stock(
    Settings(walk=WalkBounds(forward=0.2, backward=0.1, sideways=0.1, turning=0.5)),
    {"wave": wave_motion()},
    {"hello": AudioInfo(Path("hello.wav"), 0.5)},
    joint_table(),
    ("duel",),
)
ANGLES = (0.0, 1.5, 1.5, 1.5, 1.5)


@pytest.mark.parametrize(
    "clip",
    [
        GestureClip(motion="wave"),
        GestureClip(motion="wave", groups=("right_arm",), speed=2.0),
        GestureClip(motion="wave", groups=("left_arm", "head"), mirror=True),
        GestureClip(motion="wave", loop=True, length_s=60.0),
        GestureClip(motion="wave", freeze_at_s=2.0, freeze_s=1.0),
        GestureClip(motion="wave", loop=True, length_s=9.0, freeze_at_s=8.0, freeze_s=1.0),
        HeadClip(length_s=1.0, yaw=1.57, pitch=-0.52),
        HandClip(length_s=1.0, pose=ANGLES),
        HandClip(length_s=1.0, pose=FIST),
        HandClip(length_s=1.0, pose="fist"),
        SwayClip(length_s=4.0, amplitude_m=0.05, frequency_hz=0.25),
        BodyClip(length_s=2.0, lower=0.05, roll=-0.1, pitch=0.2, yaw=-0.3),
        WalkClip(length_s=1.0, vx=0.2, vy=-0.1, yaw_rate=0.5),
        GestureClip(motion="wave", offset_s=0.5),
        LiveClip(length_s=9.0, legs=True),
        LiveClip(length_s=9.0, mode="answer", repertoire="duel", groups=("left_arm", "head")),
        VoiceClip(phrase="hello"),
        VoiceClip(phrase="hello", offset_s=0.2, length_s=0.2),
        LightClip(event=""),
        NetworkClip(event="/go"),
    ],
)
def test_admits(clip: Clip) -> None:
    assert list(STOCK.flaws(clip)) == []


@pytest.mark.parametrize(
    ("clip", "field", "word"),
    [
        (GestureClip(motion="bow"), "motion", "no motion 'bow'"),
        (
            SwayClip(length_s=10.0, amplitude_m=0.05, frequency_hz=0.05),
            "length_s",
            "a sway of 0.05 Hz takes 20 s a cycle; the clip lasts 10 s",
        ),
        (
            SwayClip(length_s=10.0, direction="forward", amplitude_m=0.04, frequency_hz=0.2),
            "amplitude_m",
            "0.04 m is beyond the robot's range of 0.03 m forward and backward",
        ),
        (
            SwayClip(length_s=10.0, direction="up", amplitude_m=0.08, frequency_hz=0.3),
            "frequency_hz",
            "0.3 Hz is beyond",
        ),
        (BodyClip(length_s=2.0, lower=0.06), "lower", "lower than the robot goes, 0.05 m"),
        (BodyClip(length_s=2.0, roll=-0.11), "roll", "outside the body's range -0.1 to 0.1"),
        (BodyClip(length_s=2.0, yaw=0.4), "yaw", "outside the body's range"),
        (BodyClip(length_s=1.5), "length_s", "the blends take 2 s"),
        (GestureClip(motion="wave", groups=("left_arm",)), "groups[0]", "does not move"),
        (GestureClip(motion="wave", groups=("head", "tail")), "groups[1]", "'tail'"),
        (GestureClip(motion="wave", mirror=True, groups=("right_arm",)), "groups[0]", "not move"),
        (GestureClip(motion="wave", loop=True), "loop", "no end"),
        (GestureClip(motion="wave", freeze_at_s=1.0), "freeze_s", "together"),
        (GestureClip(motion="wave", freeze_s=1.0), "freeze_s", "together"),
        (GestureClip(motion="wave", freeze_at_s=2.1, freeze_s=1.0), "freeze_at_s", "2.00 s"),
        (
            GestureClip(motion="wave", speed=2.0, freeze_at_s=1.1, freeze_s=1.0),
            "freeze_at_s",
            "1.00 s",
        ),
        (
            GestureClip(motion="wave", length_s=0.5, freeze_at_s=0.6, freeze_s=1.0),
            "freeze_at_s",
            "0.50 s",
        ),
        (HeadClip(length_s=1.0, yaw=1.6), "yaw", "head_yaw at 1.6 rad"),
        (HeadClip(length_s=1.0, pitch=-0.6), "pitch", "head_pitch at -0.6 rad"),
        (HeadClip(length_s=0.9), "length_s", "blends take 1 s"),
        (HandClip(length_s=1.0, pose="paw"), "pose", "no hand pose 'paw'"),
        (HandClip(length_s=1.0, hand="left", pose=(0.0, 1.6, 0.0, 0.0, 0.0)), "pose", "left_thumb"),
        (HandClip(length_s=1.0, hand="right", pose=(3.2, 0.0, 0.0, 0.0, 0.0)), "pose", "_wrist"),
        (HandClip(length_s=1.0, hand="left", pose=ANGLES[1:]), "pose", "4 angles for the 5 joints"),
        (HandClip(length_s=1.0, hand="left", pose=FIST | {"toe": 0.0}), "pose", "names 'toe'"),
        (HandClip(length_s=1.0, hand="left", pose={"wrist": 0.0}), "pose", "no angle for 'index'"),
        (HandClip(length_s=0.5, pose="fist"), "length_s", "blends take 0.8 s"),
        (WalkClip(length_s=1.0, vx=0.21), "vx", "0.21 m/s"),
        (WalkClip(length_s=1.0, vx=-0.11), "vx", "-0.11 m/s"),
        (WalkClip(length_s=1.0, vy=-0.11), "vy", "-0.11 m/s"),
        (WalkClip(length_s=1.0, yaw_rate=0.6), "yaw_rate", "0.6 rad/s"),
        (WalkClip(length_s=0.5), "length_s", "blends take 1 s"),
        (LiveClip(length_s=9.0, mode="answer"), "repertoire", "the clip names none"),
        (LiveClip(length_s=9.0, repertoire="waltz"), "repertoire", "no repertoire 'waltz'"),
        (LiveClip(length_s=9.0, groups=("head", "left_hand")), "groups[1]", "can follow a person"),
        (VoiceClip(phrase="bye"), "phrase", "no sound 'bye'"),
        (VoiceClip(phrase="hello", offset_s=0.5), "offset_s", "end of the sound at 0.50 s"),
        (GestureClip(motion="wave", offset_s=2.0), "offset_s", "end of the motion at 2.00 s"),
    ],
)
def test_refuses(clip: Clip, field: str, word: str) -> None:
    flaws = list(STOCK.flaws(clip))
    assert {flaw.field for flaw in flaws} == {field}
    assert word in flaws[0].reason
    assert flaws[0].advice


def test_a_motion_that_its_speed_makes_too_fast_names_joint_and_limit() -> None:
    fast = wave_motion(seconds=1.0)
    j = joint_table()
    for limits, what, unit in (
        ((np.full(len(j.names), 9.0), np.full(len(j.names), 1e4)), "12.6", "rad/s"),
        ((np.full(len(j.names), 99.0), np.full(len(j.names), 50.0)), "15", "rad/s²"),
    ):
        joints = replace(j, velocity_limit=limits[0], acceleration_limit=limits[1])
        stock = Stock(STOCK.settings, {"wave": fast}, {}, joints)
        assert list(stock.flaws(GestureClip(motion="wave"))) == []
        for mirror, side in ((False, "right"), (True, "left")):
            (flaw,) = stock.flaws(GestureClip(motion="wave", speed=2.0, mirror=mirror))
            assert flaw.field == "speed"
            assert f"at speed 2 {side}_shoulder_pitch of wave needs {what}" in flaw.reason
            assert flaw.reason.endswith(unit)


def test_a_mirrored_motion_must_fit_the_other_side() -> None:
    joints = joint_table()
    upper = joints.upper.copy()
    upper[joints.index["left_elbow"]] = 1.0
    stock = Stock(STOCK.settings, STOCK.motions, {}, replace(joints, upper=upper))
    assert list(stock.flaws(GestureClip(motion="wave"))) == []
    (flaw,) = stock.flaws(GestureClip(motion="wave", mirror=True))
    assert flaw.field == "mirror"
    assert flaw.reason.startswith("left_elbow at 1.2 rad")


@pytest.mark.parametrize(
    ("clip", "field", "word"),
    [
        (
            SwayClip(length_s=9.0, amplitude_m=0.1, frequency_hz=0.2),
            "amplitude_m",
            "tester does not sway",
        ),
        (BodyClip(length_s=2.0, pitch=0.1), "lower", "tester does not stand on feet"),
        (HeadClip(length_s=1.0), "yaw", "tester has no joints that turn a gaze"),
        (HandClip(length_s=1.0, pose=FIST), "hand", "tester has no hand"),
        (HandClip(length_s=1.0, hand="left", pose=FIST), "hand", "tester has no left hand"),
        (GestureClip(motion="lift", mirror=True), "mirror", "no counterpart"),
    ],
)
def test_a_robot_without_a_part_refuses_its_tracks(clip: Clip, field: str, word: str) -> None:
    lift = Motion("lift", ("left_elbow",), 50.0, np.zeros((5, 1)))
    (flaw,) = Stock(STOCK.settings, {"lift": lift}, {}, joint_table(ARMS[:1])).flaws(clip)
    assert flaw.field == field
    assert word in flaw.reason


GAITS = GaitRange(
    run=RunRange(forward=0.3, sideways=0.1, turning=0.5),
    jump=JumpRange(
        flight_s=0.12, period_s=0.6, usual_flight_s=0.1, usual_period_s=1.0,
        forward=0.06, backward=0.03, sideways=0.03, turn=0.2,
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("clip", "field", "word"),
    [
        (WalkClip(length_s=2.0, gait="run", vx=-0.3, vy=0.1, yaw_rate=0.5), "", ""),
        (WalkClip(length_s=2.0, gait="run", vx=-0.31), "vx", "range of 0.3 m/s in a run"),
        (WalkClip(length_s=2.0, gait="run", yaw_rate=0.6), "yaw_rate", "0.6 rad/s is beyond"),
        (WalkClip(length_s=0.5, gait="run"), "length_s", "blends take 1 s"),
        (JumpClip(length_s=1.4), "", ""),
        (JumpClip(length_s=2.2, count=3, flight_s=0.12, period_s=0.6, dx=0.06), "", ""),
        (JumpClip(length_s=1.3), "length_s", "1 jump takes 1.4 s; the clip lasts 1.3 s"),
        (JumpClip(length_s=3.3, count=3), "length_s", "3 jumps take 3.4 s"),
        (JumpClip(length_s=2.0, flight_s=0.13), "flight_s", "0.13 s is beyond"),
        (JumpClip(length_s=2.0, dy=-0.04), "dy", "-0.04 m is beyond"),
        (JumpClip(length_s=2.0, flight_s=0.06, dx=0.03), "", ""),
        (JumpClip(length_s=2.0, flight_s=0.06, dx=0.031), "dx", "0.03 m in a flight of 0.06 s"),
        (JumpClip(length_s=2.0, flight_s=0.12, dx=-0.03), "", ""),
        (JumpClip(length_s=2.0, flight_s=0.12, dx=-0.04), "dx", "range of 0.03 m in a flight"),
        (JumpClip(length_s=2.0, period_s=0.5), "period_s", "shortest jump, 0.6 s"),
    ],
)
def test_runs_and_jumps_are_within_the_range_of_the_robot(
    clip: Clip, field: str, word: str
) -> None:
    stock = replace(STOCK, joints=replace(joint_table(), gaits=GAITS))
    flaws = list(stock.flaws(clip))
    assert [flaw.field for flaw in flaws] == [field] * bool(field)
    assert all(word in flaw.reason and flaw.advice for flaw in flaws)


def test_a_mark_that_the_show_does_not_have_is_refused() -> None:
    (flaw,) = STOCK.flaws(MarkClip(length_s=9.0, mark="door"))
    assert flaw.field == "mark" and "'door'" in flaw.reason
    marked = replace(STOCK, settings=Settings(marks={"door": Mark(1.0, 0.0, 0.0)}))
    assert not list(marked.flaws(MarkClip(length_s=9.0, mark="door")))


def test_a_gait_that_the_robot_lacks_is_refused_with_its_reason() -> None:
    lacking = GaitRange(refused={"run": "its knees are too weak"})
    stock = replace(STOCK, joints=replace(joint_table(), gaits=lacking))
    (flaw,) = stock.flaws(WalkClip(length_s=2.0, gait="run", vx=5.0))
    assert flaw.field == "gait" and flaw.reason == "its knees are too weak"
    (flaw,) = stock.flaws(JumpClip(length_s=0.1))
    assert flaw.reason == "the robot does not jump"
