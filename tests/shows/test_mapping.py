"""Which limbs and tracks of a show another robot could take over."""

from dataclasses import replace

from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    JumpClip,
    LiveTrack,
    Show,
    WalkClip,
    WalkTrack,
)
from shows.mapping import map_show
from tests.shows.examples import ARMS, FIST, HANDS, HEAD, LEG, joint_table, small_show

WHOLE = joint_table()


def test_limbs_correspond_by_kind_and_side_and_joints_by_role() -> None:
    other = joint_table((ARMS[1], HANDS[1], HANDS[0], HEAD))
    roles = tuple("gripper" if role == "thumb" else role for role in other.roles)
    mapping = map_show(small_show(), WHOLE, replace(other, roles=roles))
    assert list(mapping.joints) == ["head", "right_arm", "left_hand", "right_hand"]
    assert mapping.joints["right_arm"][0] == ("right_shoulder_pitch", "right_shoulder_pitch")
    assert mapping.partial == ("left_hand", "right_hand")
    assert mapping.missing == ("left_arm",)
    assert mapping.lost_tracks == ("gesture", "walk")  # a clip is for the left arm alone


def test_a_robot_without_a_role_of_a_limb_has_no_counterpart() -> None:
    mapping = map_show(small_show(), WHOLE, replace(WHOLE, roles=("x",) * len(WHOLE.names)))
    assert mapping.joints == {}
    assert mapping.missing == tuple(WHOLE.joints_of)
    assert mapping.tracks == ("head", "walk", "voice", "light", "network")


def test_a_gesture_for_limbs_that_are_missing_loses_its_track() -> None:
    clips = (GestureClip(motion="wave", groups=("head",)),)
    tracks = (GestureTrack(clips=clips), HandsTrack(clips=(HandClip(length_s=1.0, pose=FIST),)))
    show = Show(name="x", cues=(Cue(number="1", tracks=tracks),))
    mapping = map_show(show, WHOLE, joint_table((*ARMS, LEG)))
    assert mapping.lost_tracks == ("gesture", "hands")


def test_a_robot_without_a_limb_that_follows_cannot_play_its_live_track() -> None:
    show = Show(name="x", cues=(Cue(number="1", tracks=(LiveTrack(),)),))
    assert map_show(show, WHOLE, joint_table(ARMS[:1])).tracks == ("live",)
    assert map_show(show, WHOLE, joint_table((*HANDS, LEG))).lost_tracks == ("live",)


def test_a_robot_without_a_gait_of_the_show_cannot_play_its_walk_track() -> None:
    for clip, plays in (
        (WalkClip(length_s=2.0), True),
        (WalkClip(length_s=2.0, gait="run"), False),
        (JumpClip(length_s=2.0), False),
    ):
        show = Show(name="x", cues=(Cue(number="1", tracks=(WalkTrack(clips=(clip,)),)),))
        assert ("walk" in map_show(show, WHOLE, WHOLE).tracks) is plays
