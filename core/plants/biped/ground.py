"""The contact of a biped with the ground: its part of the record's rows, and its picture."""

import math
from collections.abc import Callable, Sequence

from core.compiled import bind
from core.link.message import Vector3
from core.plants.biped.model import RobotModel
from core.plants.biped.row import LOWEST_M, write_balance
from core.plants.biped.sense.estimator import StateEstimator
from core.plants.biped.support_polygon import convex_hull
from core.plants.biped.walk import pendulum
from core.plants.biped.walk.balance import support_of
from core.plants.interface import GroundView
from core.record.tape import Row
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Bools, Floats

_NOTHING: Vector3 = (0.0, 0.0, 0.0)


class Ground:
    """Reports the contact of a biped with the ground; world frame.

    Args:
        profile: profile of the robot.
        model: dynamics and kinematics at the newest state.
        forces: planned force at each contact point, overwritten at every tick (k, 3) [N].
    """

    def __init__(self, profile: Profile, model: RobotModel, forces: Floats) -> None:
        self._model, self._forces = model, forces
        self._reach = tuple((contact.heel, contact.toe) for contact in profile.contacts)

    def bind_row(self, rows: Row, estimator: StateEstimator) -> Callable[[bool, int], None]:
        """Return the function that writes balance, forces and the estimate's deviations.

        Args:
            rows: `Tape.block`; the function takes whether forces are planned in this tick, and
                the place of the row.
            estimator: owns the estimate.
        """
        model, covariance = self._model, estimator.filter.covariance
        balance = model.com, model.com_velocity, model.soles, model.sole_rotations
        return bind(write_balance, rows, *balance, self._forces, covariance)

    def place(self) -> tuple[float, float, float]:
        """Return the middle between the soles, x and y [m], and their mean heading [rad]."""
        support = support_of(self._model)
        return *support.middle, support.yaw

    def body(self, state: State, upright: Sequence[float]) -> tuple[float, ...]:
        """Return the coordinates of the body, in the order of `shows.body_limb.ROLES` [rad, m].

        Args:
            state: of the robot.
            upright: what they count from: roll, pitch and yaw of the base in the world [rad], the
                height over the ground that is controlled, and the place of the centre of mass to
                the left and forward of the middle between the soles (6) [m].
        """
        model, support = self._model, support_of(self._model)
        along, across = support.coordinates(*model.com[:2].tolist())
        height = model.height - 0.5 * (model.left_sole_height + model.right_sole_height)
        here = (*state.rpy.tolist(), height, across * support.half_distance, along)
        roll, pitch, yaw, *lengths = (at - of for at, of in zip(here, upright, strict=True))
        return roll, pitch, math.remainder(yaw, 2.0 * math.pi), *lengths

    def view(
        self,
        loaded: Bools,
        balances: bool,
        footstep: tuple[float, float, float, float] | None,
        swing_side: int,
    ) -> GroundView:
        """Return the contact, for a picture.

        Args:
            loaded: feet that carry weight (2).
            balances: forces and footsteps are planned.
            footstep: planned position [m] and heading [rad] of the swing foot; None without one.
            swing_side: index of the swing foot; -1 without one.
        """
        model, forces = self._model, self._forces
        soles = _vectors(model.soles.tolist())
        toes = model.sole_rotations[:, :, 0].tolist()
        com, com_velocity = model.com.tolist(), model.com_velocity.tolist()
        ground = min(model.left_sole_height, model.right_sole_height)
        omega = pendulum.natural_frequency(max(LOWEST_M, com[2] - ground))
        footstep = footstep if balances else None
        return GroundView(
            com=tuple(com),
            com_velocity=tuple(com_velocity),
            capture_point=(
                pendulum.capture_point(com[0], com_velocity[0], omega),
                pendulum.capture_point(com[1], com_velocity[1], omega),
            ),
            soles=soles,
            sole_yaws=tuple(math.atan2(toe[1], toe[0]) for toe in toes),
            contact_forces=_vectors(forces.tolist()) if balances else (_NOTHING,) * len(forces),
            support=convex_hull(self._points(soles, toes, loaded.tolist())),
            footstep=None if footstep is None else footstep[:3],
            footstep_yaw=0.0 if footstep is None else footstep[3],
            swing_side=swing_side if balances else -1,
        )

    def _points(
        self, soles: Sequence[Vector3], toes: Sequence[Sequence[float]], loaded: Sequence[bool]
    ) -> list[Vector3]:
        """Return heel and toe of each foot that carries weight [m]."""
        return [
            (x + along * toe[0], y + along * toe[1], z + along * toe[2])
            for (x, y, z), toe, carries, reach in zip(soles, toes, loaded, self._reach, strict=True)
            if carries
            for along in reach
        ]


def _vectors(rows: Sequence[Sequence[float]]) -> tuple[Vector3, ...]:
    """Return the rows of an array (k, 3)."""
    return tuple((x, y, z) for x, y, z in rows)
