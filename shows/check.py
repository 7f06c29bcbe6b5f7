"""The checks of a show that its types cannot express, each fault with its place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shows.check_clips import SLACK_S, Stock
from shows.document import (
    BodyTrack,
    Cue,
    Show,
    SwayTrack,
    VoiceTrack,
    WalkTrack,
    clips_of,
)
from shows.errors import ShowError
from shows.fields import MAX_CUE_S, MAX_SHOW_CLIPS
from shows.hands import hands_of, pose_faults
from shows.json_places import place_of
from shows.live import clashes
from shows.spans import Span, overlaps, track_spans
from shows.uses import title_of


@dataclass(frozen=True)
class Checker:
    """A show with everything that it refers to.

    Attributes:
        show: the document.
        stock: the motions, sounds and joints that it may use.
        label: name of the show's file in errors.
        data: the file's text, so that errors name lines; None: they name JSON paths only.
    """

    show: Show
    stock: Stock
    label: str = "show.json"
    data: bytes | None = None

    def faults(self) -> Iterator[ShowError]:
        """Yield every reason to refuse the show: the cue list's first, then cue by cue."""
        total = sum(len(track.clips) for cue in self.show.cues for track in cue.tracks)
        if total > MAX_SHOW_CLIPS:
            reason = f"the show has {total} clips, more than {MAX_SHOW_CLIPS}"
            yield self._fault("$.cues", reason, "split the show")
            return
        yield from self._cue_list()
        yield from self._cycles()
        joints = self.stock.joints
        for name, pose in self.show.settings.hand_poses.items():
            for hand in hands_of("both", joints):
                for reason in pose_faults(pose, hand, joints):
                    yield self._fault("$.settings.hand_poses", f"pose {name!r}: {reason}")
        for i, cue in enumerate(self.show.cues):
            broken = False
            for j, track in enumerate(cue.tracks):
                for k, clip in enumerate(clips_of(track)):
                    for flaw in self.stock.flaws(clip):
                        broken = True
                        path = f"$.cues[{i}].tracks[{j}].clips[{k}].{flaw.field}"
                        yield self._fault(path, flaw.reason, flaw.advice, cue)
            if not broken:
                yield from self._timeline(cue, f"$.cues[{i}]")

    def warnings(self) -> Iterator[str]:
        """Yield warnings of allowed but unusual content; only for a show without faults."""
        if not self.show.robot:
            yield f"{self.label}: the show does not name the robot that it was made for"
        if not self.show.cues:
            yield f"{self.label}: the show has no cues"
        for cue in self.show.cues:
            if cue.continue_mode != "none":
                following = self.show.next_cue(cue.number)
                if following is None:
                    yield f"{self.label}: cue {cue.number} continues, but none comes after it"
                elif {cue.exit_stance, following.entry_stance} == {"standing", "walking"}:
                    yield (
                        f"{self.label}: cue {cue.number} ends {cue.exit_stance}, but cue "
                        f"{following.number} starts {following.entry_stance}"
                    )
            silent = [track.name or track.kind for track in cue.tracks if cue.silent(track)]
            if silent:
                tracks = ", ".join(silent)
                yield f"{self.label}: cue {cue.number} does not play its muted tracks: {tracks}"
            yield from self._shared_limbs(cue)

    def _fault(
        self, path: str, reason: str, advice: str = "correct the value", cue: Cue | None = None
    ) -> ShowError:
        if self.data is not None:
            place = place_of(self.data, path)
        else:
            place = path if cue is None else f"{path} (cue {cue.number})"
        return ShowError(self.label, place, reason, advice)

    def _cue_list(self) -> Iterator[ShowError]:
        numbers: set[str] = set()
        hotkeys: dict[str, str] = {}
        for i, cue in enumerate(self.show.cues):
            if cue.number in numbers:
                reason = f"cue number {cue.number!r} is used twice"
                yield self._fault(f"$.cues[{i}].number", reason, "give every cue its own number")
            numbers.add(cue.number)
            key = cue.hotkey.casefold()
            if key and key in hotkeys:
                reason = f"hotkey {cue.hotkey!r} already fires cue {hotkeys[key]}"
                yield self._fault(f"$.cues[{i}].hotkey", reason, "choose another key", cue)
            hotkeys.setdefault(key, cue.number)
        yield from self._triggers(hotkeys)
        for i, cue in enumerate(self.show.cues):
            if cue.next is not None and cue.next not in numbers:
                reason = f"there is no cue {cue.next!r}"
                yield self._fault(
                    f"$.cues[{i}].next", reason, "name an existing cue or remove it", cue
                )

    def _triggers(self, cues: Mapping[str, str]) -> Iterator[ShowError]:
        """Check that no key and no button fires two things.

        Args:
            cues: key, in small letters, to the number of the cue that it fires.
        """
        keys = {key: f"cue {number}" for key, number in cues.items() if key}
        buttons: dict[str, str] = {}
        for i, trigger in enumerate(self.show.triggers):
            title = f"the trigger {title_of(trigger)!r}"
            for field, value, taken, what in (
                ("hotkey", trigger.hotkey.casefold(), keys, f"key {trigger.hotkey!r}"),
                ("button", trigger.button, buttons, f"button {trigger.button!r}"),
            ):
                if value and value in taken:
                    reason = f"{what} already fires {taken[value]}"
                    yield self._fault(f"$.triggers[{i}].{field}", reason, f"choose another {field}")
                if value:
                    taken.setdefault(value, title)

    def _cycles(self) -> Iterator[ShowError]:
        """Find circles; as a cue continues into at most one other, one pass with marks will do."""
        cues = self.show.cues
        row = {cue.number: i for i, cue in enumerate(cues)}
        mark = [-1] * len(cues)
        for start in range(len(cues)):
            chain: list[int] = []
            i: int | None = start
            while i is not None and mark[i] < 0:
                mark[i] = start
                chain.append(i)
                cue = cues[i]
                if cue.continue_mode == "none":
                    i = None
                elif cue.next is not None:
                    i = row.get(cue.next)
                else:
                    i = i + 1 if i + 1 < len(cues) else None
            if i is not None and mark[i] == start:
                ring = [cues[k].number for k in [*chain[chain.index(i) :], i]]
                if len(ring) > 6:
                    ring[3:-2] = ["..."]
                yield self._fault(
                    f"$.cues[{i}].continue_mode",
                    f"cues {' > '.join(ring)} continue in an endless circle",
                    "let one of them wait for GO",
                    cues[i],
                )

    def _timeline(self, cue: Cue, at: str) -> Iterator[ShowError]:
        """Check lengths, overlaps and safe points of a cue whose clips have no faults."""
        duration_s = cue.duration_s(self.stock.motion_s, self.stock.phrase_s)
        if duration_s > MAX_CUE_S:
            reason = f"the timeline lasts {duration_s:.0f} s, more than {MAX_CUE_S:.0f} s"
            yield self._fault(f"{at}.tracks", reason, "split the cue", cue)
        before_s = -1.0
        for i, point_s in enumerate(cue.safe_points_s):
            here = f"{at}.safe_points_s[{i}]"
            if point_s > duration_s + SLACK_S:
                reason = f"the safe point is after the cue's end at {duration_s:.2f} s"
                yield self._fault(here, reason, "move it into the cue", cue)
            if point_s <= before_s:
                reason = f"the safe point at {point_s:g} s does not come after the one before"
                yield self._fault(here, reason, "sort them and name each once", cue)
            before_s = point_s
        yield from self._markers(cue, at)
        alone: list[Span] = []  # of kinds that a cue has once at a time
        for j, track in enumerate(cue.tracks):
            spans = track_spans(track, j, self.stock)
            if isinstance(track, (BodyTrack, SwayTrack, WalkTrack)):
                alone += spans
            else:
                yield from self._overlapping(spans, cue, at)
        yield from self._overlapping(alone, cue, at)
        for clash in clashes(cue, self.stock):
            here = f"{at}.tracks[{clash.later.track}].clips[{clash.later.clip}]"
            yield self._fault(here, clash.reason, clash.advice, cue)

    def _markers(self, cue: Cue, at: str) -> Iterator[ShowError]:
        before_s = 0.0
        for i, marker in enumerate(cue.markers):
            if marker.time_s < before_s:
                reason = f"the marker at {marker.time_s:g} s does not come after the one before"
                yield self._fault(f"{at}.markers[{i}]", reason, "sort them by time", cue)
            before_s = marker.time_s

    def _overlapping(self, spans: list[Span], cue: Cue, at: str) -> Iterator[ShowError]:
        for earlier, later in overlaps(spans):
            here = f"{at}.tracks[{later.track}].clips[{later.clip}]"
            reason = (
                f"starts at {later.start_s:g} s, before the clip at {earlier.start_s:g} s on the "
                f"same track ({later.limb}) ends at {earlier.end_s:.2f} s"
            )
            yield self._fault(here, reason, "move or shorten one of them", cue)

    def _shared_limbs(self, cue: Cue) -> Iterator[str]:
        """Warn if two tracks of a cue use one limb at the same time; sounds are mixed."""
        spans: list[Span] = []
        for j, track in enumerate(cue.tracks):
            if not cue.silent(track) and not isinstance(track, VoiceTrack):
                spans += track_spans(track, j, self.stock)
        for _, later in overlaps(spans):
            yield (
                f"{self.label}: in cue {cue.number} two tracks use {later.limb} at "
                f"{later.start_s:g} s: the later clip takes it over"
            )
