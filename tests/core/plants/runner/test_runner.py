"""The running biped in the simulator: what it does when things go wrong, runs and jumps."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.lab.experiments.strides import bump
from core.lab.experiments.strides.conduct import conduct, run_at
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed
from core.lab.script import START_S, Script
from core.link.commands import Command, Hold, StartJump, Stop, Walk
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import Kind
from core.plants.runner.plant import RunnerPlant
from core.safety.modes import LATCHED, Mode
from core.tick.performer import Performer
from devices.interface import Floats

ROBOT = "small_biped"
RUN = Walk(0.25, step=True, gait="run")
AIR_N = 0.5  # a smaller force is none
BESIDE = 50  # ticks beside a planned flight in which the robot may fly


class Run:
    """One run by commands at times; a velocity is repeated, as by an operator who holds a key."""

    def __init__(self, length_s: float, commands: Sequence[tuple[float, Command]]) -> None:
        repeated: list[tuple[float, Command]] = []
        times = [time for time, _ in commands]
        for (time_s, command), end_s in zip(commands, [*times[1:], length_s], strict=True):
            streams = isinstance(command, Walk)
            count = max(1, int((end_s - time_s) / 0.1)) if streams else 1
            repeated += [(time_s + 0.1 * k, command) for k in range(count)]
        self.flies: list[bool] = []
        self.modes: list[Mode] = []
        self.script = Script(length_s, commands=repeated)
        laboratory = Laboratory(robot=ROBOT)
        self.done: Rehearsed = laboratory.run(1, self.script, watch=self._look, may_fall=True)
        rows = self.done.rows
        self.since_s = rows["t"] - START_S
        force = rows["contact_force_true"].reshape(len(rows), -1, 3)[:, :, 2].sum(axis=1)
        self.air = force < AIR_N

    def _look(self, performer: Performer) -> None:
        plant = performer.plant
        assert isinstance(plant, RunnerPlant)
        self.flies.append(plant.strider.reference.kind is Kind.FLIGHT)
        self.modes.append(performer.mode)

    def flights(self) -> Floats:
        """Return the durations of the flights by those of their plans."""
        edges = np.flatnonzero(np.diff(np.array(self.flies, dtype=np.int8)))
        pairs = edges[: len(edges) // 2 * 2].reshape(-1, 2) + 1
        return np.array(
            [self.air[max(0, a - BESIDE) : b + BESIDE].sum() / (b - a) for a, b in pairs]
        )


@pytest.fixture(scope="module")
def held() -> Run:
    """Return a run, a hold in it, and two jumps after that."""
    return Run(8.0, [(0.0, RUN), (3.0, Hold()), (4.5, StartJump(count=2)), (6.9, Walk())])


def test_stop_in_a_run_damps_at_once() -> None:
    run = Run(1.6, [(0.0, RUN), (1.5, Stop())])
    stopped = int(np.searchsorted(run.since_s, 1.5))
    assert run.modes[stopped + 3] in LATCHED
    assert run.modes[stopped - 3] is Mode.WALK
    height = run.done.rows["com_true"][:, 2]
    later = np.searchsorted(run.since_s, 1.75)
    assert height[later] < height[stopped] - 0.03


def test_hold_in_a_run_lands_the_flight_and_stands(held: Run) -> None:
    assert held.script.fell_s is None
    between = (held.since_s > 3.8) & (held.since_s < 4.4)
    assert held.air[between].sum() == 0
    speed = held.done.rows["com_velocity_true"][between, :2]
    assert np.abs(speed).max() < 0.1


def test_it_runs_as_far_as_commanded_and_flies_as_planned(held: Run) -> None:
    way = held.done.rows["com_true"][:, 0]
    begin, end = np.searchsorted(held.since_s, (1.5, 3.0))
    assert 0.8 * 0.25 < (way[end] - way[begin]) / 1.5 < 1.2 * 0.25
    flights = held.flights()[:-2]
    assert len(flights) >= 10
    assert 0.85 < flights.mean() < 1.15
    assert flights.min() > 0.7


def test_it_jumps_as_often_as_commanded(held: Run) -> None:
    jumps = held.flights()[-2:]
    edges = np.flatnonzero(np.diff(np.array(held.flies, dtype=np.int8)))
    assert (held.since_s[edges[::2]] > 4.0).sum() == 2  # the run was held before
    spans = np.diff(edges[-4:])
    assert spans[0] == pytest.approx(100, abs=36)  # ticks
    assert 0.85 < jumps.min()
    assert jumps.max() < 1.15
    tilt = np.abs(held.done.rows["rpy_true"][held.since_s > 4.5, :2]).max()
    assert tilt < np.deg2rad(8.0)


def test_a_run_on_a_floor_that_yields_flies_nearly_as_planned() -> None:
    laboratory = Laboratory(robot=ROBOT)
    body = laboratory.body(8, soft=True)
    run = conduct(laboratory, 8, 4.0, [(0.0, run_at(0.25))], body=body)
    assert run.fell_s is None
    flights = run.ratios(Gait.RUN, begin_s=1.0)
    assert len(flights) > 10
    assert 0.85 < flights.mean() < 1.35
    assert run.tilt_deg() < 12.0


def test_a_sole_that_lands_on_an_edge_stays_at_its_height(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays there until its next step, and the robot runs on."""
    monkeypatch.setattr(bump, "FIRST", 4)
    monkeypatch.setattr(bump, "EVERY", 1000)
    laboratory = Laboratory(robot=ROBOT)
    edge_m = 0.010
    body = laboratory.body(1, bumps_m=edge_m)
    bumps = bump.Bumps(body)
    found: list[float] = []

    def look(performer: Performer) -> None:
        bumps(performer)
        plant = performer.plant
        assert isinstance(plant, RunnerPlant)
        found.append(max(plant.feedback.high))

    run = conduct(laboratory, 1, 3.5, [(0.0, run_at(0.25))], body=body, look=look)
    assert bumps.laid == 1
    assert run.fell_s is None
    assert max(found) == pytest.approx(edge_m, abs=0.003)
    assert found[-1] == 0.0
    assert run.tilt_deg() < 12.0
