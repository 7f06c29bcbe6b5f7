"""The plant: when it learns from feet that stand, and when it does not."""

import numpy as np
import pytest

from core.link.commands import BackDrive, Command, Head, ReleaseHead, StandUp, Walk
from core.plants.biped.plant import BipedPlant, biped_of
from core.safety.modes import Mode
from tests.core.rig import TICK_S, Rig, SimulatedRig

READY_S = 2.5


class Watched:
    """Takes the place of what learns from feet that rest, and notes when they do."""

    def __init__(self) -> None:
        self.rests = False
        self.turn = 0.0

    def watch(self, _: object, rests: bool) -> float:
        self.rests = rests
        turn, self.turn = self.turn, 0.0
        return turn

    def reset(self) -> None: ...


def watched(plant: BipedPlant, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Return the watch that a plant has instead of its own."""
    watch = Watched()
    monkeypatch.setattr(plant, "_heading", watch)
    return watch


def rest_share(rig: SimulatedRig, watch: Watched, time_s: float, *commands: Command) -> float:
    """Advance, and return for which share of the time the feet rest."""
    rests = []
    for tick in range(round(time_s / TICK_S)):
        rig.tick(*(commands if tick % 100 == 0 else ()))
        rests.append(watch.rests)
    return float(np.mean(rests))


def test_feet_rest_unless_the_robot_is_pushed_guided_or_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = SimulatedRig()
    watch = watched(biped_of(rig.performer.plant), monkeypatch)
    assert rest_share(rig, watch, 0.2) == 0.0
    rest_share(rig, watch, READY_S, StandUp())
    assert rig.mode is Mode.READY
    assert rest_share(rig, watch, 0.5) == 1.0
    rig.body.push(np.array([0.0, 10.0, 0.0]), 1.0)
    rest_share(rig, watch, 0.4)
    assert rest_share(rig, watch, 0.5) == 0.0, "somebody pushes"
    rest_share(rig, watch, 2.0)
    assert rest_share(rig, watch, 0.3) == 1.0
    rig.tick(Head(0.3, 0.1))
    assert rest_share(rig, watch, 0.5) == 0.0, "a limb moves"
    rest_share(rig, watch, 1.5, ReleaseHead())
    assert rest_share(rig, watch, 0.3) == 1.0
    rest_share(rig, watch, 0.5, Walk(vx=0.1))
    assert rest_share(rig, watch, 0.5, Walk(vx=0.1)) == 0.0, "it walks"
    rest_share(rig, watch, 3.0)
    assert rest_share(rig, watch, 0.3) == 1.0
    rig.tick(BackDrive({"left_arm": "floating"}))
    assert rest_share(rig, watch, 0.5) == 0.0, "a person moves a limb, and may pull"


def test_the_desired_heading_follows_a_correction_of_the_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = Rig()
    plant = biped_of(rig.performer.plant)
    watch = watched(plant, monkeypatch)
    rig.wait(0.2)
    rig.tick(StandUp())
    rig.wait(2.0)
    rig.expect(Mode.READY)
    yaw = plant.walker.reference.torso_rpy[2]
    watch.turn = 0.01
    rig.tick()
    assert plant.walker.reference.torso_rpy[2] - yaw == pytest.approx(0.01, abs=1e-4)
