"""Keep the torques of the legs small.

Standing on two feet leaves the forces between them free; this task takes the load off the hips,
whose windings would otherwise heat up.
"""

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import Task, TaskContext, TaskSettings, TaskTargets
from core.robot import bounds
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the effort.

    Attributes:
        weight: of the legs' torques, as shares of stall.
    """

    weight: bounds.SmallWeight


@compiled
def write_effort(
    constraints: Floats,
    bias: Floats,
    effort: Floats,
    hessian: Floats,
    gradient: Floats,
    first: int,
) -> None:
    """Add the squares of the joints' torques.

    Args:
        constraints: rows of the problem.
        bias: of the model (n_v).
        effort: weight of each joint's squared torque (n).
        hessian: of the problem.
        gradient: of the problem.
        first: row of the first joint's torque in the constraints.
    """
    size = hessian.shape[0]
    for joint in range(effort.size):
        if effort[joint] == 0.0:
            continue
        row = first + joint
        for i in range(size):
            a = effort[joint] * constraints[row, i]
            if a != 0.0:
                gradient[i] += a * bias[6 + joint]
                for j in range(size):
                    hessian[i, j] += a * constraints[row, j]


class EffortTask(Task[Settings]):
    """Keeps the torques of the legs small."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        model, problem = context.model, context.problem
        legs = model.leg_joints
        effort: Floats = np.zeros(model.joint_count)
        stall = context.profile.actuator_column("stall_torque")
        effort[legs] = settings.weight / stall[legs] ** 2
        rows = problem.rows.shape[0]
        self._first = rows - problem.equalities - model.joint_count
        self._write = bind(
            write_effort, problem.rows, model.bias, effort, problem.hessian, problem.gradient
        )

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._first)


TASK = EffortTask
