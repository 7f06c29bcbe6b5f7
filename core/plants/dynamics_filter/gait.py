"""The gaits of the dynamics filter, and an order of one."""

from enum import IntEnum

import msgspec


class Gait(IntEnum):
    """A way to move over the ground."""

    STAND = 0
    WALK = 1
    RUN = 2
    JUMP = 3


class GaitOrder(msgspec.Struct, frozen=True):
    """An order to the planner. Each object of a counted order is a new one.

    Attributes:
        gait: gait to change to.
        stride: way of a step or jump forward [m], to the left [m] and its turn [rad].
        count: jumps, after which the robot stands; 0: until the next order.
        step_s: time from step to step, or from jump to jump [s]; 0: as the profile says.
        flight_s: duration of a flight [s]; 0: as the profile says.
        height: of the CoM between flights and in other gaits [m]; 0: as the profile says.
        foot: index of the foot that a walk from rest lifts first; -1: as its way asks.
    """

    gait: Gait = Gait.STAND
    stride: tuple[float, float, float] = (0.0, 0.0, 0.0)
    count: int = 0
    step_s: float = 0.0
    flight_s: float = 0.0
    height: float = 0.0
    foot: int = -1
