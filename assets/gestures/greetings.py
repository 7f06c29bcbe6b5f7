"""Gestures toward the audience: greeting, praise, thanks, directions.

Arms are (shoulder pitch, shoulder roll, elbow), heads (pitch, yaw) [deg]; see score.py.
"""

from __future__ import annotations

from assets.gestures.hands import (
    CUP,
    FIST,
    FLAT,
    OPEN,
    POINT,
    SOFT,
    SPREAD,
    THUMB_UP,
    hand,
)
from assets.gestures.score import Score


def wave() -> Score:
    """Wave: a small dip, the arm unfolds, three decreasing swings, rest."""
    s = Score("wave", "Wave", ("greeting", "walking"), thumbnail_s=1.3)
    s.mark(0.75, "first_swing")
    s.key(
        0.22,
        head=(5, -5),
        right_arm=(9, -11, 26),
        right_hand=hand(8, CUP),
        left_arm=(6, -10, 19),
        left_hand=hand(4),
    )
    s.key(
        0.80,
        head=(-6, 7),
        right_arm=(-88, -58, 96),
        right_hand=hand(20, OPEN),
        left_arm=(9, -13, 25),
        left_hand=hand(10, (26, 22, 28, 33)),
        over=0.04,
        settle_s=0.12,
    )
    s.key(1.24, head=(-5, 2), right_arm=(-92, -66, 58), right_hand=hand(44, SPREAD))
    s.key(1.58, head=(-6, 9), right_arm=(-88, -57, 97), right_hand=hand(14, OPEN))
    s.key(1.92, head=(-5, 3), right_arm=(-92, -65, 61), right_hand=hand(42, SPREAD))
    s.key(
        2.25,
        head=(-6, 8),
        right_arm=(-88, -58, 94),
        right_hand=hand(18, OPEN),
        left_arm=(8, -12, 23),
        left_hand=hand(8),
    )
    s.key(2.56, head=(-4, 4), right_arm=(-90, -62, 70), right_hand=hand(36, OPEN))
    s.key(2.88, head=(-2, 2), right_arm=(-80, -54, 84), right_hand=hand(24, SOFT))
    return s.rest(3.65, over=0.03)


def thumbs_up() -> Score:
    """Thumbs-up: the hand starts at the hip and moves forward, a nod, rest."""
    s = Score(
        "thumbs_up", "Thumbs up", ("praise", "walking"), thumbnail_s=1.2, needs=("right_thumb",)
    )
    s.key(
        0.30,
        head=(5, -6),
        right_arm=(17, -13, 48),
        right_hand=hand(14, FIST),
        left_arm=(0, -11, 22),
        left_hand=hand(3, CUP),
    )
    s.key(
        0.78,
        head=(-4, 6),
        right_arm=(-38, -9, 68),
        right_hand=hand(-4, THUMB_UP),
        left_arm=(7, -13, 30),
        left_hand=hand(8, CUP),
        over=0.10,
        settle_s=0.2,
    )
    s.key(1.32, head=(9, 5), right_arm=(-36, -10, 63), right_hand=hand(-7, THUMB_UP))
    s.key(1.66, head=(-5, 6), right_arm=(-40, -9, 70), right_hand=hand(-3, THUMB_UP))
    s.key(
        2.02,
        head=(2, 4),
        right_arm=(-39, -10, 68),
        right_hand=hand(-5, THUMB_UP),
        left_arm=(6, -12, 27),
        left_hand=hand(5),
    )
    return s.rest(2.75, over=0.04)


def point_left() -> Score:
    """Point left: the head turns first, the arm follows and holds."""
    s = Score("point_left", "Point left", ("direction", "walking"), lead="left", thumbnail_s=1.3)
    s.key(
        0.26,
        head=(4, -14),
        left_arm=(8, -9, 34),
        left_hand=hand(10, CUP),
        right_arm=(6, -10, 20),
        right_hand=hand(4),
    )
    s.key(0.86, head=(-4, 46))
    s.key(
        0.98,
        left_arm=(-76, -72, 7),
        left_hand=hand(34, POINT),
        right_arm=(10, -12, 28),
        right_hand=hand(12, CUP),
        over=0.05,
    )
    s.key(1.56, head=(-2, 43), left_arm=(-78, -70, 12), left_hand=hand(30, POINT))
    s.key(1.86, head=(-4, 47), left_arm=(-77, -73, 4), left_hand=hand(38, POINT))
    s.key(
        2.24,
        head=(1, 20),
        left_arm=(-74, -71, 9),
        left_hand=hand(34, POINT),
        right_arm=(8, -11, 24),
        right_hand=hand(8),
    )
    return s.rest(3.05, over=0.02)


