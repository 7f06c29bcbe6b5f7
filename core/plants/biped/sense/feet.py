"""Where the feet are, told by the leg joints alone."""

import math

import numpy as np
import pinocchio as pin

from core.compiled import compiled
from core.plants.biped.model import SIDES, RobotModel
from devices.interface import Floats


@compiled
def write_feet(q: Floats, first: int, chains: Floats, feet: Floats) -> None:
    """Write the soles' positions (2, 3) [m] by the chains of both legs.

    Args:
        q: joint positions (n) [rad].
        first: the left leg's first joint; the right leg's follow those of the left.
        chains: of each joint its offset from the one before, its axes (3) in those of the one
            before, at zero, and its axis, of length 1; last the sole's offset (2, k + 1, 5, 3).
        feet: where the positions go, from and along what the chains begin with.
    """
    joints = chains.shape[1] - 1
    r = np.empty((3, 3))
    step = np.empty((3, 3))
    turned = np.empty((3, 3))
    for side in range(2):
        px = py = pz = 0.0
        for i in range(3):
            for k in range(3):
                r[i, k] = 1.0 if i == k else 0.0
        for joint in range(joints + 1):
            link = chains[side, joint]
            x, y, z = link[0, 0], link[0, 1], link[0, 2]
            px += r[0, 0] * x + r[0, 1] * y + r[0, 2] * z
            py += r[1, 0] * x + r[1, 1] * y + r[1, 2] * z
            pz += r[2, 0] * x + r[2, 1] * y + r[2, 2] * z
            if joint == joints:
                break
            angle = q[first + side * joints + joint]
            c, s = math.cos(angle), math.sin(angle)
            ax, ay, az = link[4, 0], link[4, 1], link[4, 2]
            step[0, 0], step[1, 1], step[2, 2] = (
                c + (1.0 - c) * ax * ax,
                c + (1.0 - c) * ay * ay,
                c + (1.0 - c) * az * az,
            )
            step[0, 1], step[1, 0] = (1.0 - c) * ax * ay - s * az, (1.0 - c) * ax * ay + s * az
            step[0, 2], step[2, 0] = (1.0 - c) * ax * az + s * ay, (1.0 - c) * ax * az - s * ay
            step[1, 2], step[2, 1] = (1.0 - c) * ay * az - s * ax, (1.0 - c) * ay * az + s * ax
            _multiply(r, link[1:4], turned)
            _multiply(turned, step, r)
        feet[side, 0], feet[side, 1], feet[side, 2] = px, py, pz


@compiled
def _multiply(a: Floats, b: Floats, product: Floats) -> None:
    """Write the product of two (3, 3) matrices."""
    for i in range(3):
        for k in range(3):
            product[i, k] = a[i, 0] * b[0, k] + a[i, 1] * b[1, k] + a[i, 2] * b[2, k]


class FeetKinematics:
    """Both soles relative to a point of the torso.

    Args:
        model: whose legs they are.
        origin_in_base: the point that they are relative to (3) [m].

    Attributes:
        positions: left and right sole in the torso's axes (2, 3) [m].
        chains: of both legs, as `write_feet` takes them (2, k + 1, 5, 3).
    """

    def __init__(self, model: RobotModel, origin_in_base: Floats) -> None:
        robot = model.pin_model
        chains = []
        for side in SIDES:
            frame = robot.frames[robot.getFrameId(f"{side}_sole")]
            chain: list[int] = []
            joint = frame.parentJoint
            while joint > 1:  # the torso is joint 1
                chain.insert(0, joint)
                joint = robot.parents[joint]
            places = [robot.jointPlacements[joint] for joint in chain]
            points = [place.translation for place in places] + [frame.placement.translation]
            points[0] = points[0] - origin_in_base
            table = np.zeros((len(points), 5, 3))
            table[:, 0] = points
            table[:-1, 1:4] = [place.rotation for place in places]
            table[:-1, 4] = [_axis(robot.joints[joint]) for joint in chain]
            chains.append(table)
        self._first = model.first_leg_joint
        self.chains: Floats = np.array(chains)
        self.positions: Floats = np.zeros((2, 3))

    def update(self, q: Floats) -> None:
        """Follow the joint positions (n) [rad]."""
        write_feet(q, self._first, self.chains, self.positions)


def _axis(joint: pin.JointModel) -> Floats:
    """Return a hinge's axis in its own frame (3)."""
    data = joint.createData()
    joint.calc(data, np.zeros(1))
    return np.array(data.S).reshape(6)[3:]
