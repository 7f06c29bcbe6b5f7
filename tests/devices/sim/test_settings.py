"""What no simulation can be made of is refused with one clear line."""

import math
from typing import Any

import pytest

from devices.errors import DeviceError
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
        ("timestep_s", 0.01, "0.01"),
        ("battery_charge", 1.5, "1.5"),
        ("support", "trapeze", "trapeze"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: Any, named: str) -> None:
    with pytest.raises(DeviceError) as refusal:
        rig.settings(**{name: value})
    assert name in str(refusal.value)
    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_support_may_be_given_by_name() -> None:
    assert rig.settings(support="seated").support == "seated"
