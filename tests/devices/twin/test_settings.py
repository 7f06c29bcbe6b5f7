"""What a twin cannot be made of."""

from typing import Any

import pytest

from devices.errors import DeviceError
from devices.families.boards.twin.seats import ContactSeat
from devices.families.interface import Seat
from devices.twin.settings import ActuatorSeats, LineSettings, TwinSettings
from tests.devices.sim import rig as sim
from tests.devices.twin import rig


def refused(why: str, **changes: Any) -> None:
    with pytest.raises(DeviceError, match=why):
        rig.settings(**changes)


def seat(joint: str, line: str) -> Seat:
    return Seat(joint=joint, line=line, id=9)


def bears(*seats: Seat) -> tuple[ActuatorSeats, ...]:
    return (ActuatorSeats(family="bear", seats=seats),)


def test_lines_joints_and_places_must_fit_together() -> None:
    refused("a line is named twice", lines=(*rig.LINES, rig.LINES[0]))
    refused("'imu' has no bear devices", actuators=bears(seat("left_knee", "imu")))
    refused("'tail' has no bear devices", actuators=bears(seat("left_knee", "tail")))
    refused("a family is named twice", actuators=bears(*rig.SEATS) * 2)
    foot = ContactSeat(line="head", source=0x60, contacts=(0, 1))
    refused("'head' has no boards devices", contacts=(foot,))
    twice = bears(*rig.SEATS, seat("left_wrist", "head"))
    refused("joints are unknown or driven twice", actuators=twice)
    refused(r"\['tail'\]", actuators=bears(seat("tail", "head")))
    lines = tuple(line for line in rig.LINES if line.name != "boards")
    refused("'boards' has no boards devices", lines=lines)


def test_a_twin_may_have_little() -> None:
    lines = (LineSettings(name="head", family="bear"),)
    settings = TwinSettings(sim=sim.settings(), lines=lines)
    assert settings.supervisor is None
