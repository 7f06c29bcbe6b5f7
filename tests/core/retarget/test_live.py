"""Live retargeting beside the one of whole takes."""

import numpy as np
import pytest

from core.lab.measure.person import person_of
from core.retarget.live import LiveRetarget
from core.retarget.retarget import retarget
from core.retarget.settings import RetargetSettings
from shows.errors import ShowError
from shows.folders import gesture_folders
from shows.gestures import load_gestures
from shows.human import INDEX
from tests.core.retarget.puppet import limbs_of

SETTINGS = RetargetSettings()


@pytest.mark.parametrize("robot", ["kid_cosmo", "draco3"])
def test_a_live_motion_is_that_of_the_whole_take(robot: str) -> None:
    limbs = limbs_of(robot)
    motions = load_gestures(limbs.joints, gesture_folders(robot)).motions
    take = person_of(motions["wave"], limbs)
    whole = retarget(take, limbs, SETTINGS).motion
    live = LiveRetarget(limbs, take.bone_lengths(), SETTINGS)
    off, worst = [], 0.0
    for k, positions in enumerate(take.positions):
        head = take.orientations[k, INDEX["head"]]
        found = live.follow(positions, head, 1.0 / take.rate_hz)
        worst = max(worst, *live.errors_deg(found).values())
        q = [found[name] for name in whole.joint_names]
        off.append(np.abs(np.array(q) - whole.positions[k]).max())
    assert np.median(off) < 0.05
    assert worst < 15.0


def test_a_person_without_arms_is_refused() -> None:
    with pytest.raises(ShowError, match="has no length"):
        LiveRetarget(limbs_of("kid_cosmo"), np.zeros(22), SETTINGS)
