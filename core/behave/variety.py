"""No two performances of a clip are the same: small differences of size and tempo."""

import random
from collections import Counter
from typing import Literal, TypeAlias

from core.behave.settings import MotionSettings

Vary: TypeAlias = Literal["", "size", "size and tempo"]
"""What a performance may vary: a show has its own time, so that only the size varies there."""


class Variety:
    """Draws the differences of a performance from the clip's name and the performance's number.

    A performance is never larger than the clip as it was made, and its accelerations are never
    larger either: limits that the clip keeps are kept by every performance of it.

    Args:
        seed: of the draws.
        settings: how large the differences are.
    """

    def __init__(self, seed: int, settings: MotionSettings) -> None:
        self._seed = seed
        self._size, self._tempo = settings.size_variation, settings.tempo_variation
        self._played: Counter[str] = Counter()

    def draw(self, name: str, vary: Vary) -> tuple[float, float]:
        """Return size and tempo of the next performance of a clip, 1 as it was made.

        Args:
            name: of the clip.
            vary: what may differ.
        """
        number = self._played[name]
        self._played[name] += 1
        chance = random.Random(f"{self._seed}/variety/{name}/{number}")
        size = 1.0 - self._size * chance.random()
        tempo = 1.0 + self._tempo * chance.uniform(-1.0, 1.0)
        if vary != "size and tempo":
            return size, 1.0
        return min(size, 1.0 / (tempo * tempo)), tempo
