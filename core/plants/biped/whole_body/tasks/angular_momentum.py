"""Damp the centroidal angular momentum."""

import math
from typing import Any

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import (
    Task,
    TaskContext,
    TaskSettings,
    TaskTargets,
    add_rows,
    task_rows,
)
from core.records import Record
from core.robot import bounds
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the angular momentum.

    Attributes:
        kd: damping [1/s].
        weight: of the task.
    """

    kd: bounds.Damping
    weight: bounds.YieldingWeight


@compiled
def write_angular_momentum(
    body: Record, rows: Record, hessian: Floats, gradient: Floats, kd: float, sqrt_weight: float
) -> None:
    """Add the cost of the angular momentum's rate."""
    task: Any = rows[0]
    centroid: Any = body[0]
    for i in range(3):
        for j in range(task.matrix.shape[1]):
            task.matrix[i, j] = centroid.momentum_matrix[3 + i, j]
        desired = -kd * centroid.momentum[3 + i] - centroid.momentum_drift[3 + i]
        task.desired_acceleration[i] = desired
        task.sqrt_weight[i] = sqrt_weight
    add_rows(rows, hessian, gradient)


class AngularMomentumTask(Task[Settings]):
    """Damps the angular momentum about the CoM."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        model, problem = context.model, context.problem
        rows = task_rows(3, model.joint_count + 6)
        self._write = bind(
            write_angular_momentum, model.body, rows, problem.hessian, problem.gradient
        )
        self._kd, self._sqrt_weight = settings.kd, math.sqrt(settings.weight)

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._kd, self._sqrt_weight)


TASK = AngularMomentumTask
