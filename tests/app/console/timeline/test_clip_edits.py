"""Edits of a cue's timeline: what each does, and what none of them may do."""

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from app.console.context.document import Document
from app.console.cues.edits import EditError
from app.console.timeline import clip_edits, copies, time_edits, track_edits, trimming
from app.console.timeline.clip_edits import Edited
from app.console.timeline.material import Places, all_places, clip_at
from app.console.timeline.trimming import SHORTEST_S, Side
from shows.document import (
    Clip,
    Cue,
    GestureClip,
    GestureTrack,
    HeadTrack,
    LightClip,
    LightTrack,
    Show,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
    clips_of,
)
from shows.fields import MAX_CUE_S
from shows.storage import encode_show
from tests.app.console.timeline.cues import CUE, MATERIAL, cues

ALL = all_places(CUE)
AT_2_MS = LightTrack(clips=(LightClip(start_s=0.002, event="blue"),))
WAVE, BOW, HEAD, WALK, HELLO, BLUE = (0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (4, 0)


def one(place: tuple[int, int]) -> Places:
    return frozenset((place,))


def played(clip: Clip, time_s: float) -> float | None:
    """Return the time of the recording that a clip plays at a time of the cue."""
    if not clip.start_s <= time_s < MATERIAL.end_s(clip):
        return None
    if isinstance(clip, GestureClip):
        return clip.offset_s + (time_s - clip.start_s) * clip.speed
    return clip.offset_s + time_s - clip.start_s if isinstance(clip, VoiceClip) else 0.0


def test_clips_move_together_and_never_before_the_cue() -> None:
    moved = clip_edits.moved(CUE, frozenset((WAVE, HEAD)), -5.0, MATERIAL).cue
    assert clip_at(moved, HEAD).start_s == 0.0
    assert clip_at(moved, WAVE).start_s == 0.5
    late = clip_edits.moved(CUE, one(WAVE), 1e6, MATERIAL).cue
    assert MATERIAL.end_s(clip_at(late, WAVE)) == pytest.approx(MAX_CUE_S)


def test_a_clip_moves_to_another_track_of_its_kind_only() -> None:
    cue, below = track_edits.track_added(CUE, "gesture")
    assert below == 1
    there = clip_edits.moved(cue, one(BOW), 1.0, MATERIAL, down=1)
    assert there.places == one((1, 0))
    assert clip_at(there.cue, (1, 0)) == msgspec.structs.replace(clip_at(CUE, BOW), start_s=6.0)
    assert len(there.cue.tracks[0].clips) == 1
    stays = clip_edits.moved(cue, one(BOW), 1.0, MATERIAL, down=2)
    assert stays.places == one(BOW) and len(stays.cue.tracks[2].clips) == 1


def test_a_trim_keeps_what_is_played_where_it_is() -> None:
    begun = clip_at(clip_edits.trimmed(CUE, one(WAVE), "start", 0.5, MATERIAL).cue, WAVE)
    assert begun == GestureClip(start_s=1.5, motion="wave", offset_s=0.5)
    back = trimming.trim(begun, "start", -9.0, MATERIAL)  # not before the motion begins
    assert back == clip_at(CUE, WAVE)
    ended = trimming.trim(begun, "end", -0.5, MATERIAL)
    assert MATERIAL.end_s(ended) == 2.5
    assert trimming.trim(ended, "end", 9.0, MATERIAL) == begun  # nor after it ends
    least = trimming.trim(begun, "end", -9.0, MATERIAL)
    assert MATERIAL.length_s(least) == SHORTEST_S


def test_a_trim_shortens_the_blends_that_no_longer_fit() -> None:
    walk = trimming.trim(clip_at(CUE, WALK), "end", -3.5, MATERIAL)
    assert isinstance(walk, WalkClip)
    assert (walk.length_s, walk.blend_in_s, walk.blend_out_s) == (0.5, 0.25, 0.25)


def test_a_photo_freeze_goes_with_the_part_that_has_it() -> None:
    clip = GestureClip(motion="bow", freeze_at_s=1.0, freeze_s=2.0)
    first, second = trimming.halves(clip, 2.0, MATERIAL)
    assert isinstance(first, GestureClip) and isinstance(second, GestureClip)
    assert (first.freeze_at_s, first.freeze_s) == (1.0, 1.0)
    assert (second.freeze_at_s, second.freeze_s, second.offset_s) == (0.0, 1.0, 1.0)
    assert MATERIAL.end_s(second) == pytest.approx(5.5)


def test_a_split_needs_a_clip_under_the_playhead() -> None:
    with pytest.raises(EditError, match="under the playhead"):
        clip_edits.split(CUE, ALL, 30.0, MATERIAL)


def test_a_split_walk_goes_on_at_the_cut() -> None:
    edited = clip_edits.split(CUE, one(WALK), 4.0, MATERIAL)
    first, second = (clip_at(edited.cue, (2, i)) for i in range(2))
    assert isinstance(first, WalkClip) and isinstance(second, WalkClip)
    assert (first.blend_out_s, second.blend_in_s) == (0.0, 0.0)
    assert MATERIAL.end_s(first) == second.start_s == 4.0


def test_stretching_plays_gestures_slower() -> None:
    edited = clip_edits.stretched(CUE, frozenset((WAVE, BOW, HELLO)), 2.0, MATERIAL)
    wave, bow, hello = (clip_at(edited.cue, place) for place in (WAVE, BOW, HELLO))
    assert wave == GestureClip(start_s=1.0, motion="wave", speed=0.5)
    assert bow == GestureClip(start_s=9.0, motion="bow", speed=1.0, length_s=2.0)
    assert hello == clip_at(CUE, HELLO)
    with pytest.raises(EditError, match="wave would play at 8"):
        clip_edits.stretched(CUE, one(WAVE), 0.125, MATERIAL)


def test_a_loop_keeps_its_length_and_ends_where_the_motion_ends() -> None:
    cue = clip_edits.looped(CUE, one(WAVE), MATERIAL).cue
    loop = clip_at(cue, WAVE)
    assert isinstance(loop, GestureClip) and loop.loop and loop.length_s == 2.0
    longer = clip_edits.trimmed(cue, one(WAVE), "end", 7.0, MATERIAL).cue
    assert MATERIAL.length_s(clip_at(longer, WAVE)) == 9.0
    assert clip_at(clip_edits.looped(longer, one(WAVE), MATERIAL).cue, WAVE) == clip_at(CUE, WAVE)
    with pytest.raises(EditError, match="Only gestures"):
        clip_edits.looped(CUE, one(HEAD), MATERIAL)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("speed", 9.0, "refused"), ("vx", "fast", "refused"), ("start_s", -1.0, "refused")],
)
def test_a_typed_value_that_is_not_allowed_is_refused(
    field: str, value: object, words: str
) -> None:
    with pytest.raises(EditError, match=words):
        clip_edits.changed(CUE, ALL, field, value)


