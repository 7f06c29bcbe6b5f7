"""The thresholds of the health flags."""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.robot import bounds

Positive = Annotated[float, Meta(gt=0.0, le=1e4)]
Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]


class HealthSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where health ends.

    Attributes:
        fall_tilt_rad: tilt of the base above which the robot has fallen [rad]; None: it cannot.
        fall_height_m: height of the base above the ground below which it has fallen [m].
        solver_patience_s: time without a solution that the last command bridges [s].
        imu_late_s: an IMU packet older than this is predicted [s].
        imu_lost_s: an IMU packet older than this is lost [s].
        joint_silent_s: an actuator's reply older than this is a fault [s].
        leg_silent_s: the same for a leg, which then cannot balance [s].
        contact_silent_s: a foot's contact that was silent for longer is unknown [s].
        minor_silent_s: the same for a wrist or a finger, whose boards tell less often [s].
        winding_limit_c: where a winding is too hot [°C].
        warm_below_c: so far below the limit, derating begins [°C].
        cooled_below_c: so far below that, a warm winding has cooled [°C].
        leg_warm_below_c: so far below the limit, a leg must rest until its derating is over: a gait
            needs more torque than a hot leg may give [°C].
        hot_below_c: so far below the limit, the robot settles [°C].
        least_torque: what derating leaves where the robot settles, as a fraction.
        tick_late_s: a tick this late holds the robot [s].
        tick_stalled_s: a tick this late damps it [s].
        least_success: of the last 100 ticks in time, as a fraction.
        link_silent_s: an input that has not been heard for so long is silent [s].
        sibling_silent_s: so is a process that serves the loop [s].
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
        resistance_ohm: of packs and wiring [Ω].
        low_v: the robot warns below this voltage [V].
        critical_v: the robot settles below it [V].
        flat_v: power is cut below it, before the supply browns out [V].
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
