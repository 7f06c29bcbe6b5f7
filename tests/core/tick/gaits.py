"""Runs and jumps of a robot, for tests of whoever orders them."""

from shows.gaits import GaitRange, JumpRange, RunRange

GAITS = GaitRange(
    run=RunRange(forward=0.3, sideways=0.1, turning=0.5),
    jump=JumpRange(
        flight_s=0.12,
        period_s=0.6,
        usual_flight_s=0.1,
        usual_period_s=1.0,
        forward=0.06,
        sideways=0.03,
        turn=0.2,
    ),
)
