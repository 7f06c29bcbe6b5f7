"""Gestures for the stage: poses that are visible from the last row, and a dance.

Arms are (shoulder pitch, shoulder roll, elbow), heads (pitch, yaw) [deg]; see score.py.
"""

from __future__ import annotations

from assets.gestures.hands import CUP, FIST, OPEN, POINT, SOFT, SPREAD, VICTORY, hand
from assets.gestures.score import Score, Values

BEAT_S = 0.5


def hands_on_hips() -> Score:
    """Hands on the hips: the head turns from side to side."""
    s = Score("hands_on_hips", "Hands on hips", ("hero", "standing"), thumbnail_s=1.5, trail_s=0.10)
    s.key(
        0.32,
        head=(8, 3),
        right_arm=(-10, -16, 40),
        right_hand=hand(10, CUP),
        left_arm=(-8, -15, 36),
        left_hand=hand(10, CUP),
    )
    s.key(
        1.02,
        head=(-9, -3),
        right_arm=(64, -40, 108),
        right_hand=hand(26, FIST),
        left_arm=(60, -43, 106),
        left_hand=hand(22, FIST),
        over=0.04,
    )
    s.key(
        1.85,
        head=(-10, 24),
        right_arm=(62, -38, 107),
        right_hand=hand(24, FIST),
        left_arm=(63, -46, 108),
        left_hand=hand(25, FIST),
    )
    s.key(
        2.70,
        head=(-10, -22),
        right_arm=(65, -45, 109),
        right_hand=hand(27, FIST),
        left_arm=(59, -39, 106),
        left_hand=hand(21, FIST),
    )
    s.key(
        3.20,
        head=(-6, -2),
        right_arm=(60, -40, 106),
        right_hand=hand(24, FIST),
        left_arm=(58, -40, 104),
        left_hand=hand(20, FIST),
    )
    s.key(
        3.60,
        right_arm=(26, -26, 62),
        left_arm=(22, -25, 58),
        head=(3, 0),
        right_hand=hand(10, CUP),
        left_hand=hand(10, CUP),
    )
    return s.rest(4.15, over=0.02)


def flex() -> Score:
    """Flex: one arm, then the other; the head turns to each."""
    s = Score("flex", "Flex", ("hero", "standing"), thumbnail_s=1.1, trail_s=0.0)
    s.key(
        0.30,
        head=(7, -4),
        right_arm=(8, -16, 34),
        right_hand=hand(10, CUP),
        left_arm=(8, -12, 26),
        left_hand=hand(8),
    )
    s.key(
        0.95,
        head=(-2, -34),
        right_arm=(-84, -72, 104),
        right_hand=hand(-20, FIST),
        left_arm=(40, -34, 92),
        left_hand=hand(16, FIST),
        over=0.05,
    )
    s.key(
        1.50,
        head=(-4, -38),
        right_arm=(-85, -73, 98),
        right_hand=hand(-8, FIST),
        left_arm=(42, -36, 94),
        left_hand=hand(18, FIST),
    )
    s.key(1.95, right_arm=(-62, -64, 80), left_arm=(-30, -58, 70), head=(3, 4))
    s.key(
        2.50,
        head=(-3, 36),
        right_arm=(30, -42, 90),
        right_hand=hand(14, FIST),
        left_arm=(-86, -70, 106),
        left_hand=hand(-22, FIST),
        over=0.04,
    )
    s.key(
        3.10,
        head=(-5, 39),
        right_arm=(33, -42, 92),
        right_hand=hand(16, FIST),
        left_arm=(-87, -71, 100),
        left_hand=hand(-8, FIST),
    )
    s.key(
        3.55,
        head=(4, 10),
        right_arm=(20, -26, 56),
        left_arm=(-58, -54, 74),
        right_hand=hand(8, CUP),
        left_hand=hand(4, CUP),
    )
    return s.rest(4.25, over=0.02)


def photo_pose() -> Score:
    """Pose for a photo: a victory sign beside the head and a fist on the hip, held."""
    s = Score(
        "photo_pose",
        "Photo pose",
        ("photo", "hero", "standing"),
        lead="left",
        thumbnail_s=2.1,
        breath=0.0,
        trail_s=0.08,
    )
    s.mark(2.0, "pose")
    s.key(
        0.34,
        head=(7, -6),
        left_arm=(6, -12, 40),
        left_hand=hand(12, FIST),
        right_arm=(-8, -16, 36),
        right_hand=hand(10, CUP),
    )
    s.key(
        1.05,
        head=(-6, 15),
        left_arm=(-92, -50, 103),
        left_hand=hand(30, VICTORY),
        right_arm=(63, -42, 108),
        right_hand=hand(25, FIST),
        over=0.06,
    )
    s.key(
        1.60,
        head=(-8, 13),
        left_arm=(-91, -48, 101),
        left_hand=hand(28, VICTORY),
        right_arm=(62, -41, 107),
        right_hand=hand(24, FIST),
    )
    s.key(
        2.90,
        head=(-8, 13),
        left_arm=(-91, -48, 101),
        left_hand=hand(28, VICTORY),
        right_arm=(62, -41, 107),
        right_hand=hand(24, FIST),
    )
    s.key(
        3.40,
        head=(5, 5),
        left_arm=(-72, -40, 84),
        left_hand=hand(16, OPEN),
        right_arm=(34, -28, 70),
        right_hand=hand(12, CUP),
    )
    return s.rest(4.10, over=0.03)


