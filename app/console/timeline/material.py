"""How long clips last, and where a cue's clips are."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeGuard

from shows.document import Clip, Cue, LightClip, NetworkClip, Track, clip_length_s

Place: TypeAlias = tuple[int, int]
"""Index of a track in its cue, and of a clip in its track."""
Places: TypeAlias = frozenset[Place]

UNKNOWN_S = 1.0  # shown of a clip whose motion or phrase is missing
NONE: Places = frozenset()


class Lasting(Protocol):
    """A motion or a sound."""

    @property
    def duration_s(self) -> float:
        """How long it lasts [s]."""


@dataclass(frozen=True, slots=True)
class Material:
    """The durations of everything that clips refer to.

    Attributes:
        motions: motion name to duration [s].
        phrases: phrase to duration [s].
    """

    motions: Mapping[str, float] = field(default_factory=dict)
    phrases: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, motions: Mapping[str, Lasting], audio: Mapping[str, Lasting]) -> "Material":
        """Return the durations of motions and sounds."""
        return cls(
            {name: motion.duration_s for name, motion in motions.items()},
            {name: sound.duration_s for name, sound in audio.items()},
        )

    def length_s(self, clip: Clip) -> float:
        """Return how long a clip lasts [s]; of missing material UNKNOWN_S."""
        try:
            return clip_length_s(clip, self.motions, self.phrases)
        except KeyError:
            return UNKNOWN_S

    def end_s(self, clip: Clip) -> float:
        """Return when a clip ends in its cue [s]."""
        return clip.start_s + self.length_s(clip)

    def cue_s(self, cue: Cue) -> float:
        """Return when the last clip of a cue ends [s]."""
        return max((self.end_s(clip) for clip in cue.clips()), default=0.0)


def is_event(clip: Clip) -> TypeGuard[LightClip | NetworkClip]:
    """Return whether a clip is an event, which lasts no time."""
    return isinstance(clip, (LightClip, NetworkClip))


def clip_at(cue: Cue, place: Place) -> Clip:
    """Return the clip at a place."""
    return cue.tracks[place[0]].clips[place[1]]


def clips_at(cue: Cue, places: Collection[Place]) -> list[tuple[Place, Clip]]:
    """Return the clips at some places, in the order of tracks and clips."""
    return [(place, clip_at(cue, place)) for place in sorted(places)]


def existing(cue: Cue, places: Collection[Place]) -> Places:
    """Return those of the places that a cue has."""
    tracks = cue.tracks
    return frozenset((t, c) for t, c in places if t < len(tracks) and c < len(tracks[t].clips))


def all_places(cue: Cue) -> Places:
    """Return the places of all clips."""
    return frozenset((t, c) for t, track in enumerate(cue.tracks) for c in range(len(track.clips)))


def track_title(track: Track) -> str:
    """Return what an operator calls a track."""
    return track.name or track.kind.capitalize()
