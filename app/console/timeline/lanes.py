"""Where tracks and clips lie on the canvas, and what is under the pointer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QRectF

from app.console.timeline.material import Material, Place, Places, is_event
from app.console.timeline.scale import Scale
from app.console.timeline.trimming import blends_of, has_blends
from shows.document import Clip, Cue, Track, clips_of

LANE_PX, EVENT_LANE_PX = 46, 30
GAP_PX = 3  # between a lane's edge and its clips
EDGE_PX = 6  # that take hold of a clip's edge
HANDLE_PX = 9  # of a blend, at the upper corners
EVENT_PX = 84  # shown of an event, which lasts no time
LEAST_PX = 3  # shown of the shortest clip

Zone: TypeAlias = Literal["body", "start", "end", "blend_in", "blend_out"]


@dataclass(frozen=True, slots=True)
class Hit:
    """What is under the pointer.

    Attributes:
        place: the clip.
        zone: the part of it.
    """

    place: Place
    zone: Zone


class Lanes:
    """The layout of a cue's tracks for one scale.

    Args:
        cue: the cue.
        material: lengths of clips.
        scale: time to pixels.
        top_px: how far the lanes are scrolled up.
    """

    def __init__(self, cue: Cue, material: Material, scale: Scale, top_px: float = 0.0) -> None:
        self.cue, self.material, self.scale = cue, material, scale
        self._tops: list[float] = []
        y = -top_px
        for track in cue.tracks:
            self._tops.append(y)
            y += height_px(track)
        self.bottom_px = y

    def top_px(self, track: int) -> float:
        """Return the upper edge of a track."""
        return self._tops[track]

    def track_at(self, y: float) -> int | None:
        """Return the index of the track at a height, or None."""
        for index, track in enumerate(self.cue.tracks):
            if self._tops[index] <= y < self._tops[index] + height_px(track):
                return index
        return None

    def rect(self, place: Place, clip: Clip) -> QRectF:
        """Return where a clip is drawn."""
        t, _ = place
        x = self.scale.x(clip.start_s)
        width = max(LEAST_PX, self.material.length_s(clip) * self.scale.px_per_s)
        if is_event(clip):
            width = EVENT_PX
        height = height_px(self.cue.tracks[t]) - 2 * GAP_PX
        return QRectF(x, self._tops[t] + GAP_PX, width, height)

    def seen(self, width_px: float, height: float) -> Iterator[tuple[Place, Clip, QRectF]]:
        """Yield the clips within a view, those that start later last."""
        from_s = self.scale.start_s - EVENT_PX / self.scale.px_per_s
        to_s = self.scale.end_s(width_px)
        for t, track in enumerate(self.cue.tracks):
            if self._tops[t] > height or self._tops[t] + height_px(track) < 0.0:
                continue
            here = [
                (i, clip)
                for i, clip in enumerate(clips_of(track))
                if clip.start_s <= to_s and self.material.end_s(clip) >= from_s
            ]
            for i, clip in sorted(here, key=lambda pair: pair[1].start_s):
                yield (t, i), clip, self.rect((t, i), clip)

    def hit(self, x: float, y: float, selection: Places) -> Hit | None:
        """Return what is under the pointer; a selected clip goes before another one."""
        t = self.track_at(y)
        if t is None:
            return None
        found: list[tuple[Place, Clip, QRectF]] = []
        for i, clip in enumerate(clips_of(self.cue.tracks[t])):
            rect = self.rect((t, i), clip)
            if rect.adjusted(-2, -2, 2, 2).contains(x, y):
                found.append(((t, i), clip, rect))
        if not found:
            return None
        place, clip, rect = max(found, key=lambda f: (f[0] in selection, f[1].start_s, f[0]))
        return Hit(place, self._zone(clip, rect, x, y))

    def within(self, box: QRectF) -> Places:
        """Return the places of the clips that a box touches."""
        found: set[Place] = set()
        for t, track in enumerate(self.cue.tracks):
            for i, clip in enumerate(clips_of(track)):
                if self.rect((t, i), clip).intersects(box):
                    found.add((t, i))
        return frozenset(found)

    def blend_px(self, clip: Clip) -> tuple[float, float]:
        """Return the widths of the blends in and out as they are drawn."""
        blend_in_s, blend_out_s = blends_of(clip)
        zoom = self.scale.px_per_s
        return (blend_in_s or 0.0) * zoom, (blend_out_s or 0.0) * zoom

    def _zone(self, clip: Clip, rect: QRectF, x: float, y: float) -> Zone:
        if is_event(clip):
            return "body"
        if has_blends(clip) and rect.width() > 4 * HANDLE_PX and y < rect.top() + HANDLE_PX + 2:
            into, out = self.blend_px(clip)
            if abs(x - (rect.left() + into)) <= HANDLE_PX:
                return "blend_in"
            if abs(x - (rect.right() - out)) <= HANDLE_PX:
                return "blend_out"
        edge = min(EDGE_PX, rect.width() / 4.0)
        if x < rect.left() + edge:
            return "start"
        return "end" if x > rect.right() - edge else "body"


def height_px(track: Track) -> int:
    """Return how high a track is drawn."""
    return EVENT_LANE_PX if track.kind in ("light", "network") else LANE_PX
