"""A person pulls at the hand of the standing robot, whose arm is raised and held, or floats."""

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.floating import AWAKE_S, RELEASE_S, Arm, release_commands
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.tick.performer import Performer
from shows.limbs import LimbFreedom

PULL_N, PULL_S = 15.0, 2.0
DIRECTIONS = {"+x": (1.0, 0.0), "-x": (-1.0, 0.0), "+y": (0.0, 1.0), "-y": (0.0, -1.0)}
FREEDOMS: tuple[LimbFreedom, ...] = ("held", "floating")
CONTROL_N, CONTROL = 60.0, "+x"  # a pull against which nobody stands
AFTER_S = 3.0


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    for freedom in FREEDOMS:
        for name in DIRECTIONS:
            figures[f"fall_{freedom}_{name}"] = _falls(lab, seed, freedom, name, PULL_N)
    figures["control"] = _falls(lab, seed, FREEDOMS[0], CONTROL, CONTROL_N)
    return Measured(figures)


def _falls(lab: Laboratory, seed: int, freedom: LimbFreedom, name: str, newtons: float) -> float:
    """Return 1 if the robot falls when its hand is pulled in a direction, 0 otherwise."""
    arm, body = Arm(lab.profile, 0), lab.body(seed)
    force = newtons * np.array((*DIRECTIONS[name], 0.0))
    asked = START_S + RELEASE_S + AWAKE_S
    commands = release_commands((arm,), {arm.limb: freedom})
    script = Script(RELEASE_S + AWAKE_S + PULL_S + AFTER_S, commands=commands)

    def pull(performer: Performer) -> None:
        if asked <= performer.plant.state.stamp_s < asked + PULL_S:
            body.push_body(arm.hand, force, lab.profile.tick_s)

    done = lab.run(seed, script, body=body, watch=pull, keep=False, may_fall=True)
    return float(done.failed)


EXPERIMENT = Experiment(
    "pull",
    "15 N at a hand of the standing robot for 2 s",
    run,
    (
        *(
            Bar(f"fall_{freedom}_{name}", f"falls, {name} at a {freedom} hand", at_most=0.0)
            for freedom in FREEDOMS
            for name in DIRECTIONS
        ),
        Bar("control", "control: falls at 60 N", at_least=1.0),
    ),
    beside=False,
)
