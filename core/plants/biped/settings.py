"""The settings of a biped: the table `[biped]` of its profile."""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.robot import bounds


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table that refuses unknown keys."""


class Gait(_Table, frozen=True):
    """How the robot steps."""

    step_s: bounds.StepTime
    quick_step_s: bounds.QuickStepTime
    min_step_fraction: bounds.Fraction
    max_step_fraction: Annotated[float, Meta(ge=1.0, le=2.0)]
    freeze_s: bounds.Pause
    shift_s: bounds.Pause
    apex: bounds.Apex
    step_width: bounds.Reach
    com_height: bounds.Height
    reach_forward: bounds.Reach
    reach_out: bounds.Reach
    reach_in: bounds.Reach
    late_descent_m_s: bounds.Speed
    load_s: bounds.LoadTime
    transfer_s: bounds.Pause
    trim_forward: bounds.Offset
    max_speed_forward: bounds.Speed
    max_speed_sideways: bounds.Speed
    max_yaw_rate: bounds.YawRate
    acceleration: bounds.Acceleration
    yaw_acceleration: bounds.Acceleration


class Balance(_Table, frozen=True):
    """How the robot stands."""

    capture_gain: bounds.Pole
    stand_height: bounds.Height
    crouch_height: bounds.Height
    rise_s: bounds.RiseTime
    support_margin: bounds.Margin
    step_at: bounds.Fraction


class Estimator(_Table, frozen=True):
    """Noise that the state estimator expects."""

    gyro_noise: bounds.GyroNoise
    accel_noise: bounds.AccelNoise
    gyro_bias_noise: bounds.GyroBiasNoise
    accel_bias_noise: bounds.AccelBiasNoise
    contact_noise: bounds.ContactNoise
    kinematics_noise: bounds.KinematicsNoise
    contact_on_force: bounds.ContactForce
    contact_off_force: bounds.ContactForce
    momentum_rate: bounds.Rate


class Task(_Table, frozen=True):
    """Stiffness [1/s²], damping [1/s] and weight of one task."""

    kp: bounds.Stiffness
    kd: bounds.Damping
    weight: bounds.Weight


class YieldingTask(Task, frozen=True):
    """A task that takes what the firmer ones leave; its weight is the smaller."""

    weight: bounds.YieldingWeight


class Tasks(_Table, frozen=True):
    """The whole-body controller's tasks and bounds."""

    contact_weight: bounds.FirmWeight
    com_horizontal_weight: bounds.Weight
    com_vertical: Task
    angular_momentum: YieldingTask
    torso_orientation: Task
    torso_yaw: YieldingTask
    swing_position: Task
    swing_orientation: YieldingTask
    posture: YieldingTask
    acceleration_weight: bounds.Regularisation
    force_weight: bounds.Regularisation
    pressure_weight: bounds.SmallWeight
    effort_weight: bounds.SmallWeight
    friction: bounds.Friction
    force_min: bounds.LeastForce
    force_max: bounds.LargestForce
    torque_fraction: bounds.Fraction


class QpSettings(_Table, frozen=True):
    """Which solver, and how exactly it solves."""

    solver: str
    eps_abs: bounds.Accuracy
    max_iterations: Annotated[int, Meta(ge=1, le=10_000)]


class Lean(_Table, frozen=True):
    """How the torso leans away from a load that one hip joint feels more.

    Attributes:
        joints: roles of the two hip joints of a leg that carry the torso's moment.
        torque_per_roll: torque that a roll of the torso moves between the hips [N·m/rad].
        torque_per_pitch: torque that a pitch moves between the two joints of a hip [N·m/rad].
        roll_share: part of the difference that a gait cycle removes by roll.
        pitch_share: part of the difference that a gait cycle removes by pitch.
        largest_roll: bound of the roll [rad].
        largest_pitch: bound of the pitch [rad].
        speed: largest rate of the lean [rad/s].
    """

    joints: tuple[str, str]
    torque_per_roll: bounds.TorquePerAngle
    torque_per_pitch: bounds.TorquePerAngle
    roll_share: bounds.Fraction
    pitch_share: bounds.Fraction
    largest_roll: bounds.SmallAngle
    largest_pitch: bounds.SmallAngle
    speed: bounds.YawRate


class Biped(_Table, frozen=True, kw_only=True):
    """The settings of a biped.

    Attributes:
        ankle_role: role of the joints that pitch the soles.
        gait: how the robot steps.
        balance: how the robot stands.
        lean: how the torso leans under a load.
        estimator: noise that the state estimator expects.
        tasks: tasks and bounds of the whole-body controller.
        qp: which solver, and its accuracy.
    """

    ankle_role: str
    gait: Gait
    balance: Balance
    lean: Lean
    estimator: Estimator
    tasks: Tasks
    qp: QpSettings
