"""The takes of the show "Duel": demonstrations of the fighter, and the whole performance.

The times are those of the cues of shows/library/duel, counted from the first GO.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assets.takes import fighter
from assets.takes.fighter import MOTIONS, Part, demonstration, in_manner, joined
from shows.human import HumanTake

SHOW = Path(__file__).resolve().parents[2] / "shows" / "library" / "duel"
DEMONSTRATIONS = 4
T_POSE_S = 9.0
LENGTH_S = 180.0
PERFORMANCE_SEED = 100  # the fighter repeats no demonstration

ANSWERED: tuple[tuple[float, str], ...] = (
    (117.0, "wave"),
    (124.0, "punch"),
    (131.0, "parry"),
    (138.0, "raise_arms"),
    (145.5, "punch"),
    (152.5, "bow"),
    (159.5, "wave"),
)
"""When each motion of the repertoire begins, in the cue of the answers [s]."""


def demonstrations() -> Iterator[HumanTake]:
    """Yield the takes of the repertoire."""
    for i, (name, part) in enumerate(MOTIONS.items()):
        for number in range(DEMONSTRATIONS):
            seed = DEMONSTRATIONS * i + number
            yield demonstration(f"{name}_{number + 1}", part, seed)


def performance() -> HumanTake:
    """Return what the fighter does in the show."""
    mirrored: tuple[tuple[float, Part], ...] = (
        (0.0, fighter.t_pose(T_POSE_S)),
        # Arms.
        (18.0, fighter.arms_level((70.0, 0.0, 0.0), 0.8)),
        (22.0, fighter.arms_level((10.0, -80.0, 0.0), 0.8)),
        (26.0, fighter.wave("left")),
        (30.0, fighter.punch()),
        (33.5, fighter.raise_arms()),
        # Arms and head.
        (42.0, fighter.look(35.0, 0.0)),
        (45.0, fighter.look(-35.0, 0.0)),
        (48.0, fighter.look(0.0, 18.0)),
        (51.0, fighter.parry()),
        (54.5, fighter.wave()),
        # The body, too.
        (63.5, fighter.lean(0.05, 0.0)),
        (67.5, fighter.lean(-0.05, 0.0)),
        (72.0, fighter.bow()),
        (75.5, fighter.lean(0.0, 0.03)),
        (80.0, fighter.raise_arms()),
        # Steps.
        (90.0, fighter.steps_in_place(4)),
        (98.0, fighter.and_back(fighter.side_step(0.16), fighter.side_step(-0.16), 1.2)),
        # The end.
        (168.5, fighter.bow()),
    )
    answered = [
        (start_s, in_manner(MOTIONS[name], PERFORMANCE_SEED + i))
        for i, (start_s, name) in enumerate(ANSWERED)
    ]
    parts = sorted([*mirrored, *answered], key=lambda pair: pair[0])
    return joined("performer", LENGTH_S, parts)


def takes() -> Iterator[tuple[Path, HumanTake]]:
    """Yield every take with its file."""
    for take in demonstrations():
        yield SHOW / "repertoires" / "duel" / "takes" / f"{take.name}.bvh", take
    yield SHOW / "takes" / "performer.bvh", performance()
