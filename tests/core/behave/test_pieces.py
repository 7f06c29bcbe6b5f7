"""Each owner of a limb alone."""

import math

import numpy as np
import pytest

from core.behave.follower import limits_of
from core.behave.idle import IdleMotion
from core.behave.path import Segment
from core.behave.pieces import ClipPiece, JoystickPiece, Piece, RestPiece, TransitionPiece
from devices.interface import Floats
from tests.core.behave.upper import IDLE, UPPER, rest_q, upper_joints, wave

JOINTS = upper_joints()
GAZE = JOINTS.gaze
COLUMNS = dict(enumerate(JOINTS.columns))


def rest() -> RestPiece:
    assert IDLE is not None
    assert GAZE is not None
    idle = IdleMotion(IDLE, JOINTS.index, (GAZE.yaw, GAZE.pitch), 3)
    return RestPiece(rest_q(), idle, COLUMNS)


def joystick() -> JoystickPiece:
    assert GAZE is not None
    return JoystickPiece(JOINTS, GAZE.limb, rest_q(), limits_of(2, 14.0, 2.5, 30.0))


def aim(piece: JoystickPiece, yaw: float, pitch: float) -> None:
    assert GAZE is not None
    piece.aim(GAZE.yaw, yaw)
    piece.aim(GAZE.pitch, pitch)


def at(piece: Piece, t: float) -> Floats:
    piece.evaluate(t)
    return piece.block.copy()


def test_rest_without_idle_motion_is_the_posture() -> None:
    block = at(RestPiece(rest_q(), None, COLUMNS), 12.0)
    assert (block[0] == rest_q()).all()
    assert not block[1:].any()
    assert np.abs(at(rest(), 12.0)[0] - rest_q()).max() > 0.01


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
    piece = joystick()
    aim(piece, yaw=0.5, pitch=-0.2)
    piece.begin(1.0)
    start = at(piece, 1.0)
    assert start[0] == pytest.approx([-0.2, 0.5])
    assert not start[1:].any()
    aim(piece, yaw=-0.5, pitch=0.1)
    assert (at(piece, 1.0) == start).all()
    for t in np.arange(1.0, 4.0, 0.01):
        last = at(piece, t)
    assert last[0] == pytest.approx([0.1, -0.5], abs=1e-3)


def test_twins_do_not_share_what_they_write() -> None:
    stick = joystick()
    pieces: list[Piece] = [
        rest(),
        ClipPiece(wave(), COLUMNS, 1.0, 0.0, loop=False, leave_s=1.0),
        TransitionPiece((Segment(np.ones((4, len(UPPER))), 1.0),), 0.0, 1.0, COLUMNS, stick),
        stick,
    ]
    for piece in pieces:
        piece.begin(0.0)
        twin = piece.twin()
        assert (at(piece, 0.5) == at(twin, 0.5)).all()
        assert not np.shares_memory(piece.block, twin.block)
        after = at(piece, 0.9)
        twin.evaluate(0.7)
        assert (piece.block == after).all()
