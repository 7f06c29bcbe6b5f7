"""The thresholds of the health flags."""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.robot import bounds

Positive = Annotated[float, Meta(gt=0.0, le=1e4)]
Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]


class HealthSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Thresholds of the health flags.

    Attributes:
        fall_tilt_rad: tilt of the base above which the robot has fallen [rad]; None: it cannot.
        fall_height_m: height of the base above the ground below which it has fallen [m].
        solver_patience_s: time without a solution for which the last command is repeated [s].
        imu_late_s: age above which an IMU packet is predicted [s].
        imu_lost_s: age above which an IMU packet is lost [s].
        joint_silent_s: age above which an actuator's reply is a fault [s].
        leg_silent_s: the same for a leg, which then cannot balance [s].
        contact_silent_s: age above which a foot's contact is unknown [s].
        minor_silent_s: the same for a wrist or a finger, whose boards reply less often [s].
        winding_limit_c: largest winding temperature [°C].
        warm_below_c: derating begins this far below the limit [°C].
        cooled_below_c: a warm winding has cooled this far below the start of derating [°C].
        leg_warm_below_c: a leg must rest from this far below the limit until its derating ends: a
            gait needs more torque than a hot leg may give [°C].
        hot_below_c: the robot settles this far below the limit [°C].
        least_torque: torque share at the temperature at which the robot settles.
        tick_late_s: lateness of a tick that holds the robot [s].
        tick_stalled_s: lateness of a tick that damps the robot [s].
        least_success: smallest share of the last 100 ticks in time.
        link_silent_s: age above which an input is silent [s].
        sibling_silent_s: age above which a process that serves the loop is silent [s].
    """

    fall_tilt_rad: Annotated[float, Meta(gt=0.0, le=3.15)] | None = None
    fall_height_m: bounds.Height | None = None
    solver_patience_s: Annotated[float, Meta(ge=0.0, le=0.1)] = 0.003
    imu_late_s: Positive = 0.005
    imu_lost_s: Positive = 0.030
    joint_silent_s: Positive = 0.005
    leg_silent_s: Positive = 0.020
    minor_silent_s: Positive = 0.050
    contact_silent_s: Positive = 0.050
    winding_limit_c: Positive = 100.0
    warm_below_c: Positive = 20.0
    cooled_below_c: Positive = 2.0
    leg_warm_below_c: Positive = 15.0
    hot_below_c: Positive = 5.0
    least_torque: Fraction = 0.5
    tick_late_s: Positive = 0.005
    tick_stalled_s: Positive = 0.020
    least_success: Fraction = 0.95
    link_silent_s: Positive = 0.25
    sibling_silent_s: Positive = 2.0


class Battery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The battery, all packs together.

    Attributes:
        capacity_ah: charge of a full battery [A·h].
        resistance_ohm: resistance of packs and wiring [Ω].
        low_v: the robot warns below this voltage [V].
        critical_v: the robot settles below it [V].
        flat_v: the core removes the torque below it, before the supply browns out [V].
        low_charge: the robot warns below this charge, as a fraction.
        critical_charge: the robot settles below it, as a fraction.
    """

    capacity_ah: bounds.AmpereHours
    resistance_ohm: bounds.Ohms
    low_v: bounds.Volts
    critical_v: bounds.Volts
    flat_v: bounds.Volts
    low_charge: bounds.Fraction
    critical_charge: bounds.Fraction
