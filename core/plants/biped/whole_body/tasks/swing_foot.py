"""Move the swing foot along its path and keep its sole level."""

import math
from typing import Any

from core.compiled import bind, compiled
from core.plants.biped.whole_body.orientation import sole_error
from core.plants.biped.whole_body.task import (
    Feedback,
    FootTask,
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
    """Settings of the swing foot.

    Attributes:
        position: of the sole.
        orientation: pitch and yaw of the sole, and roll if the leg commands it.
    """

    position: Feedback
    orientation: YieldingFeedback


@compiled
def write_swing_foot(
    gains: Record,
    targets: Record,
    feet: Record,
    rows: Record,
    hessian: Floats,
    gradient: Floats,
    side: int,
) -> None:
    """Add the cost of the swing foot.

    The rows are position, pitch about the sole's level axis, yaw, and roll if there is a sixth.
    """
    gain: Any = gains[0]
    task: Any = rows[0]
    frames: Any = feet[0]
    swing = targets[0].swing
    yaw, yaw_rate = targets[0].swing_turn
    jacobian, twist, drift = frames.jacobians[side], frames.velocities[side], frames.drifts[side]
    wx, wy, wz = twist[3], twist[4], twist[5]
    count, nv = task.matrix.shape
    desired_acceleration, sqrt_weight = task.desired_acceleration, task.sqrt_weight
    for i in range(3):
        position = gain.position_kp * (swing[0, i] - frames.positions[side, i])
        velocity = gain.position_kd * (swing[1, i] - twist[i])
        desired_acceleration[i] = swing[2, i] + position + velocity - drift[i]
        sqrt_weight[i] = gain.position_sqrt_weight
    fx, fy, pitch_error, yaw_error, roll_error = sole_error(frames.rotations[side], yaw)
    px, py = -fy, fx
    rate = px * wx + py * wy
    desired_acceleration[3] = gain.orientation_kp * pitch_error - gain.orientation_kd * rate
    desired_acceleration[3] -= px * drift[3] + py * drift[4]
    desired_acceleration[4] = gain.orientation_kp * yaw_error - drift[5]
    desired_acceleration[4] += gain.orientation_kd * (yaw_rate - wz)
    if count > 5:
        rate = fx * wx + fy * wy
        desired_acceleration[5] = gain.orientation_kp * roll_error - gain.orientation_kd * rate
        desired_acceleration[5] -= fx * drift[3] + fy * drift[4]
    for i in range(3, count):
        sqrt_weight[i] = gain.orientation_sqrt_weight
    for j in range(nv):
        for i in range(3):
            task.matrix[i, j] = jacobian[i, j]
        task.matrix[3, j] = px * jacobian[3, j] + py * jacobian[4, j]
        task.matrix[4, j] = jacobian[5, j]
        if count > 5:
            task.matrix[5, j] = fx * jacobian[3, j] + fy * jacobian[4, j]
    add_rows(rows, hessian, gradient)


class SwingFootTask(FootTask[Settings]):
    """Moves the foot in the air."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        model, problem = context.model, context.problem
        position, orientation = settings.position, settings.orientation
        gains = record_of(
            position_kp=position.kp,
            position_kd=position.kd,
            position_sqrt_weight=math.sqrt(position.weight),
            orientation_kp=orientation.kp,
            orientation_kd=orientation.kd,
            orientation_sqrt_weight=math.sqrt(orientation.weight),
        )
        rows = task_rows(model.wrench_rows.size, model.joint_count + 6)
        self._legs = context.legs
        self._write = bind(
            write_swing_foot,
            gains,
            context.legs.record,
            model.feet,
            rows,
            problem.hessian,
            problem.gradient,
        )

    def write_foot(self, targets: TaskTargets, side: int) -> None:
        """Add the cost of a foot if it swings."""
        if self._legs.swing_side == side:
            self._write(side)


TASK = SwingFootTask
