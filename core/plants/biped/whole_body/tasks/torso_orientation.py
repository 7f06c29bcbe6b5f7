"""Hold roll, pitch and yaw of the torso."""

import math
from typing import Any

from core.compiled import bind, compiled
from core.plants.biped.whole_body.orientation import orientation_error
from core.plants.biped.whole_body.task import (
    Feedback,
    Task,
    TaskContext,
    TaskSettings,
    TaskTargets,
    YieldingFeedback,
    add_rows,
    task_rows,
)
from core.records import Record, record_of
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the torso's orientation.

    Attributes:
        tilt: roll and pitch.
        yaw: yaw.
    """

    tilt: Feedback
    yaw: YieldingFeedback


@compiled
def write_torso_orientation(
    gains: Record,
    targets: Record,
    base: Floats,
    rows: Record,
    hessian: Floats,
    gradient: Floats,
    yaw_rate: float,
) -> None:
    """Add the cost of the torso's angular acceleration, in the world.

    Args:
        gains: of tilt and yaw.
        targets: `LegReference.record`.
        base: `State.base` (7, 3).
        rows: of this task.
        hessian: of the problem.
        gradient: of the problem.
        yaw_rate: desired [rad/s].
    """
    gain: Any = gains[0]
    task: Any = rows[0]
    turn = targets[0].torso_turn
    rotation, angular_velocity, desired_acceleration = base[:3], base[5], task.desired_acceleration
    for i in range(3):
        omega = 0.0
        for k in range(3):
            task.matrix[i, 3 + k] = rotation[i, k]
            omega += rotation[i, k] * angular_velocity[k]
        damping = gain.tilt_kd if i < 2 else gain.yaw_kd
        desired_acceleration[i] = damping * (turn[0, i] - omega) + turn[1, i]
        task.sqrt_weight[i] = gain.tilt_sqrt_weight if i < 2 else gain.yaw_sqrt_weight
    rpy = targets[0].torso_rpy
    x, y, z = orientation_error(rotation, rpy[0], rpy[1], rpy[2])
    desired_acceleration[0] += gain.tilt_kp * x
    desired_acceleration[1] += gain.tilt_kp * y
    desired_acceleration[2] += gain.yaw_kp * z + gain.yaw_kd * yaw_rate
    add_rows(rows, hessian, gradient)


class TorsoOrientationTask(Task[Settings]):
    """Holds the torso's orientation."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        self._legs, problem = context.legs, context.problem
        gains = record_of(
            tilt_kp=settings.tilt.kp,
            tilt_kd=settings.tilt.kd,
            tilt_sqrt_weight=math.sqrt(settings.tilt.weight),
            yaw_kp=settings.yaw.kp,
            yaw_kd=settings.yaw.kd,
            yaw_sqrt_weight=math.sqrt(settings.yaw.weight),
        )
        rows = task_rows(3, context.model.joint_count + 6)
        self._write = bind(
            write_torso_orientation,
            gains,
            context.legs.record,
            context.state.base,
            rows,
            problem.hessian,
            problem.gradient,
        )

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._legs.torso_yaw_rate)


TASK = TorsoOrientationTask
