"""Positions of the feet relative to the torso, from the joints of the legs alone."""

import math

import numpy as np
import pinocchio as pin

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.records import Indices
from core.robot.couplings import followers
from core.robot.frames import BASE
from core.robot.profile import Profile
from devices.interface import Floats


@compiled
def write_feet(q: Floats, joints: Indices, ratios: Floats, chains: Floats, feet: Floats) -> None:
    """Write the soles' positions (2, 3) [m] by the chains of both legs.

    Args:
        q: joint positions (n) [rad].
        joints: index of the independent joint that turns each hinge of a leg, from the base
            outward (2, k).
        ratios: angle of each hinge by the angle of that joint (2, k).
        chains: of each hinge its offset in the frame of the hinge before, its axes (3) there at
            angle zero, and its unit axis; at the end the offset of the sole (2, k + 1, 5, 3).
        feet: output, in the frame in which the chains begin.
    """
    hinges = chains.shape[1] - 1
    r = np.empty((3, 3))
    step = np.empty((3, 3))
    rotated = np.empty((3, 3))
    for side in range(2):
        px = py = pz = 0.0
        for i in range(3):
            for k in range(3):
                r[i, k] = 1.0 if i == k else 0.0
        for hinge in range(hinges + 1):
            link = chains[side, hinge]
            x, y, z = link[0, 0], link[0, 1], link[0, 2]
            px += r[0, 0] * x + r[0, 1] * y + r[0, 2] * z
            py += r[1, 0] * x + r[1, 1] * y + r[1, 2] * z
            pz += r[2, 0] * x + r[2, 1] * y + r[2, 2] * z
            if hinge == hinges:
                break
            angle = ratios[side, hinge] * q[joints[side, hinge]]
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
            _multiply(r, link[1:4], rotated)
            _multiply(rotated, step, r)
        feet[side, 0], feet[side, 1], feet[side, 2] = px, py, pz


@compiled
def _multiply(a: Floats, b: Floats, product: Floats) -> None:
    """Write the product of two (3, 3) matrices."""
    for i in range(3):
        for k in range(3):
            product[i, k] = a[i, 0] * b[0, k] + a[i, 1] * b[1, k] + a[i, 2] * b[2, k]


class FeetKinematics:
    """Both soles relative to the IMU.

    Args:
        model: the robot's.
        profile: names the frames of the contacts.

    Attributes:
        positions: left and right sole in the torso's axes (2, 3) [m].
        joints, ratios, chains: of both legs, as `write_feet` takes them.
    """

    def __init__(self, model: RobotModel, profile: Profile) -> None:
        robot = model.pin_model
        chains, primaries, ratios = [], [], []
        followed = followers(robot)
        for contact in profile.contacts:
            frame = robot.frames[robot.getFrameId(contact.frame)]
            chain = [joint for joint in robot.supports[frame.parentJoint] if joint > BASE]
            placements = [robot.jointPlacements[joint] for joint in chain]
            points = [part.translation for part in (*placements, frame.placement)]
            points[0] = points[0] - model.imu_in_base
            table = np.zeros((len(points), 5, 3))
            table[:, 0] = points
            table[:-1, 1:4] = [placement.rotation for placement in placements]
            pairs = [followed.get(joint, (joint, 1.0)) for joint in chain]
            table[:-1, 4] = [
                _axis(robot.joints[joint], ratio)
                for joint, (_, ratio) in zip(chain, pairs, strict=True)
            ]
            chains.append(table)
            primaries.append([robot.joints[joint].idx_v - 6 for joint, _ in pairs])
            ratios.append([ratio for _, ratio in pairs])
        self.joints: Indices = np.array(primaries)
        self.ratios: Floats = np.array(ratios)
        self.chains: Floats = np.array(chains)
        self.positions: Floats = np.zeros((2, 3))

    def update(self, q: Floats) -> None:
        """Follow the joint positions (n) [rad]."""
        write_feet(q, self.joints, self.ratios, self.chains, self.positions)


def _axis(joint: pin.JointModel, ratio: float) -> Floats:
    """Return a revolute joint's axis in its own frame (3).

    Pinocchio multiplies that of a joint which follows another by the ratio of their angles.
    """
    axis: Floats = np.array(joint.createData().S).reshape(6)[3:]
    return axis / ratio
