"""The posture in which a technician measures zeros."""

import math

from core.robot.profile import Profile
from core.service.commission.order import CommissionOrder
from devices.errors import DeviceError


def posture_of(order: CommissionOrder, profile: Profile) -> dict[str, float]:
    """Return the posture of an order: one of the profile's, some joints changed [rad].

    Raises:
        DeviceError: the profile has no such posture, or the robot no such joint.
    """
    posture = dict.fromkeys(profile.joint_names, 0.0)
    if order.posture != "straight":
        if order.posture not in profile.postures:
            known = ", ".join(("straight", *profile.postures))
            text = f"there is no posture {order.posture!r}; choose from {known}"
            raise DeviceError("profile.toml", text)
        posture = dict(zip(profile.joint_names, profile.posture(order.posture), strict=True))
    for joint, degrees in order.angles.items():
        if joint not in posture:
            raise DeviceError("profile.toml", f"there is no joint {joint!r}; spell it as there")
        posture[joint] = math.radians(degrees)
    return posture
