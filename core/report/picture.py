"""Scenes for a picture of the robot."""

import math

from core.link.message import Vector3
from core.link.scene import Scene
from core.tick.performer import Performer
from devices.interface import Sample, Truth

_NOTHING: Vector3 = (0.0, 0.0, 0.0)


class Picture:
    """Makes scenes of a performer without changing it."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer

    def scene(self, now_s: float, sample: Sample, truth: Truth | None) -> Scene:
        """Return the scene of the last tick.

        Args:
            now_s: its time [s].
            sample: reading of the body in that tick.
            truth: true state of a simulated body.
        """
        state, view = self._performer.plant.state, self._performer.plant.view()
        return Scene(
            stamp_s=now_s,
            q=tuple(sample.q.tolist()),
            q_reference=self._reference(sample),
            base_position=tuple(state.position_base_in_world.tolist()),
            base_rpy=tuple(state.rpy.tolist()),
            com=view.com,
            com_velocity=view.com_velocity,
            capture_point=view.capture_point,
            soles=view.soles,
            sole_yaws=view.sole_yaws,
            contact=tuple(state.contact.tolist()),
            contact_forces=view.contact_forces,
            support=view.support,
            footstep=view.footstep,
            footstep_yaw=view.footstep_yaw,
            swing_side=view.swing_side,
            velocity=self._velocity(),
            body=view.body,
            body_reference=view.body_reference,
            external_force=_NOTHING if truth is None else tuple(truth.external_force.tolist()),
        )

    def _reference(self, sample: Sample) -> tuple[float, ...]:
        """Return commanded positions; measured ones of joints without stiffness (n) [rad]."""
        command = self._performer.command
        commanded, stiff = command.q.tolist(), command.kp.tolist()
        measured = sample.q.tolist()
        return tuple(
            q if kp > 0.0 else m for q, kp, m in zip(commanded, stiff, measured, strict=True)
        )

    def _velocity(self) -> Vector3:
        """Return the base's velocity forward and to the left [m/s], and its yaw rate [rad/s]."""
        state = self._performer.plant.state
        vx, vy, _ = state.velocity_base_in_world.tolist()
        yaw = float(state.rpy[2])
        cos, sin = math.cos(yaw), math.sin(yaw)
        spin = state.rotation_base_to_world[2].tolist()
        a, b, c = state.angular_velocity_base_in_base.tolist()
        return cos * vx + sin * vy, cos * vy - sin * vx, spin[0] * a + spin[1] * b + spin[2] * c
