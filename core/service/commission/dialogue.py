"""The dialogue of commissioning with the technician."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from core.service.commission.order import CommissionOrder
from devices.interface import Floats

NEAR_DEG = 1.0  # a joint at its stop may read as this far beyond its limit
LEAST_LEVER_M = 0.05  # a smaller motion of the far end is hard to see
Say = Callable[[str], None]


class Seen(Protocol):
    """Result of a scan at one id; as text it is a line of a table."""

    @property
    def well(self) -> bool:
        """Whether it belongs to a joint and answers."""


class Fitting(Protocol):
    """The actuators of a unit, and its calibration in progress; every method may wait.

    Every method raises DeviceError if a device is missing or a value does not fit.
    """

    def lines(self, names: Sequence[str] = ()) -> Sequence[str]:
        """Return the lines of these names."""

    def joints(self, names: Sequence[str] = ()) -> Sequence[str]:
        """Return the joints of these names, and on these lines."""

    def scan(self, line: str) -> Sequence[Seen]:
        """List the actuators on a line."""

    def give_id(self, joint: str, old: int | None, new: int | None) -> tuple[int, int]:
        """Give a joint's actuator its id; return its old and its new one."""

    def position_rad(self, joint: str) -> float:
        """Return the position of an actuator that stands still [rad]."""

    def settle(self) -> None:
        """Wait until a hand holds a moved joint still."""

    def take_sign(self, joint: str, before_rad: float) -> int:
        """Measure the sign of a joint that was turned in its positive direction."""

    def take_zeros(
        self, joints: Sequence[str], posture: Mapping[str, float]
    ) -> Mapping[str, float]:
        """Measure zeros in a known posture; return the change of each joint [rad]."""

    def angle_rad(self, joint: str) -> float:
        """Return a joint's position, by the calibration [rad]."""


def scan(fitting: Fitting, names: Sequence[str], say: Say) -> bool:
    """Print the actuators on lines; return whether all match the calibration."""
    seen = []
    for line in fitting.lines(names):
        for one in fitting.scan(line):
            say(str(one))
            seen.append(one)
    wrong = sum(not one.well for one in seen)
    say(f"{wrong} wrong" if wrong else f"all {len(seen)} answer, and no others")
    return not wrong


def give_id(fitting: Fitting, order: CommissionOrder, say: Say) -> bool:
    """Give the actuator of one joint its id; return True."""
    (joint,) = fitting.joints(order.names)
    old, new = fitting.give_id(joint, order.old_id, order.new_id)
    say(f"{joint}: id {new}" + (" already" if old == new else f", which was {old}"))
    return True


def take_signs(
    fitting: Fitting,
    names: Sequence[str],
    ways: Mapping[str, str],
    say: Say,
    ask: Callable[[str], bool],
    keep: Callable[[], None],
) -> bool:
    """Measure the signs of joints one by one; each is saved before the next begins.

    Args:
        fitting: fitting of the unit.
        names: names of joints and lines.
        ways: description of each joint's positive direction.
        say: prints a line for the technician.
        ask: prints a request and waits for Enter; False if there is no terminal.
        keep: saves the calibration.

    Returns:
        Whether all signs were measured.
    """
    for joint in fitting.joints(names):
        if not ask(f"{joint}: hold it still, not at a stop; then Enter"):
            return False
        fitting.settle()
        before_rad = fitting.position_rad(joint)
        way = ways[joint]
        if not ask(f"{joint}: turn it by about 20°, so that {way}; hold it there; then Enter"):
            return False
        fitting.settle()
        sign = fitting.take_sign(joint, before_rad)
        keep()
        say(f"{joint}: sign {sign:+d}")
    return True


def take_zeros(
    fitting: Fitting, names: Sequence[str], posture: Mapping[str, float], say: Say
) -> bool:
    """Measure the zeros of joints in a posture; return True."""
    joints = fitting.joints(names)
    moved = fitting.take_zeros(joints, posture)
    for joint in joints:
        change = math.degrees(moved[joint])
        text = "its first zero" if math.isnan(change) else f"{change:+.2f}° from the zero before"
        say(f"{joint:<22} stands at {math.degrees(posture[joint]):+7.1f}°, {text}")
    return True


def look(
    fitting: Fitting,
    names: Sequence[str],
    limits: Mapping[str, tuple[float, float]],
    say: Say,
) -> bool:
    """Print joint positions; return whether each is calibrated and within its limits [rad]."""
    well = True
    for joint in fitting.joints(names):
        angle = math.degrees(fitting.angle_rad(joint))
        low, high = (math.degrees(limit) for limit in limits[joint])
        inside = low - NEAR_DEG <= angle <= high + NEAR_DEG
        if math.isnan(angle):
            text = "has no sign or no zero yet"
        else:
            text = f"at {angle:+7.1f}°, may be from {low:g}° to {high:g}°"
            text += "" if inside else ": OUTSIDE; take its zero anew"
        well = well and inside
        say(f"{joint:<22} {text}")
    return well


def ways_of(axes: Mapping[str, tuple[Floats, Floats]]) -> dict[str, str]:
    """Describe the motion of each joint's far end in the positive direction.

    Args:
        axes: axis of each joint, and the vector from it to the middle of the moved links (3), (3)
            [m]; x forward, y to the robot's left, z up.
    """
    sides = (("forward", "backward"), ("to its left", "to its right"), ("up", "down"))
    found = {}
    for joint, (axis, lever) in axes.items():
        x, y, z = axis
        motion = (
            y * lever[2] - z * lever[1],
            z * lever[0] - x * lever[2],
            x * lever[1] - y * lever[0],
        )
        most = max(range(3), key=lambda i: abs(motion[i]))
        if abs(motion[most]) > LEAST_LEVER_M:
            found[joint] = f"its far end goes {sides[most][int(motion[most] < 0.0)]}"
            continue
        along = max(range(3), key=lambda i: abs(axis[i]))
        thumb = sides[along][int(axis[along] < 0.0)]
        found[joint] = f"it turns like the fingers of a right hand whose thumb points {thumb}"
    return found
