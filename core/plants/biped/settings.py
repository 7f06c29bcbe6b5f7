"""The settings of a biped: the table `[biped]` of its profile."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from core.robot import bounds
from shows.gaits import GaitRange
from shows.joints import BodyRange, SwayRange


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table that refuses unknown keys."""


class Gait(_Table, frozen=True):
    """How the robot steps.

    Attributes:
        step_s: duration of a step [s].
        quick_step_s: of the first steps after a push [s].
        quick_steps: how many steps after a push are quick.
        quick_shift_s: longest shift of the weight before a quick step [s]; from a stance that is
            wider than the steps it is longer.
        min_step_fraction: earliest touchdown, as a part of the step.
        max_step_fraction: the stance changes then at the latest.
        freeze_s: the footstep is fixed for the end of a step [s].
        shift_s: duration of the shift of the weight before the first step [s].
        apex: height of the sole in mid swing [m].
        step_width: between the soles, in place [m].
        height: of a robot that steps, above its soles [m].
        reach_forward: farthest step forward or back [m].
        reach_out: farthest step outward from the stance foot [m].
        reach_in: nearest step beside the stance foot [m].
        late_descent_m_s: speed at which a late foot descends [m/s].
        load_s: double support at the start of a step [s].
        transfer_s: from the end of a step until the weight has changed over [s].
        stumble_height: a contact so far above the expected ground is an edge [m].
        creep: of a foot from its stance, at which a calm robot steps in place [m]; inward, at
            which any robot does.
        largest_creep: at which a robot steps in place in any case [m].
        trim_forward: initial correction of the speed, as learned [m/s].
        max_speed_forward: [m/s].
        max_speed_sideways: [m/s].
        max_yaw_rate: [rad/s].
        acceleration: of the commanded speed [m/s²].
        yaw_acceleration: of the commanded yaw rate [rad/s²].
    """

    step_s: bounds.StepTime
    quick_step_s: bounds.QuickStepTime
    quick_steps: Annotated[int, Meta(ge=0, le=10)]
    quick_shift_s: bounds.Pause
    min_step_fraction: bounds.Fraction
    max_step_fraction: Annotated[float, Meta(ge=1.0, le=2.0)]
    freeze_s: bounds.Pause
    shift_s: bounds.Pause
    apex: bounds.Apex
    step_width: bounds.Reach
    height: bounds.Height
    reach_forward: bounds.Reach
    reach_out: bounds.Reach
    reach_in: bounds.Reach
    late_descent_m_s: bounds.Speed
    load_s: bounds.LoadTime
    transfer_s: bounds.Pause
    stumble_height: bounds.Margin
    creep: bounds.Margin
    largest_creep: bounds.Margin
    trim_forward: bounds.Offset
    max_speed_forward: bounds.Speed
    max_speed_sideways: bounds.Speed
    max_yaw_rate: bounds.YawRate
    acceleration: bounds.Acceleration
    yaw_acceleration: bounds.Acceleration


class Balance(_Table, frozen=True):
    """How the robot stands.

    Attributes:
        capture_gain: pole of the capture point's error [1/s].
        stand_height: height of a standing robot above its soles [m].
        crouch_height: height of a crouching robot [m].
        rise_s: duration of standing up and of settling [s].
        support_margin: width at the edge of the support that the pressure keeps free [m].
        step_at: part of the distance to the edge at which standing gives way to a step.
        settle_along: steps end if the capture point is so near before or behind the feet [m].
        settle_stagger: steps end if no foot is farther before the other [m].
        height_of: the CoM, or the base, whose height does not change when an arm is raised.
    """

    capture_gain: bounds.Pole
    stand_height: bounds.Height
    crouch_height: bounds.Height
    rise_s: bounds.RiseTime
    support_margin: bounds.Margin
    step_at: bounds.Fraction
    settle_along: bounds.Margin
    settle_stagger: bounds.Margin
    height_of: Literal["com", "base"] = "com"


