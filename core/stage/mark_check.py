"""The walks to marks of a show: whether the robot makes them, and in the time they have."""

from collections.abc import Iterator
from typing import NamedTuple

from core.link.approach import Goal, length_s
from core.plants.pace import Pace
from core.stage.timeline import CueTimeline, JumpSegment, MarkSegment, WalkSegment
from shows.marks import ORIGIN, Place


class Late(NamedTuple):
    """A walk to a mark that has too little time.

    Attributes:
        mark: name of the mark.
        time_s: when it begins in the cue [s].
        length_s: time that it has [s].
        needed_s: time that it takes [s].
    """

    mark: str
    time_s: float
    length_s: float
    needed_s: float


class MarkCheck:
    """Follows the place of the robot through the cues of a show, in the order of the list.

    After a walk by velocity or a jump its place is not known, until it stands on a mark again.

    Args:
        pace: the robot's largest velocities.
    """

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._place: Place | None = ORIGIN

    def late(self, cue: CueTimeline) -> Iterator[Late]:
        """Yield the walks of the next cue that have too little time."""
        begun: tuple[float, float] | None = None  # start, and needed time
        for moment in cue.moments:
            if (
                isinstance(moment, WalkSegment)
                and moment.walking
                or isinstance(moment, JumpSegment)
            ):
                self._place = None
            elif isinstance(moment, MarkSegment) and moment.walking:
                stage = Place(moment.x, moment.y, moment.heading)
                begun = None
                if self._place is not None:
                    goal = Goal(stage, moment.foot, moment.name)
                    begun = moment.time_s, length_s(goal, self._pace.range, self._place)
                self._place = stage
            elif isinstance(moment, MarkSegment) and begun is not None:
                start_s, needed_s = begun
                if moment.time_s - start_s < needed_s:
                    yield Late(moment.name, start_s, moment.time_s - start_s, needed_s)
                begun = None
