"""The records that the walker's kernels share: numbers of the gait, and the state of a step."""

from core.plants.biped.settings import Biped
from core.records import Record, make_record, record_of


def gait_record(biped: Biped, closing_along: float) -> Record:
    """Return the numbers of the gait.

    Args:
        biped: settings of the robot.
        closing_along: farthest place of the capture point before or behind the stance foot, at
            which a step closes the stance [m].
    """
    gait, adaptation, pressure, pushed = biped.gait, biped.adaptation, biped.pressure, biped.pushed
    return record_of(
        reach_forward=gait.reach_forward,
        reach_out=gait.reach_out,
        reach_in=gait.reach_in,
        apex=gait.apex,
        late_descent_m_s=gait.late_descent_m_s,
        load_s=gait.load_s,
        force_max=biped.constraints.force_max,
        momentum_rate=adaptation.momentum_rate,
        offset_rate=adaptation.offset_rate,
        largest_offset=adaptation.largest_offset,
        largest_rise=adaptation.largest_rise,
        pressure_rate=0.0 if pressure is None else pressure.rate,
        largest_pressure=0.0 if pressure is None else pressure.largest,
        push_share=0.0 if pushed is None else pushed.step_share,
        push_rate=0.0 if pushed is None else pushed.step_rate,
        closing_along=closing_along,
    )


def walk_memory() -> Record:
    """Return the state of a step, all zero.

    For each foot: `loaded_since_s` (2) and the CoM's `offset` from the model in the heading frame
    over that foot (2, 2) [m]. Of the swing foot: `lift_off` and `target` (3) [m]. In world axes:
    the `lever` of the CoM from the stance sole (2) [m], and the effective velocity,
    `measured_velocity` and observed `velocity` (2) [m/s]; `push` and `bias` of `ForceObserver` (2)
    [m], the share of the push that a step `believes` (1), its `expected_push` (2) [m], and the
    ground's `slope` (2). In the heading frame: the `command` (3) and its `correction` (2), and
    the `stagger` that is added to the left foot's way ahead and subtracted from the right one's (1)
    [m]. Of the stance: `step_width` in place and its correction `widening` (1) [m]; 1 if this step
    `closes` the stance where that is possible, and 1 if its present target has `closed` it, else 0
    (1).
    """
    return make_record(
        loaded_since_s=2,
        lift_off=3,
        target=3,
        offset=(2, 2),
        lever=2,
        measured_velocity=2,
        velocity=2,
        command=3,
        correction=2,
        slope=2,
        push=2,
        expected_push=2,
        bias=2,
        believes=1,
        step_width=1,
        widening=1,
        stagger=1,
        closes=1,
        closed=1,
    )