class Estimator(_Table, frozen=True):
    """Errors that the state estimator expects.

    The ratios of the noises decide how it weighs the sensors, their size how far it trusts itself.

    Attributes:
        gyro_noise: density of the gyro [rad/s/√Hz].
        accel_noise: density of the accelerometer [m/s²/√Hz].
        gyro_bias: standard deviation of the gyro's bias at a start [rad/s].
        accel_bias: of the accelerometer's; it leans the estimate, and cannot be observed [m/s²].
        gyro_bias_noise: density of the gyro bias's change [rad/s²/√Hz].
        accel_bias_noise: density of the accelerometer bias's change [m/s³/√Hz].
        contact_noise: density of the speed of a standing foot [m/s/√Hz].
        kinematics_noise: standard deviation of a foot's position by the leg's kinematics [m].
        contact_on_force: of one foot, from which a foot carries weight [N].
        contact_off_force: of one foot, below which it carries none [N].
    """

    gyro_noise: bounds.GyroNoise
    accel_noise: bounds.AccelNoise
    gyro_bias: bounds.GyroBias
    accel_bias: bounds.AccelBias
    gyro_bias_noise: bounds.GyroBiasNoise
    accel_bias_noise: bounds.AccelBiasNoise
    contact_noise: bounds.ContactNoise
    kinematics_noise: bounds.KinematicsNoise
    contact_on_force: bounds.ContactForce
    contact_off_force: bounds.ContactForce


class Heading(_Table, frozen=True):
    """Errors that a robot expects of its heading while it stands still (`StandingHeading`).

    Attributes:
        gyro_rest_noise: density of the gyro [rad/s/√Hz].
        sole_noise: standard deviation of the soles' mean heading by the legs' kinematics [rad].
    """

    gyro_rest_noise: bounds.GyroRestNoise
    sole_noise: bounds.SoleHeadingNoise


class Constraints(_Table, frozen=True):
    """The constraints of the whole-body controller.

    Attributes:
        friction: coefficient that the contact forces may use.
        force_min: least vertical force at a contact point [N].
        force_max: largest vertical force at a contact point [N].
        torque_fraction: largest torque, as a part of the actuator's at its speed.
    """

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


class Adaptation(_Table, frozen=True):
    """How walking adapts to robot and ground.

    Attributes:
        momentum_rate: of the angular momentum's observer [1/s].
        offset_rate: of the CoM's offset from the model [1/s].
        largest_offset: bound of that offset [m].
        earliest_share: shortest believed duration of a step, as a part of the nominal one.
        latest_share: longest believed duration of a step.
        largest_rise: of the ground, expected from foot to foot [m].
        shortest_run: distance of the feet below which a step gives no slope [m].
        largest_trim: bound of the correction of the speed, and of each of its parts [m/s].
        largest_widening: bound of the correction of the width of steps, up and down [m].
        largest_stagger: bound of the correction of a gait with one foot before the other [m].
        height_rate: at which an error of the height is removed while standing [1/s]; 0: it stays.
    """

    momentum_rate: bounds.Rate
    offset_rate: bounds.Rate
    largest_offset: bounds.Margin
    earliest_share: bounds.Fraction
    latest_share: Annotated[float, Meta(ge=1.0, le=2.0)]
    largest_rise: bounds.Margin
    shortest_run: bounds.Reach
    largest_trim: bounds.Speed
    largest_widening: bounds.Margin
    largest_stagger: bounds.Margin
    height_rate: bounds.HeightRate = 0.0


class Loads(_Table, frozen=True):
    """How loads at the grips are estimated.

    Attributes:
        learning_rate: of a mass, by the square of the torque it asks [1/s by N²·m²/kg²].
        noticed_kg: a mass counts from here on [kg].
        forgotten_kg: below this a mass no longer counts [kg].
        largest_kg: bound of a mass [kg].
        kg_per_s: largest rate of the model's mass [kg/s].
    """

    learning_rate: bounds.LearningRate
    noticed_kg: bounds.Mass
    forgotten_kg: bounds.Mass
    largest_kg: bounds.Mass
    kg_per_s: bounds.Mass


