"""Performances of a clip differ a little, are the same for a seed, and never exceed the clip."""

import numpy as np
import pytest

from core.behave.manager import MotionManager
from core.behave.settings import MotionSettings
from core.behave.variety import Variety, Vary
from devices.interface import Floats
from tests.core.behave.upper import manager, rest_q, wave


def played(limbs: MotionManager, vary: Vary, times: Floats) -> Floats:
    limbs.play(0.0, wave("left_arm"), blend_in_s=0.3, vary=vary)
    return np.array([limbs.update(t).q.copy() for t in times])


def test_each_performance_differs_and_none_is_larger_or_stronger_than_the_clip() -> None:
    variety, again = Variety(3, MotionSettings()), Variety(3, MotionSettings())
    drawn = [variety.draw("wave", "size and tempo") for _ in range(200)]
    assert drawn == [again.draw("wave", "size and tempo") for _ in range(200)]
    sizes, tempos = np.array(drawn).T
    assert len(set(drawn)) == 200
    assert (sizes <= 1.0).all() and (sizes * tempos**2 <= 1.0 + 1e-12).all()
    assert sizes.min() > 0.93 and sizes.std() > 0.005
    assert np.abs(tempos - 1.0).max() <= 0.03 and tempos.std() > 0.01
    assert {tempo for _, tempo in (variety.draw("bow", "size") for _ in range(20))} == {1.0}


@pytest.mark.parametrize("vary", ["size", "size and tempo"])
def test_a_varied_performance_scales_the_motion_about_rest(vary: Vary) -> None:
    times = np.arange(0.0, 3.0, 0.01)
    exact = played(manager(idle=False), "", times) - rest_q()
    varied = played(manager(idle=False), vary, times) - rest_q()
    assert np.abs(varied).max() < np.abs(exact).max()
    size, _ = Variety(1, MotionSettings()).draw("wave", vary)
    if vary == "size":
        late = times > 0.35
        np.testing.assert_allclose(varied[late], size * exact[late], atol=1e-9)
