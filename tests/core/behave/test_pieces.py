"""Each owner of a limb alone."""

import math

import numpy as np
import pytest

from core.behave.follower import Follower
from core.behave.idle import IdleLife
from core.behave.pieces import (
    FADE_S,
    ClipPiece,
    JoystickPiece,
    Piece,
    RestPiece,
    TransitionPiece,
)
from devices.interface import Floats
from tests.core.behave.upper import UPPER, rest_q, upper_joints, wave

JOINTS = upper_joints()
COLUMNS = dict(enumerate(JOINTS.columns))


def rest(gain: float = 1.0) -> RestPiece:
    return RestPiece(rest_q(), IdleLife(JOINTS.index, 3), COLUMNS, gain)


def at(piece: Piece, t: float) -> Floats:
    piece.evaluate(t)
    return piece.block.copy()


def test_rest_without_idle_life_is_the_posture() -> None:
    block = at(rest(gain=0.0), 12.0)
    assert (block[0] == rest_q()).all()
    assert not block[1:].any()


def test_idle_life_comes_and_goes_without_a_jump() -> None:
    piece, h = rest(gain=0.0), 1e-4
    piece.fade(5.0, 1.0)
    assert (at(piece, 5.0)[0] == rest_q()).all()
    for t in np.linspace(5.0, 5.0 + FADE_S + 0.1, 60):
        if piece.is_steady(t) != piece.is_steady(t + 2 * h):
            continue
        a, b, c = at(piece, t), at(piece, t + h), at(piece, t + 2 * h)
        assert b[1] == pytest.approx((c[0] - a[0]) / (2 * h), abs=1e-4)
        assert b[2] == pytest.approx((c[1] - a[1]) / (2 * h), abs=0.5)
    assert (at(piece, 7.0) == at(rest(), 7.0)).all()
    steady = 5.0 + FADE_S
    assert at(piece, steady - 1e-9)[1] == pytest.approx(at(piece, steady)[1], abs=1e-7)


def test_a_fade_may_turn_back_in_the_middle() -> None:
    piece = rest(gain=0.0)
    piece.fade(5.0, 1.0)
    before = at(piece, 5.4)
    piece.fade(5.4, 0.0)
    assert at(piece, 5.4)[:2] == pytest.approx(before[:2], abs=1e-12)
    assert (at(piece, 6.5)[0] == rest_q()).all()


def test_a_clip_ends_by_its_length_and_speed_and_a_loop_never() -> None:
    clip = wave()
    piece = ClipPiece(clip, COLUMNS, 2.0, 1.0, loop=False, leave_s=1.0)
    piece.begin(10.0)
    assert piece.end_s == pytest.approx(11.0)
    assert at(piece, 10.0)[1] == pytest.approx(2.0 * clip.dq[50], abs=1e-12)
    looped = clip.looped(np.full(18, 4.0))
    around = ClipPiece(looped, COLUMNS, 1.0, 0.0, loop=True, leave_s=1.0)
    around.begin(10.0)
    assert around.end_s == math.inf
    seam_s = 10.0 + looped.duration_s
    assert at(around, seam_s - 1e-10)[:2] == pytest.approx(at(around, seam_s + 1e-10)[:2], abs=1e-7)
    assert at(around, 10.3)[0] == pytest.approx(at(around, 10.3 + looped.duration_s)[0], abs=1e-9)


def test_the_joystick_begins_at_its_target_and_follows_the_next() -> None:
    piece = JoystickPiece(JOINTS, 0, Follower(14.0, 2.5, 30.0))
    piece.aim(yaw=0.5, pitch=-0.2)
    piece.begin(1.0)
    start = at(piece, 1.0)
    assert start[0] == pytest.approx([-0.2, 0.5])
    assert not start[1:].any()
    piece.aim(yaw=-0.5, pitch=0.1)
    assert (at(piece, 1.0) == start).all()
    for t in np.arange(1.0, 4.0, 0.01):
        last = at(piece, t)
    assert last[0] == pytest.approx([0.1, -0.5], abs=1e-3)


def test_twins_do_not_share_what_they_write() -> None:
    joystick = JoystickPiece(JOINTS, 0, Follower(14.0, 2.5, 30.0))
    pieces: list[Piece] = [
        rest(),
        ClipPiece(wave(), COLUMNS, 1.0, 0.0, loop=False, leave_s=1.0),
        TransitionPiece(np.ones((4, len(UPPER))), 0.0, 1.0, COLUMNS, joystick),
        joystick,
    ]
    for piece in pieces:
        piece.begin(0.0)
        twin = piece.twin()
        assert (at(piece, 0.5) == at(twin, 0.5)).all()
        assert not np.shares_memory(piece.block, twin.block)
        after = at(piece, 0.9)
        twin.evaluate(0.7)
        assert (piece.block == after).all()
