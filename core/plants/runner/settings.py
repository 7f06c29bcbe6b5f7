"""The settings of a running biped: the table `[runner]` of its profile."""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.plants.biped.settings import Estimator
from core.plants.dynamics_filter.settings import Strides
from core.plants.pace import Pace
from core.robot import bounds
from shows.gaits import GaitRange


class Follow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the body follows a plan.

    Attributes:
        position_rate: pole of the error of the reference of the joints [1/s].
        spin_rate: rate at which the base returns to upright, by angular momentum [1/s].
        spin_inertia: inertia of the body above the legs about a horizontal axis [kg·m²].
        level_rate: this rate in gaits without flights [1/s].
        holds_spin: the angular momentum is led, as base and legs move; else the base is upright.
        feed_forward: part of the torque by inverse dynamics that is commanded.
        capture_share: part of the capture point's error that a new plan takes over.
        bias_s: time in which an error that stays is no longer taken over [s].
        heading_share: part of the heading's error by which a step turns.
        largest_turn: bound of this turn [rad].
        tilt_gain: correction of the ankles by tilt of the base in stance [rad/rad].
        tilt_rate_gain: the same by rate of the tilt [s].
        largest_level: bound of this correction [rad].
        swing_share: part of the tilt against which a sole in the air is turned and lifted.
        lift_off_share: part of the error of a lift-off's speed that changes the flight's duration.
        late_descent_m_s: speed at which a late foot descends [m/s].
        largest_descent: bound of its descent [m].
        early_s: an earlier touchdown begins the stance at once [s].
        largest_depth: how much lower or higher than planned a sole is led at a touchdown, at
            most; touchdowns change it [m].
        largest_yield_m_s: how fast the sole of a push yields at the lift-off, at most; flights
            change it [m/s].
    """

    position_rate: bounds.Pole
    spin_rate: bounds.Pole
    spin_inertia: Annotated[float, Meta(gt=0.0, le=10.0)]
    level_rate: bounds.Pole
    holds_spin: bool = True
    feed_forward: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0
    capture_share: Annotated[float, Meta(ge=0.0, le=0.5)]
    bias_s: bounds.RiseTime
    heading_share: Annotated[float, Meta(ge=0.0, le=0.5)]
    largest_turn: bounds.SmallAngle
    tilt_gain: Annotated[float, Meta(ge=0.0, le=5.0)]
    tilt_rate_gain: Annotated[float, Meta(ge=0.0, le=1.0)]
    largest_level: bounds.SmallAngle
    swing_share: Annotated[float, Meta(ge=0.0, le=1.5)]
    lift_off_share: Annotated[float, Meta(ge=0.0, le=1.0)]
    late_descent_m_s: bounds.Speed
    largest_descent: bounds.Margin
    early_s: bounds.Pause
    largest_depth: bounds.Margin
    largest_yield_m_s: bounds.Speed


class Runner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a biped that walks, runs and jumps by the dynamics filter.

    Attributes:
        gaits: its runs and jumps.
        pace: largest velocities and accelerations of walking; a run has the same accelerations.
        strides: of the filter.
        follow: how the body follows a plan.
        estimator: noise that the state estimator expects.
    """

    gaits: GaitRange
    pace: Pace
    strides: Strides
    follow: Follow
    estimator: Estimator
