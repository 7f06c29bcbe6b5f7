"""One running cue."""

from dataclasses import dataclass, field

from core.stage.timeline import (
    BodySegment,
    CueTimeline,
    HeadSegment,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    WalkSegment,
)


@dataclass(slots=True, eq=False)
class Run:
    """The progress of a cue. Times are in seconds from the start of its action.

    Attributes:
        index: index of the cue in the list.
        cue: the cue.
        start_s: show time at which its action starts [s].
        length_s: length of its action; zero if it is skipped [s].
        stop_at_s: time of its early end [s].
        committed: the decision between playing and skipping was made.
        begun: its action has started.
        played: it is not skipped.
        moment: index of the next moment.
        voice: index of the next phrase to announce.
        walk: present segment of the walk.
        jump: present jumps.
        mark: present walk to a mark.
        body: present segment of the body.
        sway: present sway of the body.
        head: present segment of the head.
        live: present live clip.
        frozen: limbs that a photo freeze holds.
    """

    index: int
    cue: CueTimeline
    start_s: float
    length_s: float = field(init=False)
    stop_at_s: float = float("inf")
    committed: bool = False
    begun: bool = False
    played: bool = True
    moment: int = 0
    voice: int = 0
    walk: WalkSegment | None = None
    jump: JumpSegment | None = None
    mark: MarkSegment | None = None
    body: BodySegment | None = None
    sway: SwaySegment | None = None
    head: HeadSegment | None = None
    live: LiveSegment | None = None
    frozen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Set the length to that of the cue."""
        self.length_s = self.cue.duration_s

    @property
    def rank(self) -> tuple[float, int]:
        """Sorting key of the time of its start."""
        return self.start_s, self.index

    @property
    def end_s(self) -> float:
        """Time of its end, early or not [s]."""
        return min(self.stop_at_s, self.length_s)

    def voice_s(self, lead_s: float) -> float:
        """Return the time at which its next phrase must be announced [s]."""
        voices = self.cue.voices
        if self.voice < len(voices) and voices[self.voice].time_s < self.end_s:
            return voices[self.voice].time_s - lead_s
        return float("inf")

    def moment_s(self) -> float:
        """Return the time of its next moment [s]."""
        moments = self.cue.moments
        return moments[self.moment].time_s if self.moment < len(moments) else float("inf")

    def next_s(self, lead_s: float) -> float:
        """Return the time at which it needs the next step [s]."""
        if not self.committed:
            return -lead_s
        due_s = min(self.end_s, self.voice_s(lead_s), self.moment_s())
        return due_s if self.begun else min(due_s, 0.0)

    def speaks(self, elapsed_s: float) -> bool:
        """Return whether a phrase plays, or is announced, at a time [s]."""
        announced = self.cue.voices[: self.voice]
        return any(voice.time_s + voice.length_s > elapsed_s for voice in announced)

    def pass_over(self) -> None:
        """Skip the cue; the cue that follows it still starts."""
        self.played = False
        self.length_s = 0.0
        self.moment = len(self.cue.moments)
        self.voice = len(self.cue.voices)
