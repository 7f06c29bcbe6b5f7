"""The show of a robot that runs and jumps: it plays to its end, and the flights are as planned."""

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.conduct import Run, Watch, add_flights, flight_bars
from core.lab.laboratory import Laboratory
from core.plants.dynamics_filter.gait import Gait
from core.run.autopilot import Autopilot


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    watch = Watch()
    done = lab.run(seed, Autopilot(), show=lab.sample_show, watch=watch)
    fell_s = float(done.rows["t"][-1]) if done.failed else None
    found = Run(done, watch, (), fell_s)
    figures: Figures = {}
    for name, gait in (("run", Gait.RUN), ("jump", Gait.JUMP)):
        add_flights(figures, name, found.ratios(gait))
        figures[f"{name}_falls"] = float(done.failed)
    figures["tilt_deg"] = found.tilt_deg()
    return Measured(figures)


EXPERIMENT = Experiment(
    "strides/show",
    "the robot's show with runs and jumps",
    run,
    (
        Bar("run_flights", "flights of runs", at_least=1.0),
        *flight_bars("run", "runs", strict=True),
        Bar("jump_flights", "flights of jumps", at_least=1.0),
        *flight_bars("jump", "jumps", strict=True),
        Bar("tilt_deg", "roll or pitch of the base, at most", "°"),
    ),
)
