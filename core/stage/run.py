"""One cue while it runs."""

from dataclasses import dataclass, field

from core.stage.timeline import CueTimeline, HeadSegment, WalkSegment


@dataclass(slots=True, eq=False)
class Run:
    """How far a cue has come. Times are seconds from the start of its action.

    Attributes:
        place: the cue's place in the list.
        cue: the cue.
        start_s: show time at which its action starts [s].
        length_s: length of its action; zero once it is passed over [s].
        stop_at_s: when it is left early [s].
        committed: it has been decided that it plays, or is passed over.
        begun: its action has started.
        played: it is not passed over.
        moment, voice: place of the next moment and of the next phrase to announce.
        walk, head: the straight line that holds now.
        frozen: limb groups that a photo freeze holds.
    """

    place: int
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
    head: HeadSegment | None = None
    frozen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Take the cue's length."""
        self.length_s = self.cue.duration_s

    @property
    def rank(self) -> tuple[float, int]:
        """What tells the cue that began later."""
        return self.start_s, self.place

    @property
    def end_s(self) -> float:
        """When it ends, early or not [s]."""
        return min(self.stop_at_s, self.length_s)

    def voice_s(self, lead_s: float) -> float:
        """Return when its next phrase is to be announced [s]."""
        voices = self.cue.voices
        if self.voice < len(voices) and voices[self.voice].time_s < self.end_s:
            return voices[self.voice].time_s - lead_s
        return float("inf")

    def moment_s(self) -> float:
        """Return when its next moment comes [s]."""
        moments = self.cue.moments
        return moments[self.moment].time_s if self.moment < len(moments) else float("inf")

    def next_s(self, lead_s: float) -> float:
        """Return when the next thing of any kind is due [s]."""
        if not self.committed:
            return -lead_s
        due_s = min(self.end_s, self.voice_s(lead_s), self.moment_s())
        return due_s if self.begun else min(due_s, 0.0)

    def speaks(self, elapsed_s: float) -> bool:
        """Tell whether a phrase sounds, or is announced, at a time [s]."""
        announced = self.cue.voices[: self.voice]
        return any(voice.time_s + voice.length_s > elapsed_s for voice in announced)

    def pass_over(self) -> None:
        """Do nothing, but let what follows follow."""
        self.played = False
        self.length_s = 0.0
        self.moment = len(self.cue.moments)
        self.voice = len(self.cue.voices)
