"""Make the gesture library from its keyed poses: `python -m assets.gestures.build [FOLDER]`.

It writes the files of shows/library/gestures byte for byte; edit the poses, not the files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from assets.gestures.bodies import BODIES, Keys, curve
from assets.gestures.feelings import FEELINGS
from assets.gestures.greetings import GREETINGS
from assets.gestures.score import JOINT_NAMES, RATE_HZ, Score
from assets.gestures.stage import STAGE
from shows.body_limb import KIND, BodyRole
from shows.motion import Marker, Motion, save_motion

LIBRARY = Path(__file__).resolve().parents[2] / "shows" / "library" / "gestures"


def motion_of(score: Score, body: Mapping[BodyRole, Keys]) -> Motion:
    """Return the motion of a score, with the keys of the body."""
    positions = score.positions()
    times_s = np.arange(len(positions)) / RATE_HZ
    tracks = [curve(keys, times_s) for keys in body.values()]
    return Motion(
        name=score.name,
        title=score.title,
        joint_names=(*JOINT_NAMES, *(f"{KIND}_{role}" for role in body)),
        rate_hz=RATE_HZ,
        positions=np.column_stack([positions, *tracks]),
        markers=tuple(Marker(time_s=at, name=name) for at, name in score.markers),
        source="keyed",
        thumbnail_s=score.thumbnail_s,
        tags=score.tags,
        needs=score.needs,
    )


def motions() -> Iterator[Motion]:
    """Yield every gesture of the library."""
    for write in (*GREETINGS, *FEELINGS, *STAGE):
        score = write()
        yield motion_of(score, BODIES[score.name])


def main() -> int:
    """Write the library and print the duration of each gesture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else LIBRARY
    folder.mkdir(parents=True, exist_ok=True)
    for motion in motions():
        save_motion(motion, folder / f"{motion.name}.json")
        print(f"{motion.name:16} {motion.duration_s:5.2f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
