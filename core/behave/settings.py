"""What may be tuned of the motion manager."""

from typing import Annotated

import msgspec
from msgspec import Meta

Seconds = Annotated[float, Meta(gt=0.0, le=10.0)]
Speed = Annotated[float, Meta(gt=0.0, le=100.0)]
Angle = Annotated[float, Meta(ge=-7.0, le=7.0)]


class MotionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the upper body moves between what it is asked to do.

    Attributes:
        rest_q: the rest posture, one angle a joint in the joint table's order (n) [rad].
        seed: of idle life.
        idle: idle life is on from the start.
        transition_s: duration of a transition where none is asked for (paper, IV-C) [s].
        shortest_s: no transition is shorter [s].
        longest_s: no transition is asked to be longer; one that would be too fast is
            lengthened beyond, up to `patience_s` [s].
        patience_s: no transition is longer, whatever its speed [s].
        transition_speed: largest speed within a transition [rad/s]; a joint's own limit may
            be lower.
        freeze_s: time to come to a stop, and to full speed again [s].
        joystick_s: duration of the transition to the joystick [s].
        joystick_stiffness: natural frequency of the follower [rad/s].
        joystick_speed: largest speed of the head by hand [rad/s].
        joystick_acceleration: its largest acceleration [rad/s²].
        limit_margin: what references keep free of the joint limits [rad].
        limit_band: over which they are bent away from the limits [rad].
    """

    rest_q: tuple[Angle, ...]
    seed: int = 0
    idle: bool = True
    transition_s: Seconds = 1.0
    shortest_s: Seconds = 0.3
    longest_s: Seconds = 2.0
    patience_s: Seconds = 8.0
    transition_speed: Speed = 4.0
    freeze_s: Seconds = 0.15
    joystick_s: Seconds = 0.3
    joystick_stiffness: Speed = 14.0
    joystick_speed: Speed = 2.5
    joystick_acceleration: Speed = 30.0
    limit_margin: Seconds = 0.005
    limit_band: Seconds = 0.03
