"""Parts of the timeline that draw nothing: snapping, taps, scale, waveforms, postures."""

import math
import wave
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.cues.cells import contents_text
from app.console.cues.edits import EditError
from app.console.gestures.library import GestureLibrary
from app.console.timeline import clip_edits, trimming
from app.console.timeline.conflicts import conflicts
from app.console.timeline.curves import (
    MotionCurves,
    gesture_points,
    jump_points,
    sway_points,
    walk_path,
)
from app.console.timeline.material import Material
from app.console.timeline.names import clip_name
from app.console.timeline.posture import Postures, Start, floor_path, walked
from app.console.timeline.scale import Scale, time_text
from app.console.timeline.snapping import Taps, Target, beats_within, snap, targets
from app.console.timeline.waveforms import PEAKS_HZ, Waveforms, kept_peaks, read_peaks
from core.link.hello import WalkRange
from shows.audio import audio_info
from shows.check_clips import Stock
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
    LiveClip,
    LiveTrack,
    MarkClip,
    Settings,
    SwayClip,
    SwayTrack,
    Tempo,
    WalkClip,
    WalkTrack,
)
from shows.marks import Mark, Place
from tests.app.console.timeline.cues import CUE, MATERIAL
from tests.shows.examples import joint_table, wave_motion

WAVE = wave_motion("wave", 2.0)
STOCK = Stock(Settings(), {"wave": WAVE}, {}, joint_table())


def test_the_nearest_target_wins_and_a_far_one_has_no_effect() -> None:
    found = [Target(2.0, "marker"), Target(2.2, "safe point")]
    assert snap([1.0], 1.08, found, 0.15).by_s == pytest.approx(1.0)
    assert snap([1.0], 1.13, found, 0.15).target == found[1]
    assert snap([1.0], 1.5, found, 0.15).by_s == 1.5
    two = snap([1.0, 3.0], -0.85, found, 0.1)  # its end meets the safe point
    assert two.by_s == pytest.approx(-0.8) and two.target == found[1]


def test_beats_are_targets_and_are_named_by_bar_and_beat() -> None:
    tempo = Tempo(bpm=120.0, beats=4, first_s=0.25)
    snapped = snap([0.0], 2.8, [], 0.1, tempo)
    assert snapped.by_s == 2.75 and snapped.target == Target(2.75, "beat 2.2")
    beats = list(beats_within(tempo, 2.0, 3.3))
    assert beats == [(2.25, True), (2.75, False), (3.25, False)]


def test_clips_that_are_dragged_are_no_targets_of_their_own() -> None:
    times = {t.time_s for t in targets(CUE, {(0, 0)}, MATERIAL, 7.5)}
    assert {5.0, 6.0, 7.5, 0.0} <= times
    mine = {t.label for t in targets(CUE, {(0, 0)}, MATERIAL, 7.5) if t.time_s == 3.0}
    assert mine == {"start of a clip", "marker"}  # the light and the marker; not the end of wave


def test_taps_find_a_tempo_and_a_pause_begins_anew() -> None:
    taps = Taps()
    assert taps.tap(0.0) is None
    assert [taps.tap(0.5 * n) for n in (1, 2, 3)] == [120.0] * 3
    assert taps.tap(30.0) is None


@given(st.floats(0.0, 3600.0), st.floats(0.05, 4000.0), st.floats(0.2, 5.0), st.floats(0.0, 2000.0))
def test_a_zoom_keeps_the_time_under_the_pointer(
    start_s: float, zoom: float, factor: float, x: float
) -> None:
    before = Scale(start_s, zoom)
    after = before.zoomed(factor, x)
    if after.start_s > 0.0:
        assert after.s(x) == pytest.approx(before.s(x), abs=1e-6 * max(1.0, before.s(x)))


def test_times_are_written_as_an_operator_reads_them() -> None:
    assert [time_text(t) for t in (0.0, 61.5, 3723.25)] == ["0:00.00", "1:01.50", "1:02:03.25"]
    assert time_text(59.999) == "1:00.00"


def tone(path: Path, seconds: float = 2.0, rate_hz: int = 8000) -> Path:
    samples = np.zeros(round(seconds * rate_hz), dtype=np.int16)
    samples[rate_hz : rate_hz + 400] = 16384  # half of full scale from the first second on
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate_hz)
        sound.writeframes(samples.tobytes())
    return path


