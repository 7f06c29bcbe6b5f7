"""What limbs that move together share."""

import numpy as np
import pytest

from core.behave.clock import MotionClock
from core.behave.part import Part
from core.behave.pieces import ClipPiece
from core.behave.reference import MotionState
from devices.interface import Floats
from tests.core.behave.upper import upper_joints, wave

JOINTS = upper_joints()


def clip_part(limbs: tuple[int, ...], raw: Floats) -> Part:
    piece = ClipPiece(wave(), dict(enumerate(JOINTS.columns)), 1.0, 0.0, loop=False, leave_s=1.0)
    piece.begin(0.0)
    return Part(limbs, piece, MotionClock(), raw, JOINTS)


@pytest.mark.parametrize("limbs", [(0,), (1, 2), (0, 4), (0, 1, 2, 3, 4), (1, 3)])
def test_it_writes_its_own_limbs_and_no_others(limbs: tuple[int, ...]) -> None:
    raw = np.full((3, 18), np.nan)
    part = clip_part(limbs, raw)
    part.piece.evaluate(0.7)
    part.write()
    for limb, columns in enumerate(JOINTS.columns):
        if limb in limbs:
            assert (raw[:, columns] == part.piece.block[:, columns]).all()
        else:
            assert np.isnan(raw[:, columns]).all()


def test_what_it_lets_go_of_it_writes_no_more() -> None:
    raw = np.zeros((3, 18))
    part = clip_part((0, 1, 2), raw)
    part.keep((1,))
    part.piece.evaluate(0.7)
    part.write()
    assert not raw[:, :2].any()
    assert raw[:, 2:5].any()
    assert not raw[:, 5:].any()


def test_a_slower_clock_scales_velocity_and_acceleration_by_the_chain_rule() -> None:
    raw, h = np.zeros((3, 18)), 1e-5
    part = clip_part((0, 1, 2, 3, 4), raw)
    part.clock.freeze(1.0, 0.15)
    assert part.state is MotionState.STOP
    rows = []
    for now_s in (1.06, 1.06 + h, 1.06 + 2 * h):
        part.clock.advance(now_s)
        part.piece.evaluate(part.clock.motion_s)
        part.write()
        rows.append(raw.copy())
    assert rows[1][1] == pytest.approx((rows[2][0] - rows[0][0]) / (2 * h), abs=1e-5)
    assert rows[1][2] == pytest.approx((rows[2][1] - rows[0][1]) / (2 * h), abs=1e-3)
