"""Inverse kinematics of one limb: angles at which a point of it is nearest to a target.

Damped least squares (Levenberg and Marquardt) inside the joint limits: each step is the smallest
that brings the point nearer, so that the angles stay near the present ones.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from app.picture.robot_tree import Floats, RobotTree, turned

NEAR_M = 2e-4  # a nearer point has reached its target
STUCK_M = 2e-3  # farther from its target, a point may be held by a straight limb or by limits
GAIN_M = 3e-3  # by which another way must be better
ROUNDS, AGAIN_ROUNDS = 16, 12
STEP_RAD = 0.35  # largest change of an angle in a round
LEAST_RAD = 1e-5
DAMPING = 1e-4  # of the squared lever arms [m²]
BESIDE_RAD = 0.8  # from the present angles: no jump
SAMPLES, TRIED, SEED = 2048, 4, 1
FAR_M = 0.15  # a sample's point that is farther from the target is no beginning
M_PER_RAD = 0.02  # samples beside the present angles come first


@dataclass(frozen=True, eq=False)
class _Segment:
    """What lies between two joints of a chain, and the second joint.

    Attributes:
        rotation: of the joint's frame in the one before it, at joint position zero (3, 3).
        offset: of the joint's frame in the one before it (3) [m].
        axis: of the joint in its own frame (3).
        cross: matrix of the cross product with the axis (3, 3).
        square: its square (3, 3).
        slides: the joint moves along the axis.
        column: index of the independent joint that moves it.
        ratio: its position by that of the independent joint.
    """

    rotation: Floats
    offset: Floats
    axis: Floats
    cross: Floats
    square: Floats
    slides: bool
    column: int
    ratio: float


class Chain:
    """The joints that move a point of a robot.

    Attributes:
        joints: names of the independent joints, from the base on (m).
        lower: smallest angles (m) [rad].
        upper: largest angles (m) [rad].
    """

    def __init__(
        self,
        tree: RobotTree,
        body: int,
        point: Floats,
        limits: Mapping[str, tuple[float, float]],
        fixed: Mapping[str, float],
    ) -> None:
        """Collect the joints between the base and a body.

        Args:
            tree: the robot.
            body: index of the body that carries the point.
            point: in the body's frame (3) [m].
            limits: smallest and largest angle of each joint that may move [rad].
            fixed: angles of the other joints, by name; those that are missing are at zero [rad].
        """
        path = []
        while tree.bodies[body].parent >= 0:
            path.append(tree.bodies[body])
            body = tree.bodies[body].parent
        rotation, offset = np.eye(3), np.zeros(3)
        joints: list[str] = []
        segments = []
        for found in reversed(path):
            offset = offset + rotation @ found.frame[:3, 3]
            rotation = rotation @ found.frame[:3, :3]
            if found.joint in limits:
                x, y, z = found.axis
                cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
                if found.joint not in joints:
                    joints.append(found.joint)
                column = joints.index(found.joint)
                square = cross @ cross
                segments.append(
                    _Segment(
                        rotation,
                        offset,
                        found.axis,
                        cross,
                        square,
                        found.slides,
                        column,
                        found.ratio,
                    )
                )
                rotation, offset = np.eye(3), np.zeros(3)
            elif found.slides:
                way = fixed.get(found.joint, 0.0) * found.ratio
                offset = offset + rotation @ (way * found.axis)
            elif found.joint in fixed:
                rotation = rotation @ turned(found.axis, fixed[found.joint] * found.ratio)
        self._segments = segments
        ratios = {segment.ratio for segment in segments}
        self._follows = len(segments) > len(joints) or not ratios <= {1.0}
        self._tip = offset + rotation @ point
        self.joints = tuple(joints)
        self.lower = np.array([limits[joint][0] for joint in joints])
        self.upper = np.array([limits[joint][1] for joint in joints])
        shares = np.random.default_rng(SEED).random((SAMPLES, len(joints)))
        self._samples = self.lower + shares * (self.upper - self.lower)
        self._points = self._places(self._samples)
        self._centre = segments[0].offset if segments else np.zeros(3)
        self._radius = float(np.linalg.norm(self._points - self._centre, axis=1).max(initial=0.0))

    def samples_near(self, target: Floats, present: Floats) -> Floats:
        """Return some angles of the limb's range (k, m) [rad] whose points are near a target.

        Args:
            target: in the base's frame (3) [m].
            present: angles that are preferred (m) [rad].
        """
        gaps = np.linalg.norm(self._points - target, axis=1)
        cost = gaps + M_PER_RAD * np.linalg.norm(self._samples - present, axis=1)
        order = np.argsort(cost)[:TRIED]
        chosen: Floats = self._samples[order[gaps[order] < FAR_M]]
        return chosen

    def near(self, target: Floats) -> Floats:
        """Return a target (3) [m], or where the way to it leaves the sphere around the limb."""
        way = target - self._centre
        far_m = float(np.linalg.norm(way))
        return target if far_m <= self._radius else self._centre + way * (self._radius / far_m)

    def _places(self, q: Floats) -> Floats:
        """Return the point at many angles (k, m) in the base's frame (k, 3) [m]."""
        point = np.broadcast_to(self._tip, (len(q), 3))
        for segment in reversed(self._segments):
            angles = q[:, segment.column] * segment.ratio
            if segment.slides:
                point = point + angles[:, None] * segment.axis
            else:
                along, bent = point @ segment.cross.T, point @ segment.square.T
                sine, cosine = np.sin(angles)[:, None], np.cos(angles)[:, None]
                point = point + sine * along + (1.0 - cosine) * bent
            point = segment.offset + point @ segment.rotation.T
        return point

    def place(self, q: Floats) -> tuple[Floats, Floats]:
        """Return the point in the base's frame (3) [m], and its Jacobian (3, m)."""
        rotation, offset = np.eye(3), np.zeros(3)
        axes = np.empty((len(self._segments), 3))
        origins = np.empty((len(self._segments), 3))
        angles = q.tolist()
        for i, segment in enumerate(self._segments):
            angle = angles[segment.column] * segment.ratio
            offset = offset + rotation @ segment.offset
            rotation = rotation @ segment.rotation
            axes[i] = rotation @ segment.axis
            origins[i] = offset
            if segment.slides:
                offset = offset + angle * axes[i]
            else:
                turn = math.sin(angle) * segment.cross + (1.0 - math.cos(angle)) * segment.square
                rotation = rotation + rotation @ turn
        point = offset + rotation @ self._tip
        arms = point - origins
        jacobian = np.empty((3, len(axes)))
        jacobian[0] = axes[:, 1] * arms[:, 2] - axes[:, 2] * arms[:, 1]
        jacobian[1] = axes[:, 2] * arms[:, 0] - axes[:, 0] * arms[:, 2]
        jacobian[2] = axes[:, 0] * arms[:, 1] - axes[:, 1] * arms[:, 0]
        for i, segment in enumerate(self._segments):
            if segment.slides:
                jacobian[:, i] = axes[i]
        return point, self._folded(jacobian)

    def _folded(self, jacobian: Floats) -> Floats:
        """Return the Jacobian by the independent joints (3, m) from that by segments (3, k)."""
        if not self._follows:
            return jacobian
        folded = np.zeros((3, len(self.joints)))
        for segment, column in zip(self._segments, jacobian.T, strict=True):
            folded[:, segment.column] += segment.ratio * column
        return folded