def test_a_waveform_is_computed_once_and_kept(tmp_path: Path, qtbot: QtBot) -> None:
    sound = tone(tmp_path / "a.wav")
    peaks = read_peaks(sound)
    assert len(peaks) == 2 * PEAKS_HZ
    assert peaks[PEAKS_HZ : PEAKS_HZ + 5] == pytest.approx([0.5] * 5, abs=1e-3)
    assert peaks[:PEAKS_HZ].max() == 0.0
    folder = tmp_path / "kept"
    kept_peaks(sound, folder)
    (file,) = folder.iterdir()
    file.write_bytes(b"damaged")
    assert (kept_peaks(sound, folder) == peaks).all()
    np.save(file, np.ones(3, np.float32))
    assert len(kept_peaks(sound, folder)) == 3  # from the disk
    waveforms = Waveforms(folder=folder)
    info = audio_info(sound, "a.wav")
    assert waveforms.of(info) is None
    qtbot.waitUntil(lambda: waveforms.of(info) is not None)
    waveforms.close()


def test_the_ghost_takes_the_posture_of_the_playing_clips() -> None:
    clips = (GestureClip(start_s=1.0, motion="wave", blend_in_s=0.0),)
    look = HeadClip(start_s=1.5, length_s=3.0, yaw=0.5, blend_in_s=0.5)
    hand = HandClip(start_s=0.0, length_s=9.0, hand="left", pose="fist", blend_in_s=0.0)
    cue = Cue(
        number="1",
        tracks=(
            GestureTrack(clips=clips), HeadTrack(clips=(look,)), HandsTrack(clips=(hand,)),
            GestureTrack(clips=(GestureClip(motion="wave"),), muted=True),
        ),
    )  # fmt: skip
    material = Material({"wave": 2.0})
    postures = Postures()
    early = postures.at(cue, 0.5, STOCK, material)
    assert "right_elbow" not in early and early["left_index"] == pytest.approx(1.5)
    middle = postures.at(cue, 2.0, STOCK, material)
    assert middle["right_elbow"] == pytest.approx(1.2)
    assert middle["head_yaw"] == pytest.approx(0.5)  # the later clip has the head
    mirrored = GestureClip(motion="wave", mirror=True, freeze_at_s=1.0, freeze_s=5.0)
    frozen = Cue(number="2", tracks=(GestureTrack(clips=(mirrored,)),))
    found = postures.at(frozen, 4.0, STOCK, material)
    assert found["left_elbow"] == pytest.approx(1.2) and "right_elbow" not in found


def test_the_ghost_walks_where_the_walks_lead() -> None:
    straight = WalkClip(start_s=1.0, length_s=5.0, vx=0.1, blend_in_s=0.0, blend_out_s=0.0)
    turn = WalkClip(
        start_s=7.0, length_s=2.0, yaw_rate=math.pi / 4.0, blend_in_s=0.0, blend_out_s=0.0
    )
    again = WalkClip(start_s=10.0, length_s=5.0, vx=0.1, blend_in_s=0.0, blend_out_s=0.0)
    cue = Cue(number="1", tracks=(WalkTrack(clips=(again, straight, turn)),))
    assert walked(cue, 0.5) == (0.0, 0.0, 0.0)
    assert walked(cue, 3.5) == pytest.approx((0.25, 0.0, 0.0), abs=0.02)
    assert walked(cue, 20.0) == pytest.approx((0.5, 0.5, math.pi / 2.0), abs=0.02)
    assert floor_path(cue)[-1] == pytest.approx((0.5, 0.5), abs=0.02)
    assert floor_path(Cue(number="2")) == ()
    assert walk_path([straight])[-1] == pytest.approx((0.5, 0.0, 0.0))


