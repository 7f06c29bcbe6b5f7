"""The motions of the show "Duel": `python -m assets.gestures.duel [FOLDER]`.

Arms are (shoulder pitch, shoulder roll, elbow), heads (pitch, yaw) [deg]; see score.py. The body's
keys are as in bodies.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from assets.gestures.bodies import Keys
from assets.gestures.build import LIBRARY, motion_of
from assets.gestures.hands import FIST, FLAT, hand
from assets.gestures.score import Score
from shows.body_limb import BodyRole
from shows.motion import Motion, save_motion

MOTIONS = LIBRARY.parent / "duel" / "motions"
RECOILING: Mapping[BodyRole, Keys] = {
    "pitch": ((0.1, 0.0), (0.6, -0.06), (1.1, -0.05), (2.2, 0.03), (2.9, 0.0)),
    "yaw": ((0.1, 0.0), (0.6, -0.08), (1.2, -0.06), (2.6, 0.0)),
    "height": ((0.2, 0.0), (0.8, -0.02), (1.3, -0.02), (2.5, 0.0)),
}


def recoil() -> Score:
    """Recoil: the head turns away, the hands rise before the chest, and the guard sinks again."""
    s = Score("recoil", "Recoil", ("fight", "standing"), thumbnail_s=0.8, trail_s=0.08)
    s.key(
        0.55,
        head=(-12, 16),
        right_arm=(-62, -22, 78),
        right_hand=hand(-40, FLAT),
        left_arm=(-54, -26, 70),
        left_hand=hand(-34, FLAT),
        over=0.05,
        settle_s=0.2,
    )
    s.key(1.15, head=(-8, 12), right_arm=(-58, -22, 80), left_arm=(-52, -26, 74))
    s.key(
        1.75,
        head=(6, -4),
        right_arm=(-44, -18, 84),
        right_hand=hand(0, FIST),
        left_arm=(-40, -20, 80),
        left_hand=hand(0, FIST),
    )
    return s.rest(2.7, over=0.02)


def motions() -> Iterator[Motion]:
    """Yield every motion of the show."""
    yield motion_of(recoil(), RECOILING)


def main() -> int:
    """Write the motions."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else MOTIONS
    folder.mkdir(parents=True, exist_ok=True)
    for motion in motions():
        save_motion(motion, folder / f"{motion.name}.json")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
