"""The quality of the picture: a machine that is too slow draws less, in this order."""

from dataclasses import dataclass

LATE_S, LATE_FRAMES = 0.12, 6  # so slow, so often in a row: the next lower level
EARLY_S, EARLY_FRAMES = 0.04, 150  # the next higher resolution


@dataclass(frozen=True, slots=True)
class Level:
    """One level.

    Attributes:
        simple: without shadows, smooth edges and fine meshes.
        resolution: of the picture, as a share of its width and height.
    """

    simple: bool
    resolution: float


LEVELS = (Level(False, 1.0), Level(True, 1.0), Level(True, 0.7), Level(True, 0.5))


class Quality:
    """Owns the level.

    Args:
        software: the processor draws; the simple picture is the best.
    """

    def __init__(self, software: bool) -> None:
        self._best = 1 if software else 0
        self._index = self._best
        self._late = self._early = 0

    def level(self, simple: bool | None) -> Level:
        """Return the level for a wish of the operator; None leaves the choice to this object."""
        level = LEVELS[self._index]
        if simple is None:
            return level
        return Level(simple, level.resolution if simple else 1.0)

    def note(self, took_s: float) -> None:
        """Take the time that a frame took [s]."""
        self._late = self._late + 1 if took_s > LATE_S else 0
        self._early = self._early + 1 if took_s < EARLY_S else 0
        if self._late >= LATE_FRAMES and self._index + 1 < len(LEVELS):
            self._move(1)
        elif self._early >= EARLY_FRAMES and self._index > max(1, self._best):
            self._move(-1)  # never back to the full picture: it was too slow here

    def _move(self, step: int) -> None:
        self._index += step
        self._late = self._early = 0