def test_the_ghost_goes_along_the_way_to_a_mark_from_where_the_robot_stands() -> None:
    step = WalkClip(length_s=2.0, vx=0.1, blend_in_s=0.0, blend_out_s=0.0)
    door = MarkClip(start_s=2.0, length_s=60.0, mark="door")
    lamp = MarkClip(start_s=70.0, length_s=2.0, mark="lamp")
    cue = Cue(number="1", tracks=(WalkTrack(clips=(lamp, door, step)),))
    marks = {"door": Mark(1.0, 1.0, math.pi / 2.0), "lamp": Mark(1.0, 4.0)}
    assert walked(cue, 60.0, Start(marks=marks)) == pytest.approx((0.2, 0.0, 0.0))
    start = Start(Place(1.0, 0.0, math.pi / 2.0), marks, WalkRange(0.3, 0.1, 0.4))
    assert walked(cue, 2.5, start) == pytest.approx((0.2, 0.0, 0.0), abs=0.01)
    x, y, _ = walked(cue, 5.0, start)
    assert 0.3 < x < 0.8 and abs(y) < 0.05, "it is on its way"
    assert walked(cue, 65.0, start) == pytest.approx((1.0, 0.0, 0.0), abs=0.02)
    x, y, _ = walked(cue, 90.0, start)
    assert 1.05 < x < 1.5, "the time of the clip is over before it arrives"
    assert floor_path(cue, start)[-1] == pytest.approx((x, y))


def test_runs_and_jumps_lead_on_and_are_named_and_drawn(context: Context) -> None:
    library = GestureLibrary(context.link, context.document, context.notices, [])
    run = WalkClip(length_s=4.0, gait="run", vx=0.2, blend_in_s=0.0, blend_out_s=0.0)
    jumps = JumpClip(start_s=4.0, length_s=2.4, count=2, dx=0.05, turn=math.pi / 4.0, period_s=1.0)
    cue = Cue(number="1", tracks=(WalkTrack(clips=(run, jumps)),))
    assert walked(cue, 4.0) == pytest.approx((0.8, 0.0, 0.0), abs=0.01)
    assert walked(cue, 4.2) == walked(cue, 4.0)  # it pushes
    assert walked(cue, 5.1) == pytest.approx((0.85, 0.0, math.pi / 4.0), abs=0.01)
    side = 0.05 * math.sqrt(0.5)
    assert walked(cue, 9.0) == pytest.approx((0.85 + side, side, math.pi / 2.0), abs=0.01)
    assert floor_path(cue)[-1] == pytest.approx((0.85 + side, side), abs=0.01)
    assert clip_name(run, library) == "Run 0.20 m/s ahead"
    assert clip_name(jumps, library) == "2 jumps, 5 cm ahead, 45° left each"
    assert clip_name(JumpClip(length_s=1.4, dy=-0.02), library) == "Jump, 2 cm right"
    times_s, heights = jump_points(jumps)
    assert times_s[-1] == 2.4 and heights.max() == 1.0 and heights[0] == heights[-1] == 0.0
    assert np.all(np.diff(times_s) >= 0.0)
    landings_s = times_s[1:][(heights[:-1] > 0.0) & (heights[1:] == 0.0)]
    assert landings_s == pytest.approx((0.3, 1.3))


def test_a_clip_has_the_jumps_that_fit_and_stretches_their_period() -> None:
    jumps = JumpClip(length_s=2.4, count=2, period_s=1.0)
    for length_s, count in ((3.39, 2), (3.4, 3), (0.5, 1), (900.0, 50)):
        found = trimming.resized(jumps, length_s, MATERIAL)
        assert isinstance(found, JumpClip) and (found.length_s, found.count) == (length_s, count)
    cue, places = Cue(number="1", tracks=(WalkTrack(clips=(jumps,)),)), frozenset({(0, 0)})
    (found,) = clip_edits.stretched(cue, places, 0.8, MATERIAL).cue.clips()
    assert found == JumpClip(length_s=2.0, count=2, period_s=0.8)
    with pytest.raises(EditError, match="at most 2 s apart"):
        clip_edits.stretched(cue, places, 3.0, MATERIAL)


def test_jumps_are_divided_between_two_of_them() -> None:
    first, second = trimming.halves(JumpClip(length_s=3.4, count=3), 1.4, MATERIAL)
    assert isinstance(first, JumpClip) and isinstance(second, JumpClip)
    assert (first.count, second.start_s, second.count) == (1, 1.4, 2)
    with pytest.raises(EditError, match="single jump"):
        trimming.halves(JumpClip(length_s=3.4), 1.4, MATERIAL)


def test_a_loop_draws_its_curves_again_and_again() -> None:
    curves = MotionCurves(WAVE)
    assert curves.values.shape[0] == 3 and curves.values.min() >= 0.0
    clip = GestureClip(motion="wave", loop=True, length_s=5.0)
    times_s, values = gesture_points(clip, 5.0, curves)
    assert times_s[-1] > 4.9 and values.shape == (3, len(times_s))
    part = GestureClip(motion="wave", offset_s=1.0, length_s=0.5)
    times_s, _ = gesture_points(part, 0.5, curves)
    assert 0.0 <= times_s[0] and times_s[-1] <= 0.5 + 1e-6