def test_a_typed_value_reaches_the_clips_that_have_the_field() -> None:
    cue = clip_edits.changed(CUE, ALL, "speed", 1.5).cue
    assert [clip_at(cue, p).speed for p in (WAVE, BOW)] == [1.5, 1.5]  # type: ignore[union-attr]
    assert clip_at(cue, HEAD) == clip_at(CUE, HEAD)


def test_locked_tracks_refuse_every_edit() -> None:
    cue = track_edits.track_changed(CUE, 0, locked=True)
    deeds: list[Callable[[], object]] = [
        lambda: clip_edits.moved(cue, one(WAVE), 1.0, MATERIAL),
        lambda: clip_edits.removed(cue, one(WAVE)),
        lambda: clip_edits.split(cue, one(WAVE), 2.0, MATERIAL),
        lambda: clip_edits.duplicated(cue, one(WAVE), MATERIAL),
        lambda: time_edits.inserted(cue, 0.0, 1.0, MATERIAL),
        lambda: time_edits.cut(cue, 0.0, 1.0, MATERIAL),
        lambda: time_edits.closed(cue, one(WAVE), MATERIAL),
        lambda: track_edits.track_removed(cue, 0),
    ]
    for deed in deeds:
        with pytest.raises(EditError, match="Gesture is locked"):
            deed()
    assert time_edits.inserted(cue, 9.0, 1.0, MATERIAL).tracks == cue.tracks


