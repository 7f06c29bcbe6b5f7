"""The gaits of a robot besides standing and walking, as plain data: runs and jumps."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from shows.fields import FlightTime, JumpCount, JumpTurn, JumpWay

Reason: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
LargestSpeed: TypeAlias = Annotated[float, Meta(gt=0.0, le=3.0)]
LargestWay: TypeAlias = Annotated[float, Meta(ge=0.0, le=0.5)]
LargestTurn: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]

JUMP_REST_S = 0.4
"""Time that jumps take beside their periods, for a robot that must come to rest first [s]."""
PUSH_S = 0.2
"""Time from the request of a jump to its lift-off, of a robot that is not known [s]."""
ROUNDING = 1e-9  # of a value in its unit, beyond a bound that is computed


class RunRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The largest velocities of a run.

    Attributes:
        forward: forward and backward [m/s].
        sideways: to either side [m/s].
        turning: yaw rate [rad/s].
    """

    forward: LargestSpeed
    sideways: LargestSpeed
    turning: LargestSpeed

    def faults(self, vx: float, vy: float, yaw_rate: float) -> Iterator[tuple[str, str]]:
        """Yield the name of each velocity of a run that is beyond the range, and the reason."""
        for name, value, most, unit in (
            ("vx", vx, self.forward, "m/s"),
            ("vy", vy, self.sideways, "m/s"),
            ("yaw_rate", yaw_rate, self.turning, "rad/s"),
        ):
            if abs(value) > most:
                reason = f"{value:g} {unit} is beyond the robot's range of {most:g} {unit} in a run"
                yield name, reason


class Jump(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """Jumps with both feet, as they are requested. Each request is a new object.

    Attributes:
        count: number of jumps.
        flight_s: duration of a flight [s]; 0: as the robot's profile says.
        dx: way of a jump forward [m].
        dy: way of a jump to the left [m].
        turn: turn of a jump to the left [rad].
        period_s: time from jump to jump [s]; 0: as the profile says.
    """

    count: JumpCount = 1
    flight_s: FlightTime = 0.0
    dx: JumpWay = 0.0
    dy: JumpWay = 0.0
    turn: JumpTurn = 0.0
    period_s: FlightTime = 0.0


class JumpRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far the robot may jump.

    Attributes:
        flight_s: longest flight [s].
        period_s: shortest time from jump to jump [s].
        usual_flight_s: flight of a jump that names none [s].
        usual_period_s: time from jump to jump of jumps that name none [s].
        forward: largest way forward, in the longest flight [m].
        sideways: largest way to either side [m].
        turn: largest turn [rad].
        backward: largest way backward, in the longest flight [m]; None: as forward.
        push_s: time from a request to the lift-off of a robot that stands [s]; the profile takes
            it from the settings of the plant.
    """

    flight_s: FlightTime
    period_s: FlightTime
    usual_flight_s: FlightTime
    usual_period_s: FlightTime
    forward: LargestWay
    sideways: LargestWay
    turn: LargestTurn
    backward: LargestWay | None = None
    push_s: FlightTime = PUSH_S

    def faults(self, jump: Jump) -> Iterator[tuple[str, str]]:
        """Yield the name of each value of a jump that is beyond the range, and the reason."""
        backward, forward = self.ways(jump.flight_s)
        flight = f"a flight of {jump.flight_s or self.usual_flight_s:g} s"
        for name, value, most, unit, where in (
            ("flight_s", jump.flight_s, self.flight_s, "s", "a jump"),
            ("dx", jump.dx, forward if jump.dx > 0.0 else backward, "m", flight),
            ("dy", jump.dy, self.sideways, "m", "a jump"),
            ("turn", jump.turn, self.turn, "rad", "a jump"),
        ):
            if abs(value) > most + ROUNDING:
                reason = (
                    f"{value:g} {unit} is beyond the robot's range of {most:g} {unit} in {where}"
                )
                yield name, reason
        period_s, least_s = jump.period_s, self.period_s
        if 0.0 < period_s < least_s:
            reason = f"{period_s:g} s is shorter than the robot's shortest jump, {least_s:g} s"
            yield "period_s", reason

    def ways(self, flight_s: float) -> tuple[float, float]:
        """Return the largest way backward and forward of a jump [m].

        The legs swing over the way within the flight: a shorter one leads less far.

        Args:
            flight_s: duration of the flight [s]; 0: the usual one.
        """
        share = min(1.0, (flight_s or self.usual_flight_s) / self.flight_s)
        backward = self.forward if self.backward is None else self.backward
        return share * backward, share * self.forward

    def length_s(self, count: int, period_s: float = 0.0) -> float:
        """Return how long jumps take until the robot is at rest [s].

        Args:
            count: number of jumps.
            period_s: time from jump to jump [s]; 0: the usual one.
        """
        return JUMP_REST_S + count * (period_s or self.usual_period_s)


class GaitRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The runs and jumps of a robot, and why it refuses those that it does not have.

    Attributes:
        run: None if the robot does not run.
        jump: None if the robot does not jump.
        refused: why it does not, by "run" and "jump".
    """

    run: RunRange | None = None
    jump: JumpRange | None = None
    refused: dict[str, Reason] = {}

    def refusal(self, gait: str) -> str:
        """Return why the robot does not run or jump; empty if it does."""
        if getattr(self, gait) is not None:
            return ""
        return self.refused.get(gait, f"the robot does not {gait}")
