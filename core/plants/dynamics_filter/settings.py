"""The settings of the dynamics filter: heights, times, feet and pressure of its gaits."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from core.robot import bounds

Duration: TypeAlias = Annotated[float, Meta(gt=0.0, le=2.0)]
ShortTime: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.1)]
Bend: TypeAlias = Annotated[float, Meta(ge=0.0, le=6.0)]
ShiftWeight: TypeAlias = Annotated[float, Meta(gt=0.0, le=100.0)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A TOML table that refuses unknown keys."""


class Heights(_Table, frozen=True):
    """Heights of the CoM above the ground [m].

    Attributes:
        stand: of a robot that stands, walks, or is between two flights.
        crouch: of a robot that settles.
        lift_off: at the beginning of a run's flight.
        touchdown: at the end of a run's flight.
        jump: at both ends of a jump's flight; the lower, the slower its knees stretch.
    """

    stand: bounds.Height
    crouch: bounds.Height
    lift_off: bounds.Height
    touchdown: bounds.Height
    jump: bounds.Height


class Times(_Table, frozen=True):
    """Durations of the parts of a gait [s].

    Attributes:
        rise_s: standing up, and settling.
        stand_s: rest at the end of a plan.
        shift_s: shift of the weight before a first step.
        absorb_s: from a touchdown to the usual height.
        push_s: from the usual height to a lift-off.
        walk_double_s: both feet stand, in walking.
        walk_single_s: one foot stands, in walking.
        run_stance_s: one foot stands, in running.
        run_flight_s: flight of running.
        jump_s: from jump to jump.
        jump_flight_s: flight of a jump.
    """

    rise_s: bounds.RiseTime
    stand_s: Duration
    shift_s: Duration
    absorb_s: Duration
    push_s: Duration
    walk_double_s: Duration
    walk_single_s: Duration
    run_stance_s: Duration
    run_flight_s: Duration
    jump_s: Duration
    jump_flight_s: Duration


class Feet(_Table, frozen=True):
    """How the feet move, and how far a plan may move a footstep.

    Attributes:
        step_width: between the soles [m].
        apex: height of the sole in the middle of a step [m].
        jump_apex: height of the soles in the middle of a jump [m].
        jump_start: acceleration of the soles along a jump at its lift-off, by way / flight².
        jump_stop: their deceleration before its touchdown, by way / flight². A motor has less
            torque to accelerate a leg that is fast than to brake it.
        reach_forward: largest shift of a footstep forward or back [m].
        reach_out: largest shift outward [m].
        reach_in: largest shift inward [m].
        shift_weight: weight of the shift of a step beside that of the pressure.
        jump_weight: the same of a jump's footsteps, which lead it as far as it is ordered.
        freeze_s: a footstep is fixed for the end of its step [s].
    """

    step_width: bounds.Reach
    apex: bounds.Apex
    jump_apex: bounds.Apex
    jump_start: Bend
    jump_stop: Bend
    reach_forward: bounds.Reach
    reach_out: bounds.Reach
    reach_in: bounds.Reach
    shift_weight: ShiftWeight
    jump_weight: ShiftWeight
    freeze_s: bounds.Pause


class Strides(_Table, frozen=True):
    """The settings of the dynamics filter.

    Attributes:
        heights: of the CoM.
        times: durations of the parts of a gait.
        feet: how the feet move.
        landings: touchdowns that a plan contains before the robot stands.
        term_s: longest term of the series [s].
        replan_s: a plan is renewed after this time [s].
        hold_s: the pressure at the end of a shorter phase is not changed [s].
        rate: λ of every stance [1/s], as in the paper's approximation; 0: by the vertical motion.
    """

    heights: Heights
    times: Times
    feet: Feet
    landings: Annotated[int, Meta(ge=1, le=6)]
    term_s: ShortTime
    replan_s: ShortTime
    hold_s: ShortTime
    rate: Annotated[float, Meta(ge=0.0, le=20.0)] = 0.0
