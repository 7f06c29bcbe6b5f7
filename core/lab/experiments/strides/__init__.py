"""The experiments of the dynamics filter: walking, running and jumping with one planner.

The paper is that of QRIO's integrated motion control.
"""

from core.lab.experiments.strides import filter, jump, run, show, transitions

EXPERIMENTS = (
    filter.EXPERIMENT,
    jump.EXPERIMENT,
    run.EXPERIMENT,
    transitions.EXPERIMENT,
    show.EXPERIMENT,
)