def point_right() -> Score:
    """Point right: two quick jabs, while the head looks at the audience."""
    s = Score("point_right", "Point right", ("direction", "walking"), thumbnail_s=1.0)
    s.key(
        0.28,
        head=(5, 12),
        right_arm=(6, -10, 44),
        right_hand=hand(14, FIST),
        left_arm=(7, -10, 20),
        left_hand=hand(6),
    )
    s.key(0.84, head=(-5, -44))
    s.key(
        0.96,
        right_arm=(-82, -68, 6),
        right_hand=hand(30, POINT),
        left_arm=(12, -14, 32),
        left_hand=hand(16, CUP),
        over=0.06,
        settle_s=0.16,
    )
    s.key(1.40, head=(-2, -26), right_arm=(-78, -60, 34), right_hand=hand(22, POINT))
    s.key(1.72, head=(-5, -46), right_arm=(-83, -69, 4), right_hand=hand(34, POINT))
    s.key(
        2.20,
        head=(2, -12),
        right_arm=(-81, -67, 9),
        right_hand=hand(30, POINT),
        left_arm=(9, -12, 26),
        left_hand=hand(10),
    )
    return s.rest(3.00, over=0.02)


def salute() -> Score:
    """Salute: the chin rises, the hand moves to the brow, holds, and flicks away."""
    s = Score("salute", "Salute", ("greeting", "hero", "walking"), thumbnail_s=1.4, breath=0.6)
    s.key(
        0.28,
        head=(6, -3),
        right_arm=(10, -12, 30),
        right_hand=hand(10, CUP),
        left_arm=(5, -9, 20),
        left_hand=hand(6, CUP),
    )
    s.key(
        1.00,
        head=(-7, 4),
        right_arm=(-97, -9, 90),
        right_hand=hand(34, FLAT),
        left_arm=(1, -8.5, 6),
        left_hand=hand(-4, FLAT),
        over=0.05,
        settle_s=0.18,
    )
    s.key(
        1.85,
        head=(-6, 3),
        right_arm=(-96, -10, 91),
        right_hand=hand(32, FLAT),
        left_arm=(2, -8.5, 7),
        left_hand=hand(-3, FLAT),
    )
    s.key(2.18, head=(-2, 0), right_arm=(-88, -32, 50), right_hand=hand(24, FLAT))
    s.key(2.46, head=(3, -2), right_arm=(-62, -34, 48), right_hand=hand(12, OPEN))
    return s.rest(3.25, over=0.03)


def blow_kiss() -> Score:
    """Blow a kiss: the fingers touch the mouth, pause, and the hand moves forward."""
    s = Score("blow_kiss", "Blow a kiss", ("greeting", "thanks"), thumbnail_s=1.1)
    s.key(
        0.25,
        head=(-3, -5),
        right_arm=(8, -10, 30),
        right_hand=hand(0, CUP),
        left_arm=(6, -10, 20),
        left_hand=hand(5),
    )
    s.key(0.58, right_arm=(-36, -10, 84))
    s.key(
        1.00,
        head=(6, -7),
        right_arm=(-68, 16, 98),
        right_hand=hand(-62, (36, 16, 18, 22)),
        left_arm=(12, -16, 34),
        left_hand=hand(20, CUP),
        over=0.03,
    )
    s.key(1.42, head=(9, -9), right_arm=(-67, 18, 100), right_hand=hand(-66, (34, 20, 22, 26)))
    s.key(
        2.05,
        head=(-9, 8),
        right_arm=(-72, -14, 22),
        right_hand=hand(-84, SPREAD),
        left_arm=(16, -22, 28),
        left_hand=hand(4, OPEN),
        over=0.04,
    )
    s.key(
        2.70,
        head=(-8, 14),
        right_arm=(-66, -30, 18),
        right_hand=hand(-80, OPEN),
        left_arm=(14, -20, 26),
        left_hand=hand(6),
    )
    return s.rest(3.50, over=0.03)


