"""A performer: scenes of assets/takes, each time in another manner, between pauses."""

from collections.abc import Callable, Iterator

import numpy as np

from core.mimesis.features import RATE_HZ
from devices.interface import Floats, PoseFrame
from shows.human import HumanTake

STILL_S = 1.0
PACE = 0.1  # largest change of the duration, as a share


def performed(scene: Callable[[], HumanTake], seed: int, speed: float = 1.0) -> HumanTake:
    """Return a scene in a manner of its own, by one who trembles, between two pauses."""
    draw = np.random.default_rng(seed)
    take = scene().normalised()
    count = round(take.duration_s * RATE_HZ / speed * (1.0 + draw.uniform(-PACE, PACE)))
    at = np.linspace(0.0, len(take.positions) - 1.001, count)
    low = at.astype(int)
    share = (at - low)[:, None, None]
    points = (1.0 - share) * take.positions[low] + share * take.positions[low + 1]
    turns = take.orientations[low]
    still = round(STILL_S * RATE_HZ)
    points = np.concatenate(
        (np.repeat(points[:1], still, 0), points, np.repeat(points[-1:], still, 0))
    )
    turns = np.concatenate((np.repeat(turns[:1], still, 0), turns, np.repeat(turns[-1:], still, 0)))
    trembling: Floats = np.cumsum(draw.normal(0.0, 3e-4, points.shape), axis=0)
    return HumanTake(scene.__name__, RATE_HZ, points + trembling, turns)


def samples_of(take: HumanTake, begin_s: float = 0.0) -> Iterator[PoseFrame]:
    """Yield the samples of a take at 30 Hz."""
    for k, (points, turns) in enumerate(zip(take.positions, take.orientations, strict=True)):
        stamp_s = begin_s + k / RATE_HZ
        yield PoseFrame(stamp_s, stamp_s, points, turns)
