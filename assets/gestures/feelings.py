"""Gestures of feelings and thoughts.

Arms are (shoulder pitch, shoulder roll, elbow), heads (pitch, yaw) [deg]; see score.py.
"""

from __future__ import annotations

from assets.gestures.hands import CUP, FIST, FLAT, OPEN, POINT, SOFT, SPREAD, hand
from assets.gestures.score import Score


def cheer() -> Score:
    """Cheer: both arms bend low, rise by the side, pump twice alternately, and the hands open."""
    s = Score("cheer", "Cheer", ("joy", "standing"), thumbnail_s=1.5, trail_s=0.07)
    s.key(
        0.36,
        head=(13, -4),
        right_arm=(14, -15, 62),
        right_hand=hand(16, FIST),
        left_arm=(12, -16, 56),
        left_hand=hand(14, FIST),
    )
    s.key(0.90, right_arm=(-70, -70, 50), left_arm=(-66, -70, 60), head=(2, 2))
    s.key(
        1.42,
        head=(-17, 6),
        right_arm=(-158, -32, 16),
        right_hand=hand(4, FIST),
        left_arm=(-150, -36, 24),
        left_hand=hand(0, FIST),
        over=0.05,
        settle_s=0.16,
    )
    s.key(
        1.86,
        head=(-8, -6),
        right_arm=(-146, -44, 52),
        right_hand=hand(12, FIST),
        left_arm=(-156, -34, 16),
    )
    s.key(
        2.20,
        head=(-18, 7),
        right_arm=(-161, -30, 12),
        right_hand=hand(-8, (14, 12, 14, 14)),
        left_arm=(-146, -44, 48),
        left_hand=hand(6, (44, 48, 50, 52)),
    )
    s.key(
        2.50,
        head=(-14, -5),
        right_arm=(-157, -33, 20),
        right_hand=hand(12, SPREAD),
        left_arm=(-160, -31, 12),
        left_hand=hand(-10, OPEN),
    )
    s.key(
        2.84,
        head=(-10, 4),
        right_arm=(-148, -44, 26),
        right_hand=hand(-4, OPEN),
        left_arm=(-152, -38, 20),
        left_hand=hand(8, OPEN),
    )
    s.key(
        3.40,
        head=(4, 0),
        right_arm=(-66, -62, 40),
        left_arm=(-70, -64, 38),
        right_hand=hand(10),
        left_hand=hand(8),
    )
    return s.rest(4.15, over=0.02)


def shrug() -> Score:
    """Shrug: the elbows rise, the palms turn up, the head tilts, and all return."""
    s = Score("shrug", "Shrug", ("doubt", "standing"), lead="left", thumbnail_s=1.2)
    s.key(
        0.28,
        head=(6, 4),
        left_arm=(6, -9, 34),
        left_hand=hand(6, CUP),
        right_arm=(6, -9, 30),
        right_hand=hand(4, CUP),
    )
    s.key(
        0.82,
        head=(-9, 15),
        left_arm=(-42, -52, 62),
        left_hand=hand(-84, SPREAD),
        right_arm=(-34, -44, 62),
        right_hand=hand(-72, OPEN),
        over=0.08,
    )
    s.key(
        1.45,
        head=(-5, -12),
        left_arm=(-38, -48, 62),
        left_hand=hand(-88, OPEN),
        right_arm=(-38, -49, 60),
        right_hand=hand(-84, SPREAD),
    )
    s.key(
        1.95,
        head=(9, -6),
        left_arm=(-12, -26, 50),
        left_hand=hand(-40),
        right_arm=(-10, -26, 48),
        right_hand=hand(-44),
    )
    return s.rest(2.65, over=0.04)


def think() -> Score:
    """Think: one hand at the chin, a finger taps, the head rises."""
    s = Score("think", "Think", ("doubt", "idea", "standing"), thumbnail_s=1.6)
    s.mark(2.95, "idea")
    s.key(
        0.26,
        head=(-4, -6),
        right_arm=(8, -10, 30),
        right_hand=hand(4, CUP),
        left_arm=(10, -12, 22),
        left_hand=hand(4),
    )
    s.key(0.58, right_arm=(-36, -10, 86))
    s.key(
        1.00,
        head=(8, 10),
        right_arm=(-57, 12, 104),
        right_hand=hand(-30, (30, 30, 74, 80)),
        left_arm=(58, -40, 108),
        left_hand=hand(24, FIST),
        over=0.03,
    )
    s.key(1.34, head=(9, 13), right_hand=(-32, 28, 50, 76, 82))
    s.key(1.58, right_hand=(-30, 30, 28, 74, 80))
    s.key(1.82, head=(7, 16), right_hand=(-32, 28, 52, 76, 82))
    s.key(
        2.26,
        head=(-14, -18),
        right_arm=(-57, 11, 104),
        right_hand=(-34, 26, 40, 76, 82),
        left_arm=(56, -42, 109),
        left_hand=hand(22, FIST),
    )
    s.key(2.60, head=(-12, -22), right_arm=(-56, 4, 104), right_hand=hand(-20, FIST))
    s.key(
        3.02,
        head=(-8, 4),
        right_arm=(-88, -30, 98),
        right_hand=hand(10, POINT),
        left_arm=(52, -44, 106),
        left_hand=hand(12, CUP),
        over=0.08,
        settle_s=0.18,
    )
    s.key(
        3.62,
        head=(-6, 3),
        right_arm=(-86, -31, 96),
        right_hand=hand(12, POINT),
        left_arm=(46, -38, 94),
        left_hand=hand(6),
    )
    return s.rest(4.26, over=0.02)