def test_clips_are_pasted_to_like_tracks_of_another_cue() -> None:
    data = copies.copied(CUE, frozenset((BOW, HEAD, HELLO)))
    tracks = HeadTrack(locked=True), VoiceTrack(), VoiceTrack(name="speech")
    other = Cue(number="8", tracks=tracks)
    edited = copies.pasted(other, data, 10.0)
    assert [track.kind for track in edited.cue.tracks] == [
        "gesture", "head", "head", "voice", "voice"
    ]  # fmt: skip
    starts = {
        edited.cue.tracks[t].kind: clip_at(edited.cue, (t, c)).start_s for t, c in edited.places
    }
    assert starts == {"gesture": 14.5, "head": 10.0, "voice": 10.5}
    assert edited.cue.tracks[-1].name == "speech" and edited.cue.tracks[-1].clips
    with pytest.raises(EditError, match="holds no clips"):
        copies.pasted(other, b'[{"number": "1"}]', 0.0)


def test_time_is_inserted_and_cut() -> None:
    cue = time_edits.inserted(CUE, 3.0, 2.0, MATERIAL)
    assert clip_at(cue, BOW).start_s == 7.0 and clip_at(cue, WALK) == clip_at(CUE, WALK)
    assert cue.safe_points_s == (2.0, 6.0) and cue.markers[0].time_s == 5.0
    cut = time_edits.cut(CUE, 1.5, 2.5, MATERIAL)
    (first, second, bow) = sorted(clips_of(cut.tracks[0]), key=lambda clip: clip.start_s)
    assert played(first, 1.4) == pytest.approx(0.4) and MATERIAL.end_s(first) == 1.5
    assert played(second, 1.5) == 1.5 and MATERIAL.end_s(second) == 2.0
    assert bow.start_s == 4.0
    assert cut.safe_points_s == (3.0,)
    with pytest.raises(EditError, match="no time to cut"):
        time_edits.cut(CUE, 2.0, 2.0, MATERIAL)


def test_ripple_moves_what_follows_on_the_track() -> None:
    longer = clip_edits.stretched(CUE, one(WAVE), 2.0, MATERIAL).cue
    cue = time_edits.rippled(CUE, longer, one(WAVE), 2.0, MATERIAL)
    assert clip_at(cue, BOW).start_s == 7.0 and clip_at(cue, HEAD) == clip_at(CUE, HEAD)
    gone = time_edits.closed(CUE, one(WAVE), MATERIAL).cue
    assert clip_at(gone, (0, 0)).start_s == 3.0


def test_an_excerpt_starts_at_once_in_the_middle_of_what_plays() -> None:
    part = time_edits.excerpt(CUE, 2.0, 3.0, MATERIAL)
    (wave,) = clips_of(part.tracks[0])
    assert (wave.start_s, played(wave, 0.0), MATERIAL.end_s(wave)) == (0.0, 1.0, 1.0)
    (walk,) = clips_of(part.tracks[2])
    assert (walk.start_s, MATERIAL.end_s(walk)) == (0.0, 1.0)
    assert time_edits.safe_entry(CUE, 3.9) == 2.0 and time_edits.safe_entry(CUE, 1.0) == 0.0


