"""The wire form of a prepared show: whole or not at all."""

import dataclasses
import math

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.behave.clip import Clip
from core.stage.errors import StageError
from core.stage.prepared import PreparedShow, Unpacker, check_chains
from core.stage.timeline import Continue
from shows.document import Ducking
from tests.core.stage.cues import cue, gesture, head, live, show, voice, walk
from tests.draws import share

UPPER = 18


def example() -> PreparedShow:
    prepared = show(
        cue("1", gesture(0.5), walk(1.0, 0.1, 0.05), head(2.0, 0.3), voice(3.0)),
        cue("2", follow=Continue.AUTO_FOLLOW, safe_points_s=(1.0, 2.0), refusal="too fast"),
        cue("3", live(0.0, "left_arm", legs=True), live(3.0, on=False)),
        go_guard_s=0.7,
        phrases={"hello": "/shows/hello.flac"},
        warnings=("one",),
    )
    rng = np.random.default_rng(1)
    clip = Clip.from_positions("nod", (0, 3), 50.0, 0.1 * rng.random((9, 2)))
    return PreparedShow(
        prepared.name,
        "/shows",
        prepared.go_guard_s,
        prepared.cues,
        {**prepared.clips, "nod": clip},
        prepared.phrases,
        prepared.warnings,
        keep_standby=True,
        sender="console-7-ab",
        ducking=Ducking(amount_db=20.0),
    )


def test_a_show_comes_back_as_it_was() -> None:
    before = example()
    after = PreparedShow.from_bytes(before.to_bytes(), UPPER)
    for field in dataclasses.fields(PreparedShow):
        if field.name != "clips":
            assert getattr(after, field.name) == getattr(before, field.name), field.name
    assert after.playbill(3.0).sender == "console-7-ab"
    assert after.clips.keys() == before.clips.keys()
    for name, clip in before.clips.items():
        assert after.clips[name].joints == clip.joints
        np.testing.assert_array_equal(after.clips[name].knots, clip.knots)


def test_each_step_decodes_one_part_and_clips_are_views_of_the_message() -> None:
    data = example().to_bytes()
    unpacker = Unpacker(data, UPPER)
    steps = [unpacker.step() for _ in range(1 + 3 + 1)]
    assert steps == [None] * 5
    done = unpacker.step()
    assert done is not None
    assert not done.clips["nod"].knots.flags.owndata


def test_a_show_without_anything_travels_too() -> None:
    assert PreparedShow.from_bytes(PreparedShow("").to_bytes(), UPPER) == PreparedShow("")


@settings(max_examples=share(150))
@given(data=st.data())
def test_damaged_bytes_are_refused_or_harmless(data: st.DataObject) -> None:
    raw = bytearray(example().to_bytes())
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    else:
        for _ in range(data.draw(st.integers(1, 4))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        prepared = PreparedShow.from_bytes(bytes(raw), UPPER)
    except StageError as error:
        assert "\n" not in str(error)
        return
    for timeline in prepared.cues:
        for moment in (*timeline.moments, *timeline.voices):
            numbers = [getattr(moment, f) for f in moment.__struct_fields__]
            assert all(math.isfinite(n) for n in numbers if isinstance(n, float))


@pytest.mark.parametrize("cut", [0, 4, 8, 12, 30, -1])
def test_a_truncated_show_is_refused(cut: int) -> None:
    with pytest.raises(StageError, match="load the show again"):
        PreparedShow.from_bytes(example().to_bytes()[:cut], UPPER)


def test_more_than_was_announced_is_refused() -> None:
    with pytest.raises(StageError, match="longer than its header states"):
        PreparedShow.from_bytes(example().to_bytes() + bytes(8), UPPER)


@pytest.mark.parametrize(
    "change",
    [
        {"duration_s": math.nan},
        {"duration_s": -1.0},
        {"pre_wait_s": math.inf},
        {"post_wait_s": 1e9},
        {"safe_points_s": (2.0, 1.0)},
        {"safe_points_s": (math.nan,)},
        {"safe_points_s": (99.0,)},
        {"following": 99},
        {"moments": (gesture(3.0), gesture(1.0))},
        {"moments": (gesture(99.0),)},
        {"moments": (walk(1.0, math.nan),)},
        {"moments": (walk(1.0, 50.0),)},
        {"moments": (head(1.0, math.inf),)},
        {"voices": (voice(math.nan),)},
        {"voices": (voice(2.0), voice(1.0))},
    ],
)
def test_a_cue_that_would_surprise_the_player_is_refused(change: dict[str, object]) -> None:
    good = example()
    bad = (good.cues[0], msgspec.structs.replace(good.cues[1], **change), good.cues[2])
    data = PreparedShow("bad", cues=bad).to_bytes()
    with pytest.raises(StageError):
        PreparedShow.from_bytes(data, UPPER)


def test_a_clip_of_another_robot_is_refused() -> None:
    with pytest.raises(StageError):
        PreparedShow.from_bytes(example().to_bytes(), 1)


def test_chains_that_never_end_and_shared_numbers_are_refused() -> None:
    ring = [
        cue("1", follow=Continue.AUTO_FOLLOW, following=1),
        cue("2", follow=Continue.AUTO_CONTINUE, following=0),
    ]
    with pytest.raises(StageError, match="leads back to itself"):
        check_chains(ring)
    check_chains([ring[0], cue("2", following=0)])
    with pytest.raises(StageError, match="share a number"):
        check_chains([cue("1"), cue("1")])