def dance() -> Score:
    """Dance: bounces, disco points, a wave through both arms, a sway overhead, a final pose."""
    s = Score(
        "dance", "Dance", ("dance", "joy", "standing"), thumbnail_s=4.6, trail_s=0.03, overlap=0.7
    )
    s.key(
        0.35,
        head=(7, 0),
        right_arm=(8, -13, 40),
        right_hand=hand(10, FIST),
        left_arm=(8, -13, 36),
        left_hand=hand(10, FIST),
    )
    _bounce(s, 0.8)
    _points(s, 3.05)
    _arm_wave(s, 5.72)
    _sway(s, 8.05)
    s.mark(9.8, "last_pose")
    s.key(
        9.8,
        head=(-11, -26),
        right_arm=(-126, -50, 6),
        right_hand=hand(30, POINT),
        left_arm=(-34, -52, 8),
        left_hand=hand(-20, SPREAD),
        over=0.04,
    )
    s.key(
        10.4,
        head=(-12, -28),
        right_arm=(-128, -51, 4),
        right_hand=hand(33, POINT),
        left_arm=(-32, -54, 5),
        left_hand=hand(-24, SPREAD),
    )
    s.key(
        10.8,
        head=(2, -6),
        right_arm=(-76, -46, 34),
        right_hand=hand(10, SOFT),
        left_arm=(-16, -30, 24),
        left_hand=hand(0),
    )
    return s.rest(11.34, over=0.02)


def _bounce(s: Score, start_s: float) -> None:
    """The elbows pump alternately for four beats; the head nods on every beat."""
    up, down = (-26, -16, 102), (-4, -20, 72)
    for beat in range(4):
        at, left_up = start_s + beat * BEAT_S, beat % 2 == 0
        s.key(
            at,
            head=(9, 13 if left_up else -13),
            left_arm=up if left_up else down,
            right_arm=down if left_up else up,
            left_hand=hand(26 if left_up else -10, FIST),
            right_hand=hand(-10 if left_up else 26, FIST),
        )
        s.key(at + 0.5 * BEAT_S, head=(-3, None))


def _points(s: Score, start_s: float) -> None:
    """Disco: the right arm is high, low, and high again; the left hand stays on the hip."""
    for step, (arm, wrist, shape, look) in enumerate(
        (
            ((-120, -50, 10), 30, POINT, (-12, -28)),
            ((-52, 8, 52), -6, FIST, (12, 20)),
            ((-122, -52, 6), 34, POINT, (-13, -30)),
        )
    ):
        at, sway = start_s + 0.95 * step, 4 if step % 2 else 0
        s.key(
            at,
            head=look,
            right_arm=arm,
            right_hand=hand(wrist, shape),
            left_arm=(54 - sway, -40 + sway, 104),
            left_hand=hand(20, FIST),
            over=0.04,
            settle_s=0.18,
        )


def _arm_wave(s: Score, start_s: float) -> None:
    """Both arms out; a wave travels from the right fingers through the shoulders to the left."""
    s.key(start_s, head=(-2, -26), right_arm=(-84, -74, 12), right_hand=hand(60, OPEN))
    s.key(start_s + 0.3, left_arm=(-84, -72, 12), left_hand=hand(60, OPEN))
    bump: tuple[tuple[float, dict[str, Values]], ...] = (
        (0.26, {"right_hand": hand(60, CUP)}),
        (0.42, {"right_arm": (-86, -70, 50), "head": (0, -20)}),
        (0.76, {"right_arm": (-86, -80, 14), "right_hand": hand(60, OPEN)}),
        (1.00, {"right_arm": (-84, -72, 12), "left_arm": (-84, -80, 12), "head": (-9, 0)}),
        (1.30, {"left_arm": (-86, -70, 50), "head": (0, 20)}),
        (1.62, {"left_arm": (-84, -74, 10), "left_hand": hand(60, CUP)}),
        (1.86, {"left_hand": hand(50, SPREAD), "head": (-2, 27)}),
    )
    for delay, poses in bump:
        s.key(start_s + delay, over=0.0, settle_s=0.0, **poses)


def _sway(s: Score, start_s: float) -> None:
    """Both arms are high and lean left and right on the beat, with spread fingers."""
    for beat in range(3):
        side = 1 if beat % 2 else -1
        s.key(
            start_s + beat * BEAT_S,
            head=(-11, 15 * side),
            left_arm=(-148, -38 - 10 * side, 20 + 10 * side),
            left_hand=hand(14 * side, SPREAD),
            right_arm=(-148, -38 + 10 * side, 20 - 10 * side),
            right_hand=hand(-14 * side, SPREAD),
        )


STAGE = (hands_on_hips, flex, photo_pose, dance)
