"""From the show as it is edited to the show as it is played."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.link.partner import Follow
from core.stage.errors import StageError
from core.stage.flatten import (
    body_segments,
    head_segments,
    mark_segments,
    prepare,
    prepare_gestures,
    walk_segments,
)
from core.stage.timeline import (
    BodySegment,
    Continue,
    CueTimeline,
    EventText,
    Freeze,
    GestureEnd,
    GestureStart,
    HeadSegment,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    Unfreeze,
    WalkSegment,
    in_order,
)
from shows.audio import AudioInfo
from shows.document import (
    BodyClip,
    BodyTrack,
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    HeadClip,
    HeadTrack,
    JumpClip,
    LightClip,
    LightTrack,
    LiveClip,
    LiveTrack,
    MarkClip,
    NetworkClip,
    NetworkTrack,
    Settings,
    Show,
    SwayClip,
    SwayTrack,
    Track,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)
from shows.marks import Mark
from shows.motion import Motion
from shows.storage import LoadedShow
from tests.core.stage.robot import body

WAVE = Motion("wave", ("left_elbow", "head_yaw"), 50.0, np.zeros((101, 2)))  # 2 s


def loaded(*cues: Cue, **settings: Any) -> LoadedShow:
    show = Show(name="Test", settings=Settings(**settings), cues=cues)
    audio = {"hello": AudioInfo(Path("hello.flac"), 1.5)}
    return LoadedShow(show, {"wave": WAVE}, audio, (), Path("test"))


def flat(*tracks: Track, **settings: Any) -> CueTimeline:
    cue = Cue(number="1", tracks=tracks)
    return prepare(loaded(cue, **settings), body().table).cues[0]


def test_a_gesture_plays_in_time_with_the_show_from_its_blend_in_on() -> None:
    timeline = flat(GestureTrack(clips=(GestureClip(start_s=1.0, motion="wave", speed=2.0),)))
    (start,) = timeline.moments
    assert isinstance(start, GestureStart)
    assert (start.time_s, start.groups) == (1.0, ("head", "left_arm"))
    assert start.offset_s == pytest.approx(2.0 * (start.blend_in_s or 0.0))
    assert timeline.duration_s == 2.0
    assert timeline.groups == ("head", "left_arm")


def test_a_part_of_a_gesture_starts_within_the_motion_and_ends_before_its_end() -> None:
    clip = GestureClip(motion="wave", offset_s=0.5, length_s=1.0, blend_in_s=0.25)
    start, end = flat(GestureTrack(clips=(clip,))).moments
    assert isinstance(start, GestureStart) and isinstance(end, GestureEnd)
    assert (start.offset_s, end.time_s) == (0.75, 1.0)
    rest = GestureClip(motion="wave", offset_s=0.5)
    timeline = flat(GestureTrack(clips=(rest,)))
    assert len(timeline.moments) == 1 and timeline.duration_s == 1.5


def test_a_part_of_a_phrase_is_announced_as_such() -> None:
    clips = (VoiceClip(phrase="hello", offset_s=0.5, length_s=0.4),)
    (voice,) = flat(VoiceTrack(clips=clips)).voices
    assert (voice.offset_s, voice.length_s) == (0.5, 0.4)


@pytest.mark.parametrize("muted", [True, False])
def test_a_track_that_is_muted_or_not_solo_does_not_play(muted: bool) -> None:
    one = GestureTrack(clips=(GestureClip(motion="wave"),))
    other = VoiceTrack(clips=(VoiceClip(phrase="hello"),), muted=muted, solo=not muted)
    timeline = flat(one, other)
    assert (len(timeline.moments), len(timeline.voices)) == ((1, 0) if muted else (0, 1))
    assert timeline.duration_s == 2.0  # the other cues do not move


def test_a_mirrored_gesture_takes_the_other_arm() -> None:
    timeline = flat(GestureTrack(clips=(GestureClip(motion="wave", mirror=True),)))
    assert timeline.groups == ("head", "right_arm")


def test_a_photo_pose_freezes_and_goes_on() -> None:
    clip = GestureClip(start_s=1.0, motion="wave", freeze_at_s=0.5, freeze_s=3.0)
    timeline = flat(GestureTrack(clips=(clip,)))
    kinds = [(type(m), m.time_s) for m in timeline.moments]
    assert kinds == [(GestureStart, 1.0), (Freeze, 1.5), (Unfreeze, 4.5)]
    assert timeline.duration_s == 6.0


@pytest.mark.parametrize(("length_s", "loop"), [(5.0, True), (1.0, False)])
def test_a_loop_and_a_shortened_gesture_are_ended(length_s: float, loop: bool) -> None:
    clip = GestureClip(motion="wave", length_s=length_s, loop=loop)
    timeline = flat(GestureTrack(clips=(clip,)))
    assert timeline.moments[-1] == GestureEnd(length_s, ("head", "left_arm"))


def test_a_gesture_that_ends_by_itself_is_not_ended() -> None:
    timeline = flat(GestureTrack(clips=(GestureClip(motion="wave", length_s=2.0),)))
    assert [type(m) for m in timeline.moments] == [GestureStart]


def test_a_hand_pose_holds_between_its_blends() -> None:
    clip = HandClip(start_s=1.0, length_s=3.0, hand="both", pose="fist")
    prepared = prepare(loaded(Cue(number="1", tracks=(HandsTrack(clips=(clip,)),))), body().table)
    starts = prepared.cues[0].moments
    assert [m.groups for m in starts if isinstance(m, GestureStart)] == [
        ("left_hand",),
        ("right_hand",),
    ]
    for start in starts:
        assert isinstance(start, GestureStart)
        pose = prepared.clips[start.clip]
        assert pose.duration_s == pytest.approx(3.0 - 0.4 - 0.4)
        np.testing.assert_allclose(pose.q, [[0.0, 1.4, 1.5, 1.5, 1.5]] * 2)


def test_a_very_long_hand_pose_is_repeated_and_ended() -> None:
    timeline = flat(HandsTrack(clips=(HandClip(length_s=300.0, hand="left", pose="fist"),)))
    start, end = timeline.moments
    assert isinstance(start, GestureStart) and start.loop
    assert end == GestureEnd(299.6, ("left_hand",))


def value_at(moments: list[Any], time_s: float) -> float:
    last = [m for m in moments if m.time_s <= time_s][-1]
    dt = time_s - last.time_s
    if isinstance(last, WalkSegment):
        return float(last.vx + last.ax * dt)
    assert isinstance(last, HeadSegment)
    return float(last.yaw + last.yaw_rate * dt)


def test_walk_clips_are_trapezoids_and_overlapping_ones_add_up() -> None:
    first = WalkClip(start_s=1.0, length_s=4.0, vx=0.2, blend_in_s=1.0, blend_out_s=1.0)
    second = WalkClip(start_s=4.0, length_s=3.0, vx=0.1, blend_in_s=1.0, blend_out_s=0.0)
    moments = walk_segments([second, first])
    for time_s in np.arange(1.0, 7.5, 0.01):
        times = [1.0, 2.0, 4.0, 5.0]
        expected = np.interp(time_s, times, [0.0, 0.2, 0.2, 0.0], left=0.0, right=0.0)
        if 4.0 <= time_s < 7.0:
            expected += np.interp(time_s, [4.0, 5.0], [0.0, 0.1])
        assert value_at(list(moments), time_s) == pytest.approx(expected, abs=1e-9)
    last = moments[-1]
    assert isinstance(last, WalkSegment)
    assert (last.time_s, last.walking, last.vx) == (7.0, False, 0.0)


def test_body_clips_are_trapezoids_of_four_values() -> None:
    clip = BodyClip(start_s=1.0, length_s=4.0, lower=0.04, roll=-0.1, pitch=0.2, yaw=0.3)
    up, level, down, end = body_segments([clip])
    assert up == BodySegment(1.0, 0.0, 0.0, 0.0, 0.0, (0.04, -0.1, 0.2, 0.3), True)
    assert level == BodySegment(2.0, 0.04, -0.1, 0.2, 0.3, (0.0, 0.0, 0.0, 0.0), True)
    assert isinstance(down, BodySegment) and down.slopes == (-0.04, 0.1, -0.2, -0.3)
    assert isinstance(end, BodySegment) and (end.time_s, end.held) == (5.0, False)
    moments = flat(BodyTrack(clips=(clip,))).moments
    assert [type(moment) for moment in moments] == [BodySegment] * 4


def test_stepping_in_place_is_walking_at_no_speed() -> None:
    first, *_ = walk_segments([WalkClip(length_s=2.0)])
    assert isinstance(first, WalkSegment)
    assert (first.walking, first.vx) == (True, 0.0)


def test_head_clips_in_a_row_are_joined_and_the_last_lets_go() -> None:
    clips = [
        HeadClip(start_s=0.0, length_s=2.0, yaw=0.4, blend_out_s=0.5),
        HeadClip(start_s=2.0, length_s=2.0, yaw=-0.4, blend_in_s=1.0, blend_out_s=0.5),
        HeadClip(start_s=6.0, length_s=1.0, yaw=0.2, blend_out_s=0.0),
    ]
    moments = head_segments(clips)
    held = [(m.time_s, m.held) for m in moments if isinstance(m, HeadSegment)]
    assert held == [(0.0, True), (2.0, True), (3.0, True), (3.5, False), (6.0, True), (7.0, False)]
    assert value_at(list(moments), 2.5) == pytest.approx(0.0)


def test_a_sway_makes_the_whole_cycles_that_fit_and_ends_with_its_clip() -> None:
    first = SwayClip(start_s=1.0, length_s=10.0, amplitude_m=0.03, frequency_hz=0.25)
    second = SwayClip(
        start_s=11.0, length_s=4.0, direction="up", amplitude_m=0.02, frequency_hz=0.25
    )
    moments = flat(SwayTrack(clips=(second, first))).moments
    assert moments == (
        SwaySegment(1.0, "left", 0.03, 0.25, 2),
        SwaySegment(11.0, "up", 0.02, 0.25, 1),
        SwaySegment(15.0, "up", 0.02, 0.25, 0),
    )


def test_live_clips_are_orders_to_follow_which_end_with_them() -> None:
    first = LiveClip(start_s=1.0, length_s=4.0, groups=("head",), legs=True)
    second = LiveClip(
        start_s=5.0, length_s=4.0, mode="answer", repertoire="duel", mirror_sides=False
    )
    cue = flat(LiveTrack(clips=(second, first)))
    assert cue.moments == (
        LiveSegment(1.0, Follow(limbs=("head",), legs=True)),
        LiveSegment(5.0, Follow(mode="answer", mirror_sides=False, repertoire="duel")),
        LiveSegment(9.0, None),
    )
    assert set(cue.groups) == {"head", "left_arm", "right_arm", "body"}


def test_walks_to_marks_end_before_the_next_begins() -> None:
    door, bench = Mark(1.0, 0.5, 0.2), Mark(-1.0)
    clips = (
        MarkClip(start_s=4.0, length_s=6.0, mark="bench"),
        MarkClip(length_s=4.0, mark="door", foot="left"),
    )
    moments = in_order(mark_segments(clips, {"door": door, "bench": bench}))
    assert moments == (
        MarkSegment(0.0, 1.0, 0.5, 0.2, "left", "door", True),
        MarkSegment(4.0, 1.0, 0.5, 0.2, "left", "door", False),
        MarkSegment(4.0, -1.0, 0.0, 0.0, "either", "bench", True),
        MarkSegment(10.0, -1.0, 0.0, 0.0, "either", "bench", False),
    )


def test_runs_and_jumps_reach_the_timeline_in_order() -> None:
    timeline = flat(
        WalkTrack(
            clips=(
                JumpClip(start_s=6.0, length_s=2.0, count=2, turn=0.1, period_s=0.8),
                WalkClip(length_s=2.0, vx=0.1),
                WalkClip(start_s=2.0, length_s=2.0, gait="run", vx=0.2),
                JumpClip(start_s=4.0, length_s=1.4, dx=0.02),
            )
        )
    )
    jump = body().table.gaits.jump
    assert jump is not None
    usual_s = jump.usual_period_s
    gaits = [(m.time_s, m.gait) for m in timeline.moments if isinstance(m, WalkSegment)]
    assert gaits == [
        (0.0, "walk"), (0.5, "walk"), (1.5, "walk"), (2.0, "run"), (2.5, "run"), (3.5, "run"),
        (4.0, "walk"),
    ]  # fmt: skip
    assert [m for m in timeline.moments if isinstance(m, JumpSegment)] == [
        JumpSegment(4.0, 1, 0.0, 0.02, 0.0, 0.0, usual_s),
        JumpSegment(5.4, 0, 0.0, 0.02, 0.0, 0.0, usual_s),
        JumpSegment(6.0, 2, 0.0, 0.0, 0.0, 0.1, 0.8),
        JumpSegment(8.0, 0, 0.0, 0.0, 0.0, 0.1, 0.8),
    ]


def test_phrases_and_events_keep_their_times() -> None:
    timeline = flat(
        VoiceTrack(clips=(VoiceClip(start_s=1.0, phrase="hello", volume=0.5),)),
        LightTrack(clips=(LightClip(start_s=2.0, event="red"),)),
        NetworkTrack(clips=(NetworkClip(start_s=2.0, event="door"),)),
        voice_volume=0.5,
    )
    (voice,) = timeline.voices
    assert (voice.time_s, voice.volume, voice.length_s) == (1.0, 0.25, 1.5)
    texts = [m.text for m in timeline.moments if isinstance(m, EventText)]
    assert texts == ["light: red", "network: door"]
    assert timeline.duration_s == 2.5


def test_cues_lead_where_the_show_says() -> None:
    cues = (
        Cue(number="1", continue_mode="auto_follow", next="3"),
        Cue(number="2", continue_mode="auto_continue", armed=False, entry_stance="walking"),
        Cue(number="3"),
    )
    prepared = prepare(loaded(*cues, go_guard_s=1.0), body().table, refusals={"2": "too fast"})
    assert [cue.following for cue in prepared.cues] == [2, 2, -1]
    follow = [cue.follow for cue in prepared.cues]
    assert follow == [Continue.AUTO_FOLLOW, Continue.AUTO_CONTINUE, Continue.NONE]
    second = prepared.cues[1]
    assert (second.armed, second.entry_stance, second.refusal) == (False, "walking", "too fast")
    assert prepared.go_guard_s == 1.0


def test_a_cue_that_does_too_much_is_refused() -> None:
    clips = tuple(LightClip(start_s=i / 100.0, event="x") for i in range(1500))
    track = LightTrack(clips=clips)
    with pytest.raises(StageError, match="cue 1: has 3000 moments"):
        flat(track, track)


def test_a_motion_of_another_robot_is_refused() -> None:
    strange = Motion("strange", ("tail",), 50.0, np.zeros((10, 1)))
    with pytest.raises(StageError, match="moves tail"):
        prepare_gestures({"strange": strange}, body().table)


def test_a_head_and_a_walk_track_reach_the_timeline() -> None:
    timeline = flat(
        HeadTrack(clips=(HeadClip(length_s=1.0, yaw=0.1),)),
        WalkTrack(clips=(WalkClip(length_s=2.0, vx=0.1),)),
    )
    kinds = {type(m) for m in timeline.moments}
    assert kinds == {HeadSegment, WalkSegment}
