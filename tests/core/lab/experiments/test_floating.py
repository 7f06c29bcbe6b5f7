"""Limbs moved by hand: the measures are known because they were made up; a short run is whole."""

from typing import Any

import msgspec
import numpy as np
import pytest

from core.lab.experiments import floating
from core.lab.experiments.floating import (
    DROP_DEG,
    EXPERIMENT,
    FRICTIONS,
    LIGHT,
    MASSES,
    MOVED_M,
    Arm,
    Lengths,
    Tug,
    travel,
)
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.record.schema import tick_dtype

JOINTS = 28


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory()


@pytest.fixture(scope="module")
def arm(lab: Laboratory) -> Arm:
    return Arm(lab.profile, 0)


def test_an_arm_is_found_by_its_grip(lab: Laboratory, arm: Arm) -> None:
    grips = lab.profile.grips
    other = Arm(lab.profile, 1)
    assert (arm.hand, other.hand) == (grips[0].body, grips[1].body)
    assert arm.limb != other.limb and not set(arm.columns) & set(other.columns)
    assert set(arm.pose) == {lab.profile.joint_names[column] for column in arm.columns}


def test_an_arm_that_is_light_is_light_alone(lab: Laboratory, arm: Arm) -> None:
    body = lab.body(0)
    before = body.model.body_mass.copy()
    floating._weigh(body, arm, LIGHT)
    changed = np.flatnonzero(body.model.body_mass != before)
    assert set(changed) <= set(arm.links(body.model)) and body.model.body(arm.hand).id in changed
    assert body.model.body_mass[changed] == pytest.approx(LIGHT * before[changed])


def test_travel_is_the_farthest_that_a_joint_of_the_arm_comes_in_the_time(arm: Arm) -> None:
    rows = np.zeros(10_000, dtype=tick_dtype(JOINTS, 5, True))
    rows["t"] = START_S + 0.001 * np.arange(len(rows))
    rows["q_true"][2000:3000, arm.columns[1]] = -0.1  # and back
    rows["q_true"][:, arm.columns[0]] = 0.5
    other = next(joint for joint in range(JOINTS) if joint not in arm.columns)
    rows["q_true"][3000:, other] = 2.0
    assert travel(rows, arm, 1.0, 5.0) == pytest.approx(np.degrees(0.1), rel=1e-4)
    assert travel(rows, arm, 4.0, 5.0) == 0.0
    assert np.isnan(travel(rows, arm, 20.0, 1.0))


class Held:
    """As much of a simulated body as a hand that pulls needs."""

    class _Data:
        def __init__(self) -> None:
            self.qpos = np.zeros(7)
            self.place = np.array([0.3, 0.2, 0.1])

        def body(self, name: str) -> Any:
            return self

        @property
        def xpos(self) -> Any:
            return self.place

    def __init__(self) -> None:
        self.data = self._Data()
        self.forces: list[Any] = []

    def push_body(self, name: str, force: Any, duration_s: float) -> None:
        self.forces.append(force)


def test_the_force_counts_at_which_the_hand_has_moved(arm: Arm) -> None:
    body, tug = Held(), Tug(arm)
    for newtons in (0.1, 0.2, 0.3):
        tug.pull(body, newtons, 0.001)
    assert np.isnan(tug.force)
    lengths = [float(np.linalg.norm(force)) for force in body.forces]
    assert lengths == pytest.approx([0.1, 0.2, 0.3])
    assert body.forces[0] @ body.data.place == pytest.approx(0.0, abs=1e-12)  # across the arm
    body.data.place = body.data.place + [0.0, 1.1 * MOVED_M, 0.0]
    tug.pull(body, 0.4, 0.001)
    tug.pull(body, 0.5, 0.001)
    assert tug.force == 0.4 and len(body.forces) == 3


def test_a_hand_that_moves_with_the_robot_has_not_moved(arm: Arm) -> None:
    body, tug = Held(), Tug(arm)
    tug.pull(body, 0.1, 0.001)
    body.data.place = body.data.place + 0.5
    body.data.qpos[:3] += 0.5
    tug.pull(body, 0.2, 0.001)
    assert np.isnan(tug.force)


def test_every_bar_is_the_issues() -> None:
    most = {bar.figure: bar.at_most for bar in EXPERIMENT.bars}
    for mass in MASSES:
        for friction in FRICTIONS:
            assert most[f"drift_{mass}_{friction}"] == 2.0
            assert most[f"force_{mass}_{friction}"] == 2.0
            assert most[f"begin_{mass}_{friction}"] == most[f"end_{mass}_{friction}"] == DROP_DEG
    assert not EXPERIMENT.bars[0].holds(float("nan"))  # what was not measured fails


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_short_run_measures_every_figure(lab: Laboratory) -> None:
    figures = floating.run(lab, 0, Lengths(float_s=2.0, most_n=2.0)).figures
    assert set(figures) == {bar.figure for bar in EXPERIMENT.bars}
    failed = [bar.figure for bar in EXPERIMENT.bars if not bar.holds(figures[bar.figure])]
    assert not failed


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_floating_arm_without_the_bristle_would_fail(
    lab: Laboratory, arm: Arm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: gravity alone, as in the paper, lets an arm of wrong mass fall."""
    settings = lab.profile.floating
    gravity_alone = type(settings)(loose=1e-4, normal=1e-4, stiff=1e-4)
    limp = msgspec.structs.replace(lab.profile, floating=gravity_alone)
    monkeypatch.setattr(lab, "profile", limp)
    figures = {"falls": 0.0}
    floating._float(lab, 0, (arm,), {arm.limb: "heavy"}, "creep", Lengths(1.5, 0.0), figures)
    assert figures["begin_heavy_creep"] > DROP_DEG
