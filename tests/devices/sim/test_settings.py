"""Settings that give no simulation are refused in one sentence."""

import math
from typing import Any

import pytest

from devices.errors import DeviceError
from devices.sim.settings import Pack
from tests.devices.sim import rig


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("stall_torque", (8.0,) * 27, "27 values"),
        ("stall_torque", (math.nan,) * rig.N, "head_pitch"),
        ("no_load_speed", (0.0,) * rig.N, "head_pitch"),
        ("torque_constant", (-1.0,) * rig.N, "head_pitch"),
        ("friction_coulomb", (-0.1,) * rig.N, "head_pitch"),
        ("initial_q", (math.inf,) * rig.N, "head_pitch"),
        ("damping", (1.0,), "1 values"),
        ("slope_deg", math.nan, "nan"),
        ("slope_deg", 45.0, "45"),
        ("friction", 0.0, "0.0"),
        ("payload_kg", -1.0, "-1"),
        ("bump_height_m", 1.0, "1.0"),
        ("tick_s", 0.1, "0.1"),
        ("battery", Pack(capacity_ah=10.0, resistance_ohm=0.05, charge=1.5), "charge is 1.5"),
        ("battery", Pack(capacity_ah=0.0, resistance_ohm=0.05), "capacity_ah is 0.0"),
        ("servos", (True,), "1 values"),
        ("support", "trapeze", "trapeze"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: Any, named: str) -> None:
    with pytest.raises(DeviceError) as refusal:
        rig.settings(**{name: value})
    assert name in str(refusal.value)
    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_payload_needs_a_grip() -> None:
    with pytest.raises(DeviceError, match="payload_kg needs a grip"):
        rig.settings(payload_kg=1.0, grip=None)


@pytest.mark.parametrize(
    ("tick_s", "substeps"), [(0.001, 1), (0.0005, 1), (0.005, 5), (0.01, 10), (0.0024, 3)]
)
def test_the_physics_takes_steps_of_a_millisecond_at_most(tick_s: float, substeps: int) -> None:
    settings = rig.settings(tick_s=tick_s)
    assert settings.substeps == substeps
    assert settings.timestep_s * substeps == pytest.approx(tick_s)


def test_a_support_may_be_given_by_name() -> None:
    assert rig.settings(support="seated").support == "seated"