class Guided(_Table, frozen=True):
    """How a standing robot yields to a person who guides its limbs.

    Attributes:
        observer_rate: double pole of the observer of a pull [1/s].
        largest_offset: bound of the pull, as an offset of the CoM [m].
        lean_share: part of the offset by which the robot leans against it.
        largest_lean: bound of the lean [m].
        lean_speed: largest rate of the lean [m/s].
    """

    observer_rate: bounds.Rate
    largest_offset: bounds.Reach
    lean_share: bounds.Fraction
    largest_lean: bounds.Margin
    lean_speed: bounds.Speed


class Pushed(_Table, frozen=True):
    """How the robot answers to a push.

    Attributes:
        observer_rate: double pole of the observer of the push's force [1/s].
        largest_offset: bound of the force, as an offset of the CoM [m].
        noticed_offset: a smaller one is no push; from twice as much on it counts in full [m].
        bias_rate: at which a robot at rest learns an offset as its own [1/s].
        largest_bias: bound of that offset, forward and to the left [m].
        foresight_s: a force is expected to last so long [s].
        step_share: part of the offset with which footsteps reckon: the push may end.
        step_rate: at which that part follows the offset, which landings disturb [1/s].
        step_width: between the soles of a robot that catches itself, until it stands or walks on,
            in place [m].
        height: of a robot that steps to catch itself, above its soles [m].
        lowering_m_s: fastest way there [m/s].
    """

    observer_rate: bounds.Rate
    largest_offset: bounds.Reach
    noticed_offset: bounds.Margin
    bias_rate: bounds.Rate
    largest_bias: bounds.Margin
    foresight_s: bounds.Pause
    step_share: bounds.Fraction
    step_rate: bounds.Rate
    step_width: bounds.Reach
    height: bounds.Height
    lowering_m_s: bounds.Speed


class Pressure(_Table, frozen=True):
    """How the pressure moves along a lone foot, so that the robot keeps its speed.

    Attributes:
        rate: pole of the error of the speed [1/s].
        largest: way of the pressure from the middle of the foot [m].
    """

    rate: bounds.Pole
    largest: bounds.Margin


class Hopping(_Table, frozen=True):
    """How the robot jumps in place.

    Attributes:
        push_s: from standing to a lift-off [s].
        absorb_s: from a touchdown to standing [s].
        rise: of the body from standing to a lift-off [m].
        lift: height of the soles in the middle of a flight [m].
        clearance: height of the soles at the end of a flight, so that none lands early [m].
    """

    push_s: bounds.RiseTime
    absorb_s: bounds.RiseTime
    rise: bounds.Margin
    lift: bounds.Apex
    clearance: bounds.Margin


class Biped(_Table, frozen=True, kw_only=True):
    """The settings of a biped.

    Attributes:
        ankle_role: role of the joints that pitch the soles.
        velocity_rate: at which observed velocities of joints follow the measured ones, where the
            plan expects others [1/s]; None: they are the measured ones.
        gait: how the robot steps.
        balance: how the robot stands.
        body: range of the posture that a show may give the body over standing feet.
        sway: range of a sway or squat over standing feet; None if the robot refuses both.
        gaits: its runs and jumps.
        hopping: how it jumps; None: it does not.
        lean: how the torso leans under a load; None if it does not.
        guided: how a standing robot yields to a person who guides its limbs.
        pushed: how it answers to the force of a push; None: to the motion only.
        pressure: how the pressure moves along a lone foot; None: it stays in the middle.
        adaptation: how walking adapts to robot and ground.
        loads: how loads at the grips are estimated.
        estimator: noise that the state estimator expects.
        constraints: of the whole-body controller.
        tasks: tables of the whole-body controller's tasks by name, in the order in which they add
            to its cost; see `core.plants.biped.whole_body.tasks`.
        qp: which solver, and its accuracy.
    """

    ankle_role: str
    velocity_rate: bounds.Rate | None = None
    gait: Gait
    balance: Balance
    body: BodyRange
    sway: SwayRange | None = None
    gaits: GaitRange = GaitRange()
    hopping: Hopping | None = None
    lean: Lean | None = None
    guided: Guided
    pushed: Pushed | None = None
    pressure: Pressure | None = None
    adaptation: Adaptation
    loads: Loads
    estimator: Estimator
    heading: Heading
    constraints: Constraints
    tasks: dict[str, dict[str, Any]]
    qp: QpSettings