def test_marks_and_tempo() -> None:
    cue = track_edits.marker_put(CUE, 1.0, "turn")
    assert [m.name for m in cue.markers] == ["turn", ""]
    cue, place = track_edits.marker_moved(cue, 0, 9.0)
    assert place == 1 and [m.time_s for m in cue.markers] == [3.0, 9.0]
    assert track_edits.marker_removed(cue, 1).markers == CUE.markers
    assert track_edits.safe_point_toggled(CUE, 3.0).safe_points_s == (2.0, 3.0, 4.0)
    assert track_edits.safe_point_toggled(CUE, 2.0).safe_points_s == (4.0,)
    assert track_edits.safe_point_moved(CUE, 0, 5.0)[0].safe_points_s == (4.0, 5.0)
    assert track_edits.tempo_set(CUE, None).tempo is None
    with pytest.raises(EditError, match="out of bounds"):
        track_edits.tempo_set(CUE, 1000.0)


times = st.integers(0, 30_000).map(lambda n: n / 1000.0)
ways = st.integers(-30_000, 30_000).map(lambda n: n / 1000.0)
sides: st.SearchStrategy[Side] = st.sampled_from(("start", "end"))


@st.composite
def edits(draw: st.DrawFn, cue: Cue) -> Cue | Edited:
    """Draw an edit of a cue, and do it."""
    places = draw(st.frozensets(st.sampled_from(sorted(all_places(cue)) or [(0, 0)]), min_size=1))
    if not all_places(cue):
        return track_edits.marker_put(cue, draw(times), "empty")
    deeds: list[Callable[[], Cue | Edited]] = [
        lambda: clip_edits.moved(cue, places, draw(ways), MATERIAL, draw(st.integers(-1, 1))),
        lambda: clip_edits.trimmed(cue, places, draw(sides), draw(ways), MATERIAL),
        lambda: clip_edits.blended(cue, places, draw(sides), draw(times), MATERIAL),
        lambda: clip_edits.split(cue, places, draw(times), MATERIAL),
        lambda: clip_edits.duplicated(cue, places, MATERIAL),
        lambda: clip_edits.removed(cue, places),
        lambda: clip_edits.stretched(cue, places, draw(st.floats(0.3, 3.0)), MATERIAL),
        lambda: clip_edits.looped(cue, places, MATERIAL),
        lambda: time_edits.inserted(cue, draw(times), draw(times), MATERIAL),
        lambda: time_edits.cut(cue, draw(times), draw(times), MATERIAL),
        lambda: time_edits.closed(cue, places, MATERIAL),
        lambda: time_edits.excerpt(cue, draw(times), draw(times) + 30.0, MATERIAL),
        lambda: copies.pasted(cue, copies.copied(cue, places), draw(times)),
        lambda: track_edits.track_moved(cue, 0, draw(st.integers(-2, 2)))[0],
        lambda: track_edits.safe_point_toggled(cue, draw(times)),
        lambda: track_edits.marker_put(cue, draw(times), "here"),
    ]
    return draw(st.sampled_from(deeds))()


@given(st.data())
def test_no_edit_leaves_a_cue_that_cannot_be_saved(data: st.DataObject) -> None:
    cue = data.draw(cues())
    for _ in range(3):
        try:
            done = data.draw(edits(cue))
        except EditError:
            continue
        cue, places = (done.cue, done.places) if isinstance(done, Edited) else (done, frozenset())
        assert places <= all_places(cue)
        for clip in cue.clips():
            assert clip.start_s >= 0.0 and MATERIAL.length_s(clip) >= 0.0
            assert MATERIAL.end_s(clip) <= MAX_CUE_S + 1e-3
        assert list(cue.safe_points_s) == sorted(set(cue.safe_points_s))
        encode_show(Show(name="x", cues=(cue,)))  # it reads what it writes


