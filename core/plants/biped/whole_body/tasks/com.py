"""Accelerate the centre of mass; upward, the base instead of it if the base has the height."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import (
    Feedback,
    Task,
    TaskContext,
    TaskSettings,
    TaskTargets,
    add_rows,
    task_rows,
)
from core.records import Record, record_of
from core.robot import bounds
from core.robot.frames import cross
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the CoM.

    Attributes:
        horizontal_weight: of the horizontal acceleration, while both feet stand.
        vertical: of the height of the CoM or of the base, as `Balance.height_of` says.
    """

    horizontal_weight: bounds.Weight
    vertical: Feedback


@compiled
def write_base_row(base: Floats, row: Floats) -> float:
    """Write the row of the base's upward acceleration; return its drift [m/s²].

    Args:
        base: `State.base` (7, 3).
        row: output (n_v).
    """
    up, omega, velocity = base[2], base[5], np.zeros(3)
    for j in range(3):
        for i in range(3):
            velocity[j] += base[i, j] * base[4, i]
    row[:] = 0.0
    row[:3] = up
    x, y, z = cross(omega, velocity)
    drift: float = up[0] * x + up[1] * y + up[2] * z
    return drift


@compiled
def write_com(
    gains: Record,
    targets: Record,
    body: Record,
    base: Floats,
    rows: Record,
    hessian: Floats,
    gradient: Floats,
    standing: bool,
    height_error: float,
    height_rate_error: float,
    height_acceleration: float,
    mass: float,
) -> None:
    """Add the cost of the CoM's acceleration.

    Horizontal acceleration has a weight only while both feet stand: on one foot without ankle
    roll the footsteps control it.
    """
    gain: Any = gains[0]
    task: Any = rows[0]
    centroid: Any = body[0]
    drift, desired_acceleration = centroid.momentum_drift, task.desired_acceleration
    for i in range(3):
        for j in range(task.matrix.shape[1]):
            task.matrix[i, j] = centroid.momentum_matrix[i, j] / mass
    for i in range(2):
        desired_acceleration[i] = targets[0].com_acceleration[i] - drift[i] / mass
        task.sqrt_weight[i] = gain.horizontal_sqrt_weight if standing else 0.0
    upward_drift = drift[2] / mass
    if gain.holds_base:
        upward_drift = write_base_row(base, task.matrix[2])
    desired_acceleration[2] = gain.kp * height_error - upward_drift
    desired_acceleration[2] += gain.kd * height_rate_error
    desired_acceleration[2] += height_acceleration
    task.sqrt_weight[2] = gain.vertical_sqrt_weight
    add_rows(rows, hessian, gradient)


class ComTask(Task[Settings]):
    """Balances on two feet, and keeps the height."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        self._model, self._legs, problem = context.model, context.legs, context.problem
        gains = record_of(
            horizontal_sqrt_weight=math.sqrt(settings.horizontal_weight),
            kp=settings.vertical.kp,
            kd=settings.vertical.kd,
            vertical_sqrt_weight=math.sqrt(settings.vertical.weight),
            holds_base=context.profile.as_biped.balance.height_of == "base",
        )
        rows = task_rows(3, context.model.joint_count + 6)
        self._write = bind(
            write_com,
            gains,
            context.legs.record,
            context.model.body,
            context.state.base,
            rows,
            problem.hessian,
            problem.gradient,
        )

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        legs, model = self._legs, self._model
        self._write(
            legs.stance_side < 0,
            legs.height - (model.height - legs.ground_height),
            legs.height_rate - model.rise,
            legs.height_acceleration,
            model.mass,
        )


TASK = ComTask
