"""The faults of a show as a whole: its numbers, its chains, its timelines."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.audio import AudioInfo
from shows.body_limb import BodyLimb, Coordinate, with_body
from shows.check import Checker
from shows.check_clips import Stock
from shows.document import (
    BodyClip,
    BodyTrack,
    ContinueMode,
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    HeadClip,
    HeadTrack,
    LightClip,
    LightTrack,
    LiveClip,
    LiveTrack,
    Marker,
    Settings,
    Show,
    Track,
    Trigger,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)
from shows.fields import MAX_SHOW_CLIPS
from shows.joints import JointTable
from shows.uses import trigger_warnings
from tests.shows.examples import FIST, joint_table, small_show, wave_motion

JOINTS = joint_table()


def checker(*cues: Cue, settings: Settings | None = None, joints: JointTable = JOINTS) -> Checker:
    show = Show(name="x", robot="tester", settings=settings or Settings(), cues=cues)
    audio = {"hello": AudioInfo(Path("hello.wav"), 0.5)}
    return Checker(show, Stock(show.settings, {"wave": wave_motion()}, audio, joints))


def faults(*cues: Cue) -> list[str]:
    return [str(fault) for fault in checker(*cues).faults()]


def timeline(*tracks: Track, safe_points_s: tuple[float, ...] = ()) -> Cue:
    return Cue(number="7", tracks=tracks, safe_points_s=safe_points_s)


def test_the_example_has_no_fault_and_no_warning() -> None:
    checks = checker(*small_show().cues, settings=small_show().settings)
    assert list(checks.faults()) == []
    assert list(checks.warnings()) == []


@pytest.mark.parametrize(
    ("cues", "words"),
    [
        ([Cue(number="1"), Cue(number="1")], ["$.cues[1].number", "'1' is used twice"]),
        (
            [Cue(number="1", hotkey="F1"), Cue(number="2", hotkey="f1")],
            ["$.cues[1].hotkey (cue 2)", "already fires cue 1"],
        ),
        ([Cue(number="1", next="9")], ["$.cues[0].next (cue 1)", "no cue '9'"]),
    ],
)
def test_refuses_a_cue_list(cues: list[Cue], words: list[str]) -> None:
    (fault,) = faults(*cues)
    assert fault.startswith("show.json, ")
    assert all(word in fault for word in words)


@pytest.mark.parametrize(
    ("links", "ring"),
    [
        ([("1", "auto_follow", "1")], "1 > 1"),
        ([("1", "auto_continue", None), ("2", "auto_follow", "1")], "1 > 2 > 1"),
        ([("1", "none", None), ("2", "auto_follow", "3"), ("3", "auto_follow", "2")], "2 > 3 > 2"),
        (
            [(str(i), "auto_continue", None) for i in range(9)] + [("9", "auto_follow", "0")],
            "0 > 1 > 2 > ... > 9 > 0",
        ),
    ],
)
def test_refuses_cues_that_continue_in_a_circle(
    links: list[tuple[str, ContinueMode, str | None]], ring: str
) -> None:
    (fault,) = faults(*(Cue(number=n, continue_mode=mode, next=to) for n, mode, to in links))
    assert f"cues {ring} continue in an endless circle" in fault
    assert fault.endswith("let one of them wait for GO")


def test_a_circle_that_waits_for_go_is_a_show_that_can_be_repeated() -> None:
    assert faults(Cue(number="1", continue_mode="auto_follow"), Cue(number="2", next="1")) == []


links = st.lists(
    st.tuples(
        st.sampled_from(["none", "auto_continue", "auto_follow"]),
        st.none() | st.integers(0, 7),
    ),
    min_size=8,
    max_size=8,
)


@given(links)
def test_a_circle_is_found_exactly_when_following_never_stops(
    given_links: list[tuple[ContinueMode, int | None]],
) -> None:
    cues = [
        Cue(number=str(i), continue_mode=mode, next=None if to is None else str(to))
        for i, (mode, to) in enumerate(given_links)
    ]
    show = Show(name="x", cues=tuple(cues))

    def never_stops(cue: Cue | None) -> bool:
        for _ in range(len(cues) + 1):
            if cue is None or cue.continue_mode == "none":
                return False
            cue = show.next_cue(cue.number)
        return True

    assert bool(faults(*cues)) == any(never_stops(cue) for cue in cues)


@pytest.mark.parametrize(
    "track",
    [
        GestureTrack(
            clips=(GestureClip(motion="wave"), GestureClip(start_s=1.9, motion="wave")),
        ),
        GestureTrack(
            clips=(
                GestureClip(start_s=1.0, motion="wave", groups=("head",)),
                GestureClip(motion="wave", mirror=True),
            ),
        ),
        HeadTrack(clips=(HeadClip(length_s=9.0), HeadClip(start_s=3.0, length_s=1.0))),
        HandsTrack(
            clips=(
                HandClip(length_s=2.0, pose="fist"),
                HandClip(start_s=1.0, length_s=2.0, hand="left", pose="open"),
            )
        ),
        WalkTrack(clips=(WalkClip(length_s=2.0), WalkClip(start_s=1.5, length_s=2.0))),
        VoiceTrack(clips=(VoiceClip(phrase="hello"), VoiceClip(start_s=0.4, phrase="hello"))),
    ],
    ids=lambda track: track.kind,
)
def test_refuses_clips_that_overlap_on_one_limb(track: Track) -> None:
    (fault,) = faults(timeline(track))
    assert "(cue 7)" in fault
    assert "before the clip at" in fault


@pytest.mark.parametrize(
    "track",
    [
        GestureTrack(clips=(GestureClip(start_s=2.0, motion="wave"), GestureClip(motion="wave"))),
        GestureTrack(
            clips=(
                GestureClip(motion="wave", groups=("right_arm",)),
                GestureClip(motion="wave", groups=("left_arm",), mirror=True),
            )
        ),
        HandsTrack(
            clips=(
                HandClip(length_s=2.0, hand="left", pose="fist"),
                HandClip(length_s=2.0, hand="right", pose="fist"),
            )
        ),
        LightTrack(clips=(LightClip(event="a"), LightClip(event="b"))),
    ],
    ids=lambda track: track.kind,
)
def test_admits_clips_that_touch_or_share_no_limb(track: Track) -> None:
    assert faults(timeline(track)) == []


def test_two_walks_at_once_are_refused_on_two_tracks_as_well() -> None:
    walk = WalkTrack(clips=(WalkClip(length_s=2.0),))
    (fault,) = faults(timeline(walk, walk))
    assert "$.cues[0].tracks[1].clips[0]" in fault


def test_two_tracks_on_one_limb_are_a_warning() -> None:
    look = HeadTrack(clips=(HeadClip(start_s=1.0, length_s=2.0),))
    gesture = GestureTrack(clips=(GestureClip(motion="wave", groups=("head",)),))
    checks = checker(timeline(look, gesture))
    assert list(checks.faults()) == []
    (warning,) = checks.warnings()
    assert "two tracks use head at 1 s" in warning


LIVE = LiveTrack(clips=(LiveClip(length_s=4.0),))
ARM = GestureTrack(clips=(GestureClip(start_s=1.0, motion="wave", groups=("right_arm",)),))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (ARM, "a gesture and a live clip both move the right arm at 1 s"),
        (HeadTrack(clips=(HeadClip(start_s=3.0, length_s=2.0),)), "a look and a live clip both"),
        (WalkTrack(clips=(WalkClip(start_s=3.0, length_s=2.0),)), "a walk, run, jump or way"),
        (LiveTrack(clips=(LiveClip(start_s=3.0, length_s=2.0),)), "two live clips overlap at 3 s"),
    ],
)
def test_what_a_person_leads_is_moved_by_nothing_else(other: Track, words: str) -> None:
    (fault,) = faults(timeline(LIVE, other))
    assert "tracks[1].clips[0]" in fault and words in fault
    assert faults(timeline(LIVE, msgspec.structs.replace(other, muted=True))) == []
    left = LiveTrack(clips=(LiveClip(length_s=0.9), LiveClip(start_s=5.0, length_s=1.0)))
    assert faults(timeline(left, other)) == []


def test_a_person_who_leads_the_body_leaves_no_posture_to_the_show() -> None:
    some = Coordinate(lower=0.1, upper=0.1, speed=1.0, acceleration=5.0)
    own = BodyLimb(roll=some, pitch=some, yaw=some, height=some, left=some, forward=some)
    joints = with_body(JOINTS, own)
    lean = BodyTrack(clips=(BodyClip(start_s=3.0, length_s=2.0),))
    (fault,) = checker(timeline(LIVE, lean), joints=joints).faults()
    assert "a posture of the body and a live clip both move the body at 3 s" in str(fault)
    arm = LiveTrack(clips=(LiveClip(length_s=4.0, groups=("left_arm",)),))
    assert list(checker(timeline(arm, lean), joints=joints).faults()) == []


def test_limbs_that_nobody_leads_play_gestures_and_hands_during_a_live_clip() -> None:
    live = LiveTrack(clips=(LiveClip(length_s=4.0, groups=("left_arm",)),))
    hands = HandsTrack(clips=(HandClip(length_s=2.0, pose=FIST),))
    checks = checker(timeline(live, ARM, hands))
    assert list(checks.faults()) == [] and list(checks.warnings()) == []


def test_music_under_a_phrase_is_no_warning() -> None:
    music = VoiceTrack(clips=(VoiceClip(phrase="hello", music=True),))
    checks = checker(timeline(music, VoiceTrack(clips=(VoiceClip(phrase="hello"),))))
    assert list(checks.faults()) == [] and list(checks.warnings()) == []


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((2.1,), "safe_points_s[0] (cue 7): the safe point is after the cue's end at 2.00 s"),
        ((1.0, 0.5), "safe_points_s[1] (cue 7): the safe point at 0.5 s does not come after"),
        ((1.0, 1.0), "safe_points_s[1]"),
    ],
)
def test_refuses_safe_points(points: tuple[float, ...], words: str) -> None:
    track = GestureTrack(clips=(GestureClip(motion="wave"),))
    (fault,) = faults(timeline(track, safe_points_s=points))
    assert words in fault


def test_refuses_markers_out_of_order() -> None:
    markers = (Marker(time_s=1.0), Marker(time_s=1.0, name="again"), Marker(time_s=0.5))
    (fault,) = faults(Cue(number="7", markers=markers))
    assert "markers[2] (cue 7): the marker at 0.5 s does not come after" in fault


def test_refuses_a_cue_that_lasts_too_long() -> None:
    longest = HeadTrack(clips=(HeadClip(length_s=3600.0),))
    assert faults(timeline(longest)) == []
    track = HeadTrack(clips=(HeadClip(start_s=3000.0, length_s=601.0),))
    (fault,) = faults(timeline(track))
    assert "lasts 3601 s" in fault


def test_refuses_a_show_of_too_many_clips_at_once() -> None:
    track = LightTrack(clips=(LightClip(event="on"),) * 2000)
    (fault,) = faults(*(Cue(number=str(i), tracks=(track,)) for i in range(11)))
    assert f"22000 clips, more than {MAX_SHOW_CLIPS}" in fault


def test_refuses_a_hand_pose_in_settings_that_no_hand_can_take() -> None:
    checks = checker(settings=Settings(hand_poses={"claw": (0.0, 0.0, 0.0, 0.0, -0.5)}))
    found = [str(fault) for fault in checks.faults()]
    assert len(found) == 2, "one a hand"
    assert "$.settings.hand_poses" in found[0]
    assert "pose 'claw': left_ring at -0.5 rad" in found[0]


def test_a_flaw_names_cue_track_and_clip() -> None:
    track = GestureTrack(clips=(GestureClip(motion="wave"), GestureClip(motion="bow")))
    (fault,) = faults(Cue(number="1"), timeline(HeadTrack(), track))
    assert "$.cues[1].tracks[1].clips[1].motion (cue 7): there is no motion 'bow'" in fault


@pytest.mark.parametrize(
    ("cues", "words"),
    [
        ([], "has no cues"),
        ([Cue(number="1", continue_mode="auto_follow")], "none comes after it"),
        (
            [
                Cue(number="1", continue_mode="auto_continue", exit_stance="walking"),
                Cue(number="2", entry_stance="standing"),
            ],
            "cue 1 ends walking, but cue 2 starts standing",
        ),
        (
            [Cue(number="1", tracks=(HeadTrack(solo=True), LightTrack(name="sun")))],
            "cue 1 does not play its muted tracks: sun",
        ),
    ],
)
def test_warns(cues: list[Cue], words: str) -> None:
    checks = checker(*cues)
    assert list(checks.faults()) == []
    (warning,) = checks.warnings()
    assert words in warning


def test_a_show_without_a_robot_is_a_warning() -> None:
    show = Show(name="x", cues=(Cue(number="1"),))
    (warning,) = Checker(show, Stock(show.settings, {}, {}, JOINTS)).warnings()
    assert "does not name the robot" in warning


def test_a_key_and_a_button_fire_one_thing() -> None:
    triggers = (
        Trigger(use="phrase:hello", hotkey="h", button="a"),
        Trigger(use="idle:toggle", name="Still", hotkey="J", button="b"),
        Trigger(use="gesture:wave", hotkey="j", button="a"),
    )
    show = Show(name="x", robot="tester", cues=(Cue(number="1", hotkey="H"),), triggers=triggers)
    found = [str(f) for f in Checker(show, Stock(show.settings, {}, {}, JOINTS)).faults()]
    wanted = (
        "$.triggers[0].hotkey: key 'h' already fires cue 1",
        "$.triggers[2].hotkey: key 'j' already fires the trigger 'Still'",
        "$.triggers[2].button: button 'a' already fires the trigger 'hello'",
    )
    assert all(words in line for words, line in zip(wanted, found, strict=True)), found
    warned = list(trigger_warnings(show, ("wave",), (), ()))
    assert len(warned) == 1 and "the trigger 'hello' says the phrase hello" in warned[0]