def hug() -> Score:
    """Hug: the arms open, close at two heights, squeeze with the head down, and release."""
    s = Score("hug", "Hug", ("joy", "affection", "standing"), thumbnail_s=2.3, trail_s=0.11)
    s.key(
        0.36,
        head=(-4, 4),
        right_arm=(8, -16, 24),
        right_hand=hand(-6, OPEN),
        left_arm=(8, -16, 22),
        left_hand=hand(-6, OPEN),
    )
    s.key(
        1.10,
        head=(-9, 6),
        right_arm=(-58, -66, 24),
        right_hand=hand(-20, SPREAD),
        left_arm=(-50, -68, 28),
        left_hand=hand(-24, SPREAD),
        over=0.04,
    )
    s.key(
        1.85,
        head=(8, 12),
        right_arm=(-76, 20, 42),
        right_hand=hand(10, CUP),
        left_arm=(-67, 14, 32),
        left_hand=hand(8, CUP),
    )
    s.key(
        2.28,
        head=(15, 17),
        right_arm=(-76, 22, 52),
        right_hand=hand(14, (40, 46, 50, 54)),
        left_arm=(-70, 17.5, 40),
        left_hand=hand(14, (40, 44, 50, 52)),
    )
    s.key(
        2.60,
        head=(12, 13),
        right_arm=(-75, 22, 47),
        right_hand=hand(12, CUP),
        left_arm=(-68, 16, 36),
        left_hand=hand(11, CUP),
    )
    s.key(
        2.92,
        head=(16, 18),
        right_arm=(-76, 22.5, 54),
        right_hand=hand(15, (42, 48, 52, 56)),
        left_arm=(-70, 18, 42),
        left_hand=hand(15, (42, 46, 52, 54)),
    )
    s.key(
        3.58,
        head=(-5, 4),
        right_arm=(-44, -40, 36),
        right_hand=hand(-20, OPEN),
        left_arm=(-38, -40, 38),
        left_hand=hand(-20, OPEN),
    )
    return s.rest(4.22, over=0.02)


def giggle() -> Score:
    """Giggle: one hand before the mouth, the shoulders shake, the head bobs and turns away."""
    s = Score("giggle", "Giggle", ("joy",), lead="left", thumbnail_s=1.2)
    s.key(
        0.24,
        head=(-5, 4),
        left_arm=(8, -10, 32),
        left_hand=hand(0, CUP),
        right_arm=(6, -10, 22),
        right_hand=hand(5),
    )
    s.key(0.54, left_arm=(-36, -10, 78))
    s.key(
        0.90,
        head=(6, 12),
        left_arm=(-69, 17, 96),
        left_hand=hand(-34, (20, 18, 20, 24)),
        right_arm=(-2, -10, 58),
        right_hand=hand(30, CUP),
        over=0.03,
        settle_s=0.14,
    )
    for beat in range(4):
        at = 1.20 + 0.26 * beat
        fade = 1.0 - 0.18 * beat
        s.key(
            at,
            head=(6 + 5 * fade, 14 + 2 * beat),
            left_arm=(-69 + 3 * fade, 17, 97),
            right_arm=(-2, -10 - 5 * fade, 60),
            left_hand=hand(-36, (22, 22, 25, 28)),
        )
        s.key(
            at + 0.13,
            head=(6 - 2 * fade, 15 + 2 * beat),
            left_arm=(-69, 17, 95),
            right_arm=(-2, -10, 58),
            left_hand=hand(-33, (20, 18, 20, 24)),
        )
    s.key(
        2.50,
        head=(-3, 4),
        left_arm=(-48, -4, 70),
        left_hand=hand(-20),
        right_arm=(0, -10, 40),
        right_hand=hand(12),
    )
    return s.rest(3.20, over=0.03)