def test_conflicts_have_their_place_time_and_gravity() -> None:
    walk = WalkClip(start_s=1.0, length_s=3.0)
    cue = Cue(
        number="1",
        tracks=(
            WalkTrack(clips=(walk,)), WalkTrack(clips=(WalkClip(start_s=3.0, length_s=2.0),)),
            GestureTrack(clips=(GestureClip(motion="wave"),)),
            HeadTrack(clips=(HeadClip(start_s=0.5, length_s=1.0),)),
        ),
        safe_points_s=(99.0,),
    )  # fmt: skip
    found = conflicts(cue, STOCK, Material({"wave": 2.0}))
    said = [(c.gravity, c.place, c.start_s, c.end_s) for c in found]
    assert said == [
        ("warning", (3, 0), 0.5, 1.5),
        ("fault", (1, 0), 3.0, 4.0),
        ("fault", None, 99.0, 99.0),
    ]
    assert (
        "head" in found[0].reason
        and "walks, runs, jumps or ways to marks overlap" in found[1].reason
    )


def test_postures_of_the_body_are_named_and_two_at_once_are_a_fault(context: Context) -> None:
    library = GestureLibrary(context.link, context.document, context.notices, [])
    first = BodyClip(length_s=4.0, lower=0.03, pitch=0.2, yaw=-0.1)
    second = BodyClip(start_s=3.0, length_s=3.0)
    assert clip_name(first, library) == "3 cm down, 11° forward, 6° turned right"
    assert clip_name(second, library) == "upright"
    cue = Cue(number="1", tracks=(BodyTrack(clips=(first,)), BodyTrack(clips=(second,))))
    (conflict,) = conflicts(cue, STOCK, MATERIAL)
    assert (conflict.gravity, conflict.start_s, conflict.end_s) == ("fault", 3.0, 4.0)
    assert conflict.reason == "Two postures of the body overlap here; move one."


def test_a_live_clip_is_named_and_nothing_else_may_move_what_a_person_leads(
    context: Context,
) -> None:
    library = GestureLibrary(context.link, context.document, context.notices, [])
    live = LiveClip(length_s=8.0)
    order = trimming.replace(
        live, mode="answer", repertoire="a_duel", groups=("left_arm",), legs=True
    )
    assert clip_name(live, library) == "Mirror"
    assert clip_name(order, library) == "Answer: a duel, left arm, legs"
    walk = WalkTrack(clips=(WalkClip(start_s=3.0, length_s=1.0),))
    wave = GestureTrack(clips=(GestureClip(start_s=7.0, motion="wave"),))
    cue = Cue(number="1", tracks=(LiveTrack(clips=(live,)), walk, wave))
    walked, waved = conflicts(cue, STOCK, MATERIAL)
    assert (walked.gravity, walked.start_s, walked.end_s) == ("fault", 3.0, 4.0)
    assert walked.reason.startswith("A walk, run, jump or way to a mark and a live clip overlap")
    assert "a gesture and a live clip both move the" in waved.reason.lower()
    assert contents_text(cue) == "mirror a person, walk 1.0 s, wave"


def test_a_sway_is_named_and_neither_another_nor_a_walk_may_be_there(context: Context) -> None:
    library = GestureLibrary(context.link, context.document, context.notices, [])
    sway = SwayClip(length_s=8.0, amplitude_m=0.05, frequency_hz=0.25)
    assert clip_name(sway, library) == "Sideways ±5 cm, 0.25 Hz"
    times_s, shares = sway_points(trimming.replace(sway, length_s=10.0))
    assert (times_s[-2], times_s[-1], shares[-1]) == (8.0, 10.0, 0.5)
    other, walk = trimming.replace(sway, start_s=7.0), WalkClip(start_s=6.0, length_s=1.0)
    cue = Cue(number="1", tracks=(SwayTrack(clips=(sway, other)), WalkTrack(clips=(walk,))))
    found = conflicts(cue, STOCK, MATERIAL)
    assert [(c.start_s, c.reason) for c in found] == [
        (6.0, "A sway and a walk overlap here; move one."),
        (7.0, "Two sways overlap here; move one."),
    ]