@given(cues(), times)
def test_a_split_plays_what_the_clip_played(cue: Cue, at_s: float) -> None:
    for t, track in enumerate(cue.tracks):
        if not isinstance(track, (GestureTrack, VoiceTrack, WalkTrack)):
            continue
        for i, clip in enumerate(clips_of(track)):
            try:
                after = clip_edits.split(cue, one((t, i)), at_s, MATERIAL).cue
            except EditError:
                continue
            halves = clip_at(after, (t, i)), clips_of(after.tracks[t])[-1]
            assert MATERIAL.end_s(halves[1]) == pytest.approx(MATERIAL.end_s(clip), abs=0.005)
            for moment_s in (clip.start_s + 0.05, at_s + 0.05):
                (found,) = [p for half in halves if (p := played(half, moment_s)) is not None]
                assert found == pytest.approx(played(clip, moment_s), abs=0.005)


@given(cues(), times, times)
@example(Cue(number="7", tracks=(AT_2_MS,)), 0.002, 9.21)
def test_cutting_inserted_time_gives_the_cue_back(cue: Cue, at_s: float, length_s: float) -> None:
    if length_s == 0.0:
        return
    longer = time_edits.inserted(cue, at_s, length_s, MATERIAL)
    spanning = [c for c in longer.clips() if c.start_s < at_s < MATERIAL.end_s(c)]
    if not spanning:
        assert time_edits.cut(longer, at_s, at_s + length_s, MATERIAL) == cue


@given(data=st.data())
def test_undoing_everything_gives_the_same_document_and_redoing_the_last_one(
    data: st.DataObject, qapp: QApplication
) -> None:
    document = Document()
    cue = data.draw(cues())
    document.open(Show(name="x", cues=(cue, Cue(number="8"))), None, {}, {})
    first = encode_show(document.show)
    seen: list[bytes] = []
    for _ in range(12):
        try:
            done = data.draw(edits(document.show.cues[0]))
        except EditError:
            continue
        after = done.cue if isinstance(done, Edited) else done
        document.edit(
            "edit", msgspec.structs.replace(document.show, cues=(after, *document.show.cues[1:]))
        )
        if document.undo.count() > len(seen):
            seen.append(encode_show(document.show))
    for expected in [*reversed(seen[:-1]), first][: len(seen)]:
        document.undo.undo()
        assert encode_show(document.show) == expected
    assert encode_show(document.show) == first
    for expected in seen:
        document.undo.redo()
        assert encode_show(document.show) == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_steps_are_undone(seed: int, qapp: QApplication) -> None:
    rng = random.Random(seed)
    document = Document()
    document.open(Show(name="x", cues=(CUE,)), None, {}, {})
    first = encode_show(document.show)
    steps = 0
    while steps < 1000:
        cue = document.show.cues[0]
        places = frozenset(rng.sample(sorted(all_places(cue)), 1))
        try:
            after = _random_edit(rng, cue, places).cue
        except EditError:
            continue
        document.edit("edit", msgspec.structs.replace(document.show, cues=(after,)))
        steps = document.undo.count()
    last = encode_show(document.show)
    for _ in range(1000):
        document.undo.undo()
    assert encode_show(document.show) == first and not document.undo.canUndo()
    for _ in range(1000):
        document.undo.redo()
    assert encode_show(document.show) == last


def _random_edit(rng: random.Random, cue: Cue, places: Places) -> Edited:
    deed = rng.choice(["move", "trim", "split", "count"])
    if deed == "move":
        return clip_edits.moved(cue, places, rng.uniform(-5.0, 5.0), MATERIAL)
    if deed == "trim":
        side: Side = "start" if rng.random() < 0.5 else "end"
        return clip_edits.trimmed(cue, places, side, rng.uniform(-1.0, 1.0), MATERIAL)
    if deed == "split":
        return clip_edits.split(cue, places, rng.uniform(0.0, 9.0), MATERIAL)
    if len(all_places(cue)) < 40:
        return clip_edits.duplicated(cue, places, MATERIAL)
    return clip_edits.removed(cue, places)
