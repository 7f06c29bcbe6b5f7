"""The settings of the limbs: the tables [motion], [look] and [floating] of a robot's profile."""

from typing import Annotated

import msgspec
from msgspec import Meta

Seconds = Annotated[float, Meta(gt=0.0, le=10.0)]
Speed = Annotated[float, Meta(gt=0.0, le=100.0)]
Margin = Annotated[float, Meta(gt=0.0, le=0.5)]
Azimuth = Annotated[float, Meta(gt=0.0, le=3.0)]
Distance = Annotated[float, Meta(ge=0.3, le=20.0)]
Fraction = Annotated[float, Meta(gt=0.0, le=1.0)]
Variation = Annotated[float, Meta(ge=0.0, le=0.2)]
LoadKg = Annotated[float, Meta(ge=0.0, le=5.0)]


class MotionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the transitions between requested motions.

    Attributes:
        velocity_share: velocity limit of motions as a fraction of the no-load speed; the rest
            leaves torque.
        transition_s: default duration of a transition (paper, IV-C) [s].
        shortest_s: least duration of a transition [s].
        longest_s: longest duration that may be asked for [s]; a transition that would be too fast
            is lengthened beyond, up to `patience_s`.
        patience_s: longest duration of a transition, whatever its speed [s].
        transition_speed: largest speed in a transition [rad/s]; a joint's own limit may be lower.
        transition_acceleration: largest acceleration of a joint that leaves rest, or comes to it,
            in a transition [rad/s²].
        freeze_s: duration of a freeze's ramp to standstill, and back to full speed [s].
        joystick_s: duration of the transition to the joystick [s].
        joystick_stiffness: natural frequency of the follower [rad/s].
        joystick_speed: largest speed of the gaze under the joystick [rad/s].
        joystick_acceleration: its largest acceleration [rad/s²].
        joystick_body_s: duration of the transition to the joystick of the body [s].
        joystick_body_stiffness: natural frequency of its follower, whose speed and acceleration
            have the limits of the body [rad/s].
        live_s: duration of the transition to a person who is followed [s].
        live_stiffness: natural frequency of the joints' follower [rad/s].
        live_speed: largest speed of a joint that follows a person [rad/s].
        live_acceleration: its largest acceleration [rad/s²].
        live_pressure: farthest way by which the acceleration of one such joint, or of the torso's
            roll or pitch, may move the pressure under standing feet [m]; those of several add up.
        live_body_stiffness: natural frequency of the body's follower, whose speed and acceleration
            have the limits of the body, too [rad/s].
        limit_margin: distance that references keep from the joint limits [rad].
        limit_band: range over which references are bent away from the limits [rad].
        size_variation: by which a performance of a clip is smaller at most, as a share.
        tempo_variation: by which it is faster or slower at most, as a share.
    """

    velocity_share: Fraction = 0.6
    transition_s: Seconds = 1.0
    shortest_s: Seconds = 0.3
    longest_s: Seconds = 2.0
    patience_s: Seconds = 8.0
    transition_speed: Speed = 4.0
    transition_acceleration: Speed = 40.0
    freeze_s: Seconds = 0.15
    joystick_s: Seconds = 0.3
    joystick_stiffness: Speed = 14.0
    joystick_speed: Speed = 2.5
    joystick_acceleration: Speed = 30.0
    joystick_body_s: Seconds = 0.6
    joystick_body_stiffness: Speed = 5.0
    live_s: Seconds = 0.5
    live_stiffness: Speed = 18.0
    live_speed: Speed = 6.0
    live_acceleration: Speed = 80.0
    live_pressure: Margin = 0.02
    live_body_stiffness: Speed = 8.0
    limit_margin: Margin = 0.005
    limit_band: Margin = 0.03
    size_variation: Variation = 0.04
    tempo_variation: Variation = 0.03


class LookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the look at a point of the room.

    Attributes:
        comfortable: azimuth of the point, from the heading of the soles, beyond which the torso
            turns after the head [rad].
        delay_s: time for which the point is beyond it before the torso turns [s].
        turn_stiffness: natural frequency of the torso's turn [rad/s].
        turn_speed: its largest speed [rad/s].
        turn_acceleration: its largest acceleration [rad/s²].
        distance: from the eye of a point that is held where the head looks [m].
        shift_speed: largest speed at which a stick shifts the point, as seen from the eye [rad/s].
    """

    comfortable: Azimuth = 0.7
    delay_s: Seconds = 0.4
    turn_stiffness: Speed = 4.0
    turn_speed: Speed = 0.4
    turn_acceleration: Speed = 1.5
    distance: Distance = 2.0
    shift_speed: Speed = 0.8


class FloatingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of limbs that a person moves.

    A floating joint yields to a torque of this share of the largest torque that gravity can exert
    on it.

    Attributes:
        loose: share at the feel `loose`.
        normal: share at the feel `normal`.
        stiff: share at the feel `stiff`.
        damping: of a floating joint, as a share of its damping when it is driven.
        yield_speed: speed at which a floating joint yields at most; a faster pull stretches its
            spring [rad/s].
        brake_s: time in which it brakes before a wall: it yields no faster than its distance from
            the wall by this time [s].
        wall_rad: distance from the joint limits at which a floating joint feels a wall [rad].
        largest_load_kg: that can be entered for a hand: an entry that is wrong by so much must not
            throw the robot over [kg].
    """

    loose: Fraction = 0.05
    normal: Fraction = 0.13
    stiff: Fraction = 0.25
    damping: Fraction = 0.25
    yield_speed: Speed = 3.0
    brake_s: Seconds = 0.2
    wall_rad: Margin = 0.05
    largest_load_kg: LoadKg = 1.0
