"""The estimated state of the robot."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from devices.interface import Bools, Floats


@dataclass(slots=True)
class State:
    """Measured joints and estimated base. The estimator owns and overwrites it.

    Attributes:
        stamp_s: time of the sample on the body's clock [s].
        joints: array with the rows q, dq and tau (3, n).
        base: array with the rows rotation, position, velocity, angular velocity, rpy (7, 3).
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques (n) [N·m].
        rotation_base_to_world: axes of the torso frame in the world (3, 3).
        position_base_in_world: the torso frame's origin (3) [m].
        velocity_base_in_world: velocity of that origin (3) [m/s].
        angular_velocity_base_in_base: angular velocity of the torso (3) [rad/s].
        rpy: roll, pitch and yaw of the torso (3) [rad].
        contact: each foot carries weight (contacts).
    """

    stamp_s: float
    joints: Floats
    base: Floats
    q: Floats
    dq: Floats
    tau: Floats
    rotation_base_to_world: Floats
    position_base_in_world: Floats
    velocity_base_in_world: Floats
    angular_velocity_base_in_base: Floats
    rpy: Floats
    contact: Bools

    @classmethod
    def upright(cls, joint_count: int, contact_count: int = 2) -> Self:
        """Return the state of a robot that stands still at the origin."""
        joints, base = np.zeros((3, joint_count)), np.zeros((7, 3))
        base[:3] = np.eye(3)
        return cls(
            stamp_s=0.0,
            joints=joints,
            base=base,
            q=joints[0],
            dq=joints[1],
            tau=joints[2],
            rotation_base_to_world=base[:3],
            position_base_in_world=base[3],
            velocity_base_in_world=base[4],
            angular_velocity_base_in_base=base[5],
            rpy=base[6],
            contact=np.zeros(contact_count, dtype=np.bool_),
        )
