"""The twin beside the simulator: what is compared, and one short walk on both."""

import math

import numpy as np
import pytest

from core.errors import CoreError
from core.lab.experiments.twin import EXPERIMENTS, body_figures, velocity_error, walking
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.record.schema import tick_dtype
from core.safety.modes import Mode

ALIKE = ("tracking", "hip_rms", "hip_peak", "estimate")


def standing(count: int = 400) -> Rows:
    lab = Laboratory()
    rows = np.zeros(count, dtype=tick_dtype(len(lab.profile.joint_names), 5, True))
    rows["t"] = 0.005 * np.arange(count)
    rows["mode"] = Mode.WALK
    return rows


def test_an_error_is_of_what_is_true_and_not_of_a_leg() -> None:
    lab, rows = Laboratory(), standing()
    names = lab.profile.joint_names
    rows["q_command"][:, names.index("left_knee")] = 0.5
    rows["q"][7, names.index("right_ring")] = -0.2
    rows["q_true"][9, names.index("right_thumb")] = 0.1
    rows["tau_applied"][:, names.index("right_hip_2")] = -3.0
    rows["tau_applied"][:, names.index("right_knee")] = 30.0
    rows["rpy_true"][3, 1] = -0.1
    found = body_figures(lab, rows)
    assert found["tracking"] == pytest.approx(math.degrees(0.1))
    assert found["read"] == pytest.approx(math.degrees(0.2))
    assert found["hip_rms"] == found["hip_peak"] == pytest.approx(3.0)
    assert found["tilt"] == pytest.approx(math.degrees(0.1), rel=1e-4)


def test_velocity_is_held_against_a_command_that_lasts_for_a_cycle() -> None:
    rows = standing(2000)  # 10 s, a left touchdown every 0.8 s
    phase = rows["t"] % 0.8
    rows["contact_force_true"][:, 0, 0, 2] = np.where(phase > 0.2, 100.0, 0.0)
    rows["com_true"][:, 0] = 0.2 * rows["t"]
    assert math.isnan(velocity_error(rows))  # nothing was asked for
    rows["velocity_command"][:, 0] = np.where(rows["t"] > 4.0, 0.16, 0.0)
    assert velocity_error(rows) == pytest.approx(0.04, rel=1e-3)
    rows["velocity_command"][:, 0] = 0.1 * np.sin(rows["t"])
    assert math.isnan(velocity_error(rows))


def test_a_twin_has_no_doors_for_what_is_done_to_a_simulator() -> None:
    with pytest.raises(CoreError, match="needs the simulator itself"):
        Laboratory(on_twin=True).body(0)


@pytest.mark.long
@pytest.mark.timeout(1500)  # a twin and a core take their turns
def test_a_short_walk_is_alike_on_both() -> None:
    simulated = walking(Laboratory(), 0, part_s=1.2).figures
    on_twin = walking(Laboratory(on_twin=True), 0, part_s=1.2).figures
    for figures in (simulated, on_twin):
        assert (figures["falls"], figures["ended"]) == (0.0, 1.0)
        assert {bar.figure for bar in EXPERIMENTS[1].bars} <= set(figures)
        assert all(map(math.isfinite, figures.values())), figures
    for figure in ALIKE:
        assert on_twin[figure] == pytest.approx(simulated[figure], rel=0.2), (simulated, on_twin)
    assert on_twin != simulated