def reach(chain: Chain, present: Floats, target: Floats) -> Floats:
    """Return angles (m) within limits [rad] at which the chain's point is nearest to a target.

    Where the steps end before the target, the search begins again from samples of the limb's range
    whose points are near the target. Angles far from the present ones are taken only if they reach
    it, so that a target that nothing reaches never makes the limb jump.

    Args:
        chain: the joints and the point.
        present: angles from which the search begins (m) [rad].
        target: in the base's frame (3) [m].
    """
    present = np.clip(present, chain.lower, chain.upper)
    if not len(present):
        return present
    target = chain.near(target)  # from afar, many angles are almost as near
    best, error_m = _descend(chain, present, target, ROUNDS)
    if error_m <= STUCK_M:
        return best
    for start in chain.samples_near(target, best):
        other, other_m = _descend(chain, start, target, AGAIN_ROUNDS)
        if other_m >= error_m - GAIN_M:
            continue
        if other_m <= STUCK_M or float(np.abs(other - best).max()) <= BESIDE_RAD:
            best, error_m = other, other_m
            if error_m <= STUCK_M:
                break
    return best


def reached(chain: Chain, q: Floats, target: Floats) -> float:
    """Return the distance of a chain's point from a target [m]."""
    return float(np.linalg.norm(target - chain.place(q)[0]))


def _descend(chain: Chain, q: Floats, target: Floats, rounds: int) -> tuple[Floats, float]:
    """Return the angles where the distance grows in every direction, and the distance [m]."""
    point, jacobian = chain.place(q)
    gap = target - point
    error_m = math.sqrt(gap @ gap)
    damping = DAMPING
    for _ in range(rounds):
        if error_m < NEAR_M:
            break
        step = _step(chain, q, gap, jacobian, damping)
        largest = float(np.abs(step).max())
        if largest < LEAST_RAD:
            break
        tried = np.clip(q + step, chain.lower, chain.upper)
        point, turned_jacobian = chain.place(tried)
        tried_gap = target - point
        tried_m = math.sqrt(tried_gap @ tried_gap)
        if tried_m < error_m:
            slow = error_m - tried_m < 1e-6
            q, gap, jacobian, error_m = tried, tried_gap, turned_jacobian, tried_m
            damping = max(DAMPING, 0.25 * damping)
            if slow:
                break
        else:
            damping *= 8.0
    return q, error_m


def _step(chain: Chain, q: Floats, gap: Floats, jacobian: Floats, damping: float) -> Floats:
    """Return the damped step (m) [rad] of the joints that no limit stops."""
    free = np.ones(len(q), dtype=bool)
    step = np.zeros(len(q))
    for _ in range(len(q)):
        used = jacobian[:, free]
        normal = used @ used.T
        normal.flat[::4] += damping
        step = np.zeros(len(q))
        step[free] = used.T @ np.linalg.solve(normal, gap)
        stopped = free & (((step < 0.0) & (q <= chain.lower)) | ((step > 0.0) & (q >= chain.upper)))
        if not stopped.any():
            break
        free &= ~stopped
        if not free.any():
            return np.zeros(len(q))
    largest = float(np.abs(step).max())
    return step if largest <= STEP_RAD else step * (STEP_RAD / largest)


def limits_of(
    joints: Collection[str], names: tuple[str, ...], lower: Floats, upper: Floats
) -> dict[str, tuple[float, float]]:
    """Return the limits of some joints by name [rad]."""
    ends = zip(names, lower.tolist(), upper.tolist(), strict=True)
    return {name: (low, high) for name, low, high in ends if name in joints}
