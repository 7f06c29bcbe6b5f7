"""Cues for tests of the timeline, and strategies that draw them."""

from typing import Any

from hypothesis import strategies as st

from app.console.timeline.material import Material
from shows.document import (
    BodyClip,
    BodyTrack,
    Clip,
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
    Marker,
    Tempo,
    Track,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)

MATERIAL = Material({"wave": 2.0, "bow": 3.5}, {"hello": 1.5, "song": 120.0})


def whole(cue: Cue) -> Cue:
    """A cue of every kind of track."""
    tracks: tuple[Track, ...] = (
        GestureTrack(
            clips=(
                GestureClip(start_s=1.0, motion="wave"),
                GestureClip(start_s=5.0, motion="bow", speed=2.0, length_s=1.0),
            )
        ),
        HeadTrack(clips=(HeadClip(start_s=0.5, length_s=3.0, yaw=0.4),)),
        WalkTrack(clips=(WalkClip(start_s=2.0, length_s=4.0, vx=0.1),)),
        VoiceTrack(name="speech", clips=(VoiceClip(start_s=1.0, phrase="hello"),)),
        LightTrack(clips=(LightClip(start_s=3.0, event="blue"),)),
    )
    marks: dict[str, Any] = {"safe_points_s": (2.0, 4.0), "markers": (Marker(time_s=3.0),)}
    return Cue(number=cue.number, tracks=tracks, tempo=Tempo(bpm=120.0), **marks)


CUE = whole(Cue(number="7"))

_starts = st.integers(0, 60_000).map(lambda n: n / 1000.0)
_lengths = st.integers(1_000, 20_000).map(lambda n: n / 1000.0)


def _clips(kind: str) -> st.SearchStrategy[Clip]:
    if kind == "gesture":
        return st.builds(
            GestureClip,
            start_s=_starts,
            motion=st.sampled_from(["wave", "bow"]),
            speed=st.sampled_from([0.5, 1.0, 2.0]),
            offset_s=st.sampled_from([0.0, 0.25]),
            length_s=st.none() | st.sampled_from([0.2, 0.7]),
            blend_in_s=st.none() | st.just(0.1),
        )
    if kind == "head":
        return st.builds(HeadClip, start_s=_starts, length_s=_lengths)
    if kind == "hands":
        return st.builds(HandClip, start_s=_starts, length_s=_lengths, pose=st.just("fist"))
    if kind == "body":
        return st.builds(BodyClip, start_s=_starts, length_s=_lengths, pitch=st.just(0.1))
    if kind == "walk":
        gaits = st.sampled_from(["walk", "run"])
        walks = st.builds(WalkClip, start_s=_starts, length_s=_lengths, gait=gaits, vx=st.just(0.1))
        return walks | st.builds(
            JumpClip, start_s=_starts, length_s=_lengths, count=st.integers(1, 4)
        )
    if kind == "live":
        return st.builds(LiveClip, start_s=_starts, length_s=_lengths, legs=st.booleans())
    if kind == "voice":
        return st.builds(VoiceClip, start_s=_starts, phrase=st.sampled_from(["hello", "song"]))
    return st.builds(LightClip, start_s=_starts, event=st.just("blue"))


_TRACKS: dict[str, type[Track]] = {
    "gesture": GestureTrack,
    "head": HeadTrack,
    "hands": HandsTrack,
    "body": BodyTrack,
    "walk": WalkTrack,
    "live": LiveTrack,
    "voice": VoiceTrack,
    "light": LightTrack,
}


def tracks() -> st.SearchStrategy[Track]:
    return st.sampled_from(sorted(_TRACKS)).flatmap(
        lambda kind: st.lists(_clips(kind), max_size=4).map(
            lambda clips: _TRACKS[kind](clips=tuple(clips))  # type: ignore[arg-type]
        )
    )


def cues() -> st.SearchStrategy[Cue]:
    return st.builds(
        Cue,
        number=st.just("7"),
        tracks=st.lists(tracks(), min_size=1, max_size=4).map(tuple),
        safe_points_s=st.lists(_starts, unique=True, max_size=3).map(sorted).map(tuple),
        markers=st.lists(_starts, unique=True, max_size=2).map(
            lambda times: tuple(Marker(time_s=t) for t in sorted(times))
        ),
    )