def bow() -> Score:
    """Bow with the head, one arm before the belly and the other stretched out."""
    s = Score("bow", "Bow", ("thanks", "standing"), thumbnail_s=1.6, trail_s=0.09)
    s.key(
        0.40,
        head=(-10, 5),
        right_arm=(-30, -46, 34),
        right_hand=hand(-30, OPEN),
        left_arm=(8, -16, 22),
        left_hand=hand(0),
    )
    s.key(
        1.15,
        head=(24, -4),
        right_arm=(-25, -8, 76),
        right_hand=hand(-46, FLAT),
        left_arm=(27, -42, 12),
        left_hand=hand(-24, OPEN),
        over=0.04,
    )
    s.key(
        2.05,
        head=(26, -2),
        right_arm=(-21, -8, 82),
        right_hand=hand(-54, FLAT),
        left_arm=(29, -44, 9),
        left_hand=hand(-30, SPREAD),
    )
    s.key(
        2.75,
        head=(-7, 3),
        right_arm=(-18, -22, 50),
        right_hand=hand(-24, OPEN),
        left_arm=(10, -20, 20),
        left_hand=hand(-6),
    )
    return s.rest(3.55, over=0.03)


def welcome() -> Score:
    """Welcome: both arms open, one after the other, and the head looks over all rows."""
    s = Score(
        "welcome", "Welcome", ("greeting", "standing"), lead="left", trail_s=0.14, thumbnail_s=1.5
    )
    s.key(
        0.36,
        head=(8, 6),
        left_arm=(-16, -6, 62),
        left_hand=hand(14, CUP),
        right_arm=(-12, -7, 56),
        right_hand=hand(12, CUP),
    )
    s.key(
        1.00,
        head=(-8, 16),
        left_arm=(-50, -66, 28),
        left_hand=hand(-62, OPEN),
        right_arm=(-38, -60, 34),
        right_hand=hand(-56, OPEN),
        over=0.06,
    )
    s.key(
        2.00,
        head=(-9, -20),
        left_arm=(-47, -63, 32),
        left_hand=hand(-58, OPEN),
        right_arm=(-44, -66, 26),
        right_hand=hand(-66, SPREAD),
    )
    s.key(
        2.60,
        head=(-3, 0),
        left_arm=(-36, -48, 38),
        left_hand=hand(-36, OPEN),
        right_arm=(-34, -52, 34),
        right_hand=hand(-44, OPEN),
    )
    return s.rest(3.40, over=0.03)


def clap() -> Score:
    """Clap: four claps with a finger's width between the palms; the last one is held."""
    s = Score("clap", "Clap", ("praise", "standing"), trail_s=0.02, thumbnail_s=0.9, overlap=0.5)
    apart, close, low = (-64, 4, 48), (-76.5, 23.2, 32.0), (-76.0, 23.0, 33.0)
    s.key(
        0.24,
        head=(4, -4),
        right_arm=(8, -11, 32),
        left_arm=(6, -11, 28),
        right_hand=hand(4, CUP),
        left_hand=hand(4, CUP),
    )
    s.key(
        0.70,
        head=(-5, 3),
        right_arm=(-50, -6, 56),
        left_arm=(-48, -8, 54),
        right_hand=hand(-20, FLAT),
        left_hand=hand(-6, FLAT),
    )
    for beat, (pitch, yaw) in enumerate(((6, 6), (5, -3), (6, 8), (8, 2))):
        at = 0.98 + 0.46 * beat
        if beat == 3:  # held, so that smoothing does not reduce it
            close, low = (-75.0, 21.0, 34.0), (-75.0, 20.5, 35.0)
        s.key(
            at,
            head=(pitch, yaw),
            right_arm=close,
            left_arm=low,
            right_hand=hand(-14, FLAT),
            left_hand=hand(2, FLAT),
        )
        if beat < 3:
            s.key(
                at + 0.23,
                head=(-4, yaw),
                right_arm=apart,
                left_arm=(-60, 3, 55),
                right_hand=hand(-20, OPEN),
                left_hand=hand(-6, OPEN),
            )
    s.key(
        2.72,
        head=(6, 0),
        right_arm=(-74, 20.5, 35),
        left_arm=(-74, 20, 36),
        right_hand=hand(-12, FLAT),
        left_hand=hand(4, FLAT),
    )
    s.key(3.08, right_arm=(-60, -8, 50), left_arm=(-57, -10, 52))
    return s.rest(3.65, over=0.02)


GREETINGS = (wave, thumbs_up, point_left, point_right, salute, blow_kiss, bow, welcome, clap)
