"""Keep a stance foot where it is."""

import math
from typing import Any

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import (
    FootTask,
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
    """Settings of the contact task.

    Attributes:
        damping: of a foot that moves in the estimate [1/s].
        weight: of the task.
    """

    damping: bounds.Damping
    weight: bounds.FirmWeight


@compiled
def write_contact(
    contacts: Record,
    targets: Record,
    rows: Record,
    hessian: Floats,
    gradient: Floats,
    side: int,
    damping: float,
    sqrt_weight: float,
) -> None:
    """Add the cost of one foot: the acceleration along each force damps the velocity.

    In a jump the sole goes up and down as `LegReference.lift` says.
    """
    foot: Any = contacts[0]
    lift: Any = targets[0].lift
    task: Any = rows[0]
    for i in range(task.matrix.shape[0]):
        for j in range(task.matrix.shape[1]):
            task.matrix[i, j] = foot.jacobians[side, i, j]
        desired = -damping * foot.velocities[side, i] - foot.drifts[side, i]
        task.desired_acceleration[i] = desired
        task.sqrt_weight[i] = sqrt_weight
    if lift[0] != 0.0:
        for k in range(foot.normals.size):
            task.desired_acceleration[foot.normals[k]] += lift[2] + damping * lift[1]
    add_rows(rows, hessian, gradient)


class ContactTask(FootTask[Settings]):
    """Holds every foot that does not swing."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        contacts, problem = context.contacts, context.problem
        rows = task_rows(contacts.width, context.model.joint_count + 6)
        self._legs = context.legs
        self._damping, self._sqrt_weight = settings.damping, math.sqrt(settings.weight)
        self._write = bind(
            write_contact,
            contacts.record,
            context.legs.record,
            rows,
            problem.hessian,
            problem.gradient,
        )

    def write_foot(self, targets: TaskTargets, side: int) -> None:
        """Add the cost of a foot unless it swings."""
        if self._legs.swing_side != side:
            self._write(side, self._damping, self._sqrt_weight)


TASK = ContactTask
