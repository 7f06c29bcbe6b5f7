"""The spans of time in which clips use limbs, and where two clips use one limb."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shows.check_clips import SLACK_S, Stock
from shows.document import (
    GestureClip,
    HandClip,
    LightTrack,
    LiveClip,
    NetworkTrack,
    SwayTrack,
    Track,
    WalkTrack,
    clip_length_s,
    clips_of,
)
from shows.hands import hands_of


@dataclass(frozen=True, slots=True)
class Span:
    """A clip uses a limb for a time.

    Attributes:
        limb: the limb; of tracks without limbs, the kind of the track. A sway also uses what a
            walk uses, because the robot does not sway while it walks.
        start_s: when it begins to [s].
        end_s: when it ends [s].
        track: index of the clip's track in its cue.
        clip: index of the clip in its track.
    """

    limb: str
    start_s: float
    end_s: float
    track: int
    clip: int

    @property
    def place(self) -> tuple[int, int]:
        """Indices of track and clip."""
        return self.track, self.clip


def track_spans(track: Track, index: int, stock: Stock) -> list[Span]:
    """Return the spans in which a track uses limbs; events use none.

    Args:
        track: the track.
        index: of the track in its cue.
        stock: motions, sounds and joints.

    Raises:
        KeyError: a motion or phrase is missing.
    """
    spans: list[Span] = []
    if isinstance(track, (LightTrack, NetworkTrack)):
        return spans
    for i, clip in enumerate(clips_of(track)):
        length_s = clip_length_s(clip, stock.motion_s, stock.phrase_s)
        limbs: tuple[str, ...] = (track.kind,)
        if isinstance(track, SwayTrack):
            limbs = (SwayTrack.kind, WalkTrack.kind)
        if isinstance(clip, GestureClip):
            limbs = stock.limbs(clip)
        elif isinstance(clip, HandClip):
            limbs = hands_of(clip.hand, stock.joints)
        elif isinstance(clip, LiveClip):
            limbs = (track.kind, *(clip.groups or stock.joints.following_limbs))
        end_s = clip.start_s + length_s
        spans += [Span(limb, clip.start_s, end_s, index, i) for limb in limbs]
    return spans


def overlaps(spans: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    """Yield pairs of clips that share a limb at some time, the earlier first, each pair once."""
    busy: dict[str, Span] = {}
    told: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for span in sorted(spans, key=lambda span: (span.start_s, span.end_s)):
        earlier = busy.get(span.limb)
        if earlier is not None and span.start_s < earlier.end_s - SLACK_S:
            if (earlier.place, span.place) not in told:
                told.add((earlier.place, span.place))
                yield earlier, span
        if earlier is None or span.end_s > earlier.end_s:
            busy[span.limb] = span
