"""What a twin cannot be made of."""

from typing import Any

import pytest

from devices.errors import DeviceError
from devices.families.boards.twin.seats import ContactSeat
from devices.twin.settings import Family, LineSettings, TwinSettings
from devices.families.interface import Seat
from tests.devices.sim import rig as sim
from tests.devices.twin import rig


def refused(why: str, **changes: Any) -> None:
    with pytest.raises(DeviceError, match=why):
        rig.settings(**changes)


def test_lines_joints_and_places_must_fit_together() -> None:
    refused("a line is named twice", lines=(*rig.LINES, rig.LINES[0]))
    refused("'imu', which is no bears line", seats=(Seat(joint="left_knee", line="imu", id=1),))
    refused("'tail', which is no bears line", seats=(Seat(joint="left_knee", line="tail", id=1),))
    foot = ContactSeat(line="head", source=0x60, contacts=(0, 1))
    refused("'head', which is no boards line", contacts=(foot,))
    twice = Seat(joint="left_wrist", line="head", id=9)
    refused("joints are unknown or driven twice", seats=(*rig.SEATS, twice))
    refused(r"\['tail'\]", seats=(Seat(joint="tail", line="head", id=9),))
    lines = tuple(line for line in rig.LINES if line.name != "boards")
    refused("'boards', which is no boards line", lines=lines)


def test_a_twin_may_have_little() -> None:
    lines = (LineSettings(name="head", family=Family.BEARS),)
    settings = TwinSettings(sim=sim.settings(), lines=lines)
    assert settings.supervisor is None