def nod() -> Score:
    """Nod: two nods and a smaller one, with a small motion of the hands."""
    s = Score("nod", "Nod", ("answer", "walking"), thumbnail_s=0.5, needs=("head_pitch",))
    s.key(
        0.22,
        head=(-7, 2),
        right_arm=(2, -9, 18),
        right_hand=hand(-4, (16, 14, 16, 18)),
        left_arm=(4, -9, 17),
        left_hand=hand(-2),
    )
    s.key(
        0.50,
        head=(15, 3),
        right_arm=(-2, -10, 30),
        right_hand=hand(8, CUP),
        left_arm=(1, -9, 22),
        left_hand=hand(5, (26, 26, 30, 34)),
    )
    s.key(0.80, head=(-4, 3), right_arm=(1, -9, 22), right_hand=hand(-4, SOFT))
    s.key(1.06, head=(12, 2), right_arm=(-2, -10, 29), right_hand=hand(7, CUP))
    s.key(1.32, head=(-2, 1), right_arm=(1, -9, 21), right_hand=hand(-2, SOFT))
    s.key(1.56, head=(6, 1), left_arm=(2, -9, 18), left_hand=hand(2))
    return s.rest(2.00)


def shake_head() -> Score:
    """Shake the head, with one finger that moves from side to side."""
    s = Score(
        "shake_head", "Shake head", ("answer", "walking"), thumbnail_s=0.9, needs=("head_yaw",)
    )
    s.key(
        0.24,
        head=(5, -4),
        right_arm=(7, -10, 34),
        right_hand=hand(8, FIST),
        left_arm=(5, -9, 18),
        left_hand=hand(3),
    )
    s.key(
        0.76,
        head=(3, 21),
        right_arm=(-62, -26, 100),
        right_hand=hand(18, POINT),
        left_arm=(6, -12, 28),
        left_hand=hand(8, CUP),
    )
    for at, yaw, wrist, elbow in (
        (1.16, -20, -12, 92),
        (1.54, 18, 32, 101),
        (1.90, -14, -6, 94),
        (2.22, 9, 22, 99),
    ):
        s.key(at, head=(3, yaw), right_arm=(-62, -27, elbow), right_hand=hand(wrist, POINT))
    s.key(
        2.50,
        head=(2, -5),
        right_arm=(-54, -24, 88),
        right_hand=hand(8, CUP),
        left_arm=(5, -10, 22),
        left_hand=hand(4),
    )
    return s.rest(3.15, over=0.02)


def look_around() -> Score:
    """Look around: a hand above the eyes to the right, the other to the left, a second look."""
    s = Score(
        "look_around",
        "Look around",
        ("curious", "standing"),
        thumbnail_s=1.7,
        trail_s=0.0,
        needs=("head_yaw",),
    )
    s.key(
        0.28,
        head=(6, 6),
        right_arm=(8, -11, 32),
        right_hand=hand(6, CUP),
        left_arm=(5, -9, 18),
        left_hand=hand(4),
    )
    s.key(
        1.10,
        head=(-3, -22),
        right_arm=(-122, -3, 36),
        right_hand=hand(78, FLAT),
        left_arm=(12, -15, 34),
        left_hand=hand(14, CUP),
        over=0.03,
    )
    s.key(1.50, head=(-6, -43), right_arm=(-124, -4, 38), right_hand=hand(82, FLAT))
    s.key(
        1.78,
        head=(-4, -48),
        right_arm=(-123, -4, 37),
        right_hand=hand(80, FLAT),
        left_arm=(10, -13, 30),
        left_hand=hand(8, CUP),
    )
    s.key(2.26, head=(5, -18), right_arm=(-56, -24, 54), left_arm=(-40, -20, 52))
    s.key(
        2.86,
        head=(-6, 46),
        left_arm=(-118, -4, 42),
        left_hand=hand(76, FLAT),
        right_arm=(14, -16, 34),
        right_hand=hand(16, CUP),
    )
    s.key(3.14, head=(-5, 49), left_arm=(-120, -5, 40), left_hand=hand(80, FLAT))
    s.key(3.42, head=(0, 31), left_arm=(-114, -10, 42), left_hand=hand(70, FLAT))
    s.key(
        3.70,
        head=(-8, 48),
        left_arm=(-108, -12, 46),
        left_hand=hand(56, OPEN),
        right_arm=(12, -14, 30),
        right_hand=hand(10),
    )
    s.key(4.08, head=(-2, 18), left_arm=(-62, -26, 46), left_hand=hand(16))
    return s.rest(4.50, over=0.0)


FEELINGS = (cheer, shrug, think, hug, giggle, nod, shake_head, look_around)
