"""Drags on the canvas: what the mouse does to clips between press and release."""

from collections.abc import Callable
from dataclasses import dataclass

from app.console.timeline import clip_edits, time_edits, trimming
from app.console.timeline.clip_edits import Edited
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import Hit
from app.console.timeline.material import Places, clip_at, clips_at
from app.console.timeline.scale import Scale, time_text
from app.console.timeline.snapping import Snapped, Target, snap, targets
from app.console.timeline.trimming import Side
from shows.document import Cue

SNAP_PX = 9.0
START_PX = 4.0  # a smaller motion of the mouse is a click


@dataclass(frozen=True, slots=True)
class Told:
    """What is shown beside the pointer.

    Attributes:
        words: the time difference, and what was snapped to.
        line_s: where a line marks the snap [s]; None: nowhere.
    """

    words: str
    line_s: float | None = None


class Drag:
    """One drag of clips: of their bodies, edges or blends.

    Args:
        editor: the cue.
        hit: what was pressed.
        places: the clips that are dragged.
        x: where it was pressed [px].
        track: index of the track there.
        stretches: an edge stretches the clips and does not trim them.
    """

    def __init__(
        self, editor: Editor, hit: Hit, places: Places, x: float, track: int, stretches: bool
    ) -> None:
        saved = editor.saved
        assert saved is not None
        self._editor, self._hit, self._places = editor, hit, places
        self._x, self._track = x, track
        self._stretches = stretches and hit.zone in ("start", "end")
        self._cue = saved
        self._clip = clip_at(saved, hit.place)
        self._targets = targets(saved, places, editor.material, editor.playhead_s)
        self._deed: Callable[[Cue], Edited | Cue] | None = None
        self._name = ""
        self.moved = False

    @property
    def places(self) -> Places:
        """The clips that are dragged."""
        return self._places

    def update(self, x: float, track: int | None, scale: Scale, snaps: bool) -> Told | None:
        """Show the cue as the drag leaves it at a position of the mouse; None: not begun yet."""
        if not self.moved and abs(x - self._x) < START_PX and track in (None, self._track):
            return None
        self.moved = True
        by_s = (x - self._x) / scale.px_per_s
        tolerance_s = SNAP_PX / scale.px_per_s if snaps else -1.0
        zone = self._hit.zone
        if zone in ("blend_in", "blend_out"):
            return self._blend(by_s)
        snapped = snap(self._edges(), by_s, self._targets, tolerance_s, self._cue.tempo)
        if zone == "body":
            down = 0 if track is None else track - self._track
            return self._move(snapped, down)
        side: Side = "start" if zone == "start" else "end"
        return self._stretch(snapped, side) if self._stretches else self._trim(snapped, side)

    def finish(self) -> None:
        """Carry the drag out."""
        if self._deed is None or not self.moved:
            self._editor.end_preview()
            return
        self._editor.do(self._name, self._deed)

    def cancel(self) -> None:
        """Leave everything as it was."""
        self._editor.end_preview()

    # Inside

    def _edges(self) -> list[float]:
        """Return the dragged edges: of a body, the ends of all clips; else that of the clip."""
        material = self._editor.material
        if self._hit.zone == "start":
            return [self._clip.start_s]
        if self._hit.zone == "end":
            return [material.end_s(self._clip)]
        low, high = clip_edits.span(self._cue, self._places, material)
        own = self._clip.start_s, material.end_s(self._clip)
        return sorted({low, high, *own})

    def _show(self, name: str, deed: Callable[[Cue], Edited | Cue]) -> None:
        self._name, self._deed = name, deed
        self._editor.preview(deed)

    def _move(self, snapped: Snapped, down: int) -> Told:
        material, places, ripples = self._editor.material, self._places, self._editor.ripples

        def deed(cue: Cue) -> Edited:
            edited = clip_edits.moved(cue, places, snapped.by_s, material, down)
            if ripples and not down:
                after = time_edits.rippled(cue, edited.cue, places, snapped.by_s, material)
                return Edited(after, edited.places)
            return edited

        self._show("move {clips}", deed)
        at_s = max(0.0, self._clip.start_s + snapped.by_s)
        return _told(snapped, f"{time_text(at_s)}  {_signed(at_s - self._clip.start_s)}")

    def _trim(self, snapped: Snapped, side: Side) -> Told:
        material, places, ripples = self._editor.material, self._places, self._editor.ripples

        def deed(cue: Cue) -> Edited:
            edited = clip_edits.trimmed(cue, places, side, snapped.by_s, material)
            if ripples and side == "end":
                ends = [
                    (material.end_s(clip_at(edited.cue, place)) - material.end_s(clip), place)
                    for place, clip in clips_at(cue, places)
                ]
                by_s = max(ends)[0] if snapped.by_s > 0.0 else min(ends)[0]
                after = time_edits.rippled(cue, edited.cue, places, by_s, material)
                return Edited(after, edited.places)
            return edited

        self._show("trim {clips}", deed)
        return self._length_told(snapped)

    def _stretch(self, snapped: Snapped, side: Side) -> Told:
        material, places = self._editor.material, self._places
        low, high = clip_edits.span(self._cue, places, material)
        length_s = max(high - low, trimming.SHORTEST_S)
        way_s = snapped.by_s if side == "end" else -snapped.by_s
        factor = max((length_s + way_s) / length_s, 0.02)

        def deed(cue: Cue) -> Edited:
            edited = clip_edits.stretched(cue, places, factor, material)
            if side == "end":
                return edited
            back_s = length_s * (1.0 - factor)
            return clip_edits.moved(edited.cue, edited.places, back_s, material)

        self._show("stretch {clips}", deed)
        return _told(snapped, f"{100.0 * factor:.0f} %  {_signed(way_s)}")

    def _blend(self, by_s: float) -> Told:
        side: Side = "start" if self._hit.zone == "blend_in" else "end"
        into, out = trimming.blends_of(self._clip)
        before_s = (into if side == "start" else out) or 0.0
        blend_s = before_s + (by_s if side == "start" else -by_s)
        material, places = self._editor.material, self._places
        name = "blend {clips} in" if side == "start" else "blend {clips} out"
        self._show(name, lambda cue: clip_edits.blended(cue, places, side, blend_s, material))
        cue = self._editor.cue
        assert cue is not None
        shown = trimming.blends_of(clip_at(cue, self._hit.place))
        now_s = (shown[0] if side == "start" else shown[1]) or 0.0
        return Told(f"blend {'in' if side == 'start' else 'out'} {now_s:.2f} s")

    def _length_told(self, snapped: Snapped) -> Told:
        cue = self._editor.cue
        assert cue is not None
        material = self._editor.material
        length_s = material.length_s(clip_at(cue, self._hit.place))
        change_s = length_s - material.length_s(self._clip)
        return _told(snapped, f"{length_s:.2f} s  {_signed(change_s)}")


def _told(snapped: Snapped, words: str) -> Told:
    target: Target | None = snapped.target
    if target is None:
        return Told(words)
    return Told(f"{words}  ⇥ {target.label}", target.time_s)


def _signed(time_s: float) -> str:
    return f"{'+' if time_s >= 0.0 else '−'}{abs(time_s):.2f} s"
