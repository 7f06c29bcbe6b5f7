"""Snapping: where a dragged edge comes to rest."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from app.console.timeline.material import Material, Place, is_event
from shows.document import Cue, Tempo, clips_of


@dataclass(frozen=True, slots=True)
class Target:
    """A time that edges snap to.

    Attributes:
        time_s: in the cue [s].
        label: what is there.
    """

    time_s: float
    label: str


@dataclass(frozen=True, slots=True)
class Snapped:
    """The result of a snap.

    Attributes:
        by_s: the way of the drag after it [s].
        target: what was snapped to; None: nothing near.
    """

    by_s: float
    target: Target | None = None


def targets(
    cue: Cue, moving: Collection[Place], material: Material, playhead_s: float
) -> list[Target]:
    """Return what edges snap to, besides beats: clips that do not move, marks and the playhead."""
    found = [Target(0.0, "start of the cue"), Target(playhead_s, "playhead")]
    for t, track in enumerate(cue.tracks):
        for i, clip in enumerate(clips_of(track)):
            if (t, i) not in moving:
                found.append(Target(clip.start_s, "start of a clip"))
                if not is_event(clip):
                    found.append(Target(material.end_s(clip), "end of a clip"))
    found += [Target(m.time_s, f"marker {m.name}".rstrip()) for m in cue.markers]
    found += [Target(p, "safe point") for p in cue.safe_points_s]
    return found


def snap(
    edges_s: Sequence[float],
    by_s: float,
    found: Collection[Target],
    tolerance_s: float,
    tempo: Tempo | None = None,
) -> Snapped:
    """Return the way of a drag, changed so that one of the dragged edges meets a target.

    Args:
        edges_s: where the dragged edges were before the drag [s].
        by_s: the way of the drag [s].
        found: what edges snap to.
        tolerance_s: a target that is farther away has no effect [s].
        tempo: its beats are targets, too.
    """
    best, way = Snapped(by_s), tolerance_s
    for edge_s in edges_s:
        at_s = edge_s + by_s
        for target in (*found, *_beat(tempo, at_s)):
            apart_s = abs(target.time_s - at_s)
            if apart_s <= way and (best.target is None or apart_s < way):
                best, way = Snapped(target.time_s - edge_s, target), apart_s
    return best


def _beat(tempo: Tempo | None, time_s: float) -> Iterator[Target]:
    """Yield the beat that is nearest to a time."""
    if tempo is None:
        return
    beat_s = 60.0 / tempo.bpm
    number = max(0, round((time_s - tempo.first_s) / beat_s))
    bar, beat = divmod(number, tempo.beats)
    yield Target(tempo.first_s + number * beat_s, f"beat {bar + 1}.{beat + 1}")


def beats_within(tempo: Tempo, from_s: float, to_s: float) -> Iterator[tuple[float, bool]]:
    """Yield the beats in a span of time, and whether each begins a bar."""
    beat_s = 60.0 / tempo.bpm
    number = max(0, math.ceil((from_s - tempo.first_s) / beat_s))
    while (time_s := tempo.first_s + number * beat_s) <= to_s:
        yield time_s, number % tempo.beats == 0
        number += 1


class Taps:
    """Finds a tempo from taps; a pause begins anew."""

    PAUSE_S = 2.5
    MOST = 8

    def __init__(self) -> None:
        self._taps_s: list[float] = []

    def tap(self, now_s: float) -> float | None:
        """Take a tap; return the beats per minute so far, None with a single tap."""
        if self._taps_s and now_s - self._taps_s[-1] > self.PAUSE_S:
            self._taps_s.clear()
        self._taps_s = [*self._taps_s, now_s][-self.MOST :]
        count = len(self._taps_s) - 1
        if count < 1:
            return None
        span_s = self._taps_s[-1] - self._taps_s[0]
        return 60.0 * count / span_s if span_s > 0.0 else None
