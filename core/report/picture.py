"""What a picture of the robot needs: where it is, where it is told to be, what carries it."""

import math
from collections.abc import Sequence

from core.link.message import Vector3
from core.link.scene import Scene
from core.plants.biped.walk import pendulum
from core.tick.performer import Performer
from devices.interface import Sample, Truth

LOWEST_M = 0.2  # of the centre of mass above the ground, where a pendulum still tells something
_NOTHING: Vector3 = (0.0, 0.0, 0.0)


def convex_hull(points: Sequence[Vector3]) -> tuple[Vector3, ...]:
    """Return the corners of the convex hull of some points seen from above, counter-clockwise.

    A point between two corners is none. Points on one line give its two ends, one point itself
    (Andrew, "Another efficient algorithm for convex hulls in two dimensions").

    Args:
        points: in any order; z goes along.
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    return (*_chain(ordered), *_chain(ordered[::-1]))


def _chain(points: Sequence[Vector3]) -> list[Vector3]:
    """Return the lower hull of points sorted by x, without its last corner."""
    chain: list[Vector3] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
            chain.pop()
        chain.append(point)
    return chain[:-1]


def _turn(a: Vector3, b: Vector3, c: Vector3) -> float:
    """Return twice the area of a triangle seen from above, positive if it turns left [m²]."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _vectors(rows: Sequence[Sequence[float]]) -> tuple[Vector3, ...]:
    """Return the rows of an array (k, 3)."""
    return tuple((x, y, z) for x, y, z in rows)


class Picture:
    """Draws scenes of a performer; changes nothing of it."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        feet = performer.profile.contacts[0]
        self._reach = (feet.heel, feet.toe)

    def scene(self, now_s: float, sample: Sample, truth: Truth | None) -> Scene:
        """Return the scene of the last tick.

        Args:
            now_s: its time [s].
            sample: what the body read in it.
            truth: what only a simulator knows.
        """
        performer = self._performer
        state, model, controller = performer.estimator.state, performer.model, performer.controller
        balancing = controller.qp_status > 0  # else nothing is planned of feet and forces
        loaded = tuple(state.contact.tolist())
        soles = _vectors(model.soles.tolist())
        toes = model.sole_rotations[:, :, 0].tolist()
        com, com_velocity = model.com.tolist(), model.com_velocity.tolist()
        ground = min(model.left_sole_height, model.right_sole_height)
        omega = pendulum.natural_frequency(max(LOWEST_M, com[2] - ground))
        footstep = performer.walker.footstep if balancing else None
        return Scene(
            stamp_s=now_s,
            q=tuple(sample.q.tolist()),
            q_reference=self._reference(sample),
            base_position=tuple(state.position_base_in_world.tolist()),
            base_rpy=tuple(state.rpy.tolist()),
            com=tuple(com),
            com_velocity=tuple(com_velocity),
            capture_point=(
                pendulum.capture_point(com[0], com_velocity[0], omega),
                pendulum.capture_point(com[1], com_velocity[1], omega),
            ),
            soles=soles,
            sole_yaws=tuple(math.atan2(toe[1], toe[0]) for toe in toes),
            contact=loaded,
            contact_forces=(
                _vectors(controller.whole_body.forces.tolist()) if balancing else (_NOTHING,) * 4
            ),
            support=convex_hull(self._points(soles, toes, loaded)),
            footstep=None if footstep is None else footstep[:3],
            footstep_yaw=0.0 if footstep is None else footstep[3],
            swing_side=performer.walker.reference.swing_side if balancing else -1,
            velocity=self._velocity(),
            external_force=_NOTHING if truth is None else tuple(truth.external_force.tolist()),
        )

    def _reference(self, sample: Sample) -> tuple[float, ...]:
        """Return the positions that are commanded, or measured where none is (n) [rad]."""
        command = self._performer.command
        asked, stiff = command.q.tolist(), command.kp.tolist()
        measured = sample.q.tolist()
        return tuple(q if kp > 0.0 else m for q, kp, m in zip(asked, stiff, measured, strict=True))

    def _points(
        self,
        soles: Sequence[Vector3],
        toes: Sequence[Sequence[float]],
        loaded: Sequence[bool],
    ) -> list[Vector3]:
        """Return heel and toe of each foot that carries weight [m]."""
        return [
            (x + reach * toe[0], y + reach * toe[1], z + reach * toe[2])
            for (x, y, z), toe, carries in zip(soles, toes, loaded, strict=True)
            if carries
            for reach in self._reach
        ]

    def _velocity(self) -> Vector3:
        """Return the torso's velocity forward and to its left [m/s], and its yaw rate [rad/s]."""
        state = self._performer.estimator.state
        vx, vy, _ = state.velocity_base_in_world.tolist()
        yaw = float(state.rpy[2])
        cos, sin = math.cos(yaw), math.sin(yaw)
        spin = state.rotation_base_to_world[2].tolist()
        a, b, c = state.angular_velocity_base_in_base.tolist()
        return cos * vx + sin * vy, cos * vy - sin * vx, spin[0] * a + spin[1] * b + spin[2] * c
