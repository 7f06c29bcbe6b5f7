"""The experiments of the dynamics filter: measures of records that were made up, and short runs."""

import math
from typing import Any

import numpy as np
import pytest

from core.errors import CoreError
from core.lab.experiments.strides import filter as pure
from core.lab.experiments.strides import jump, push, run, transitions
from core.lab.experiments.strides.body import move
from core.lab.experiments.strides.bump import BURIED_M, Bumps
from core.lab.experiments.strides.conduct import (
    STOP,
    Flight,
    Motion,
    Orders,
    Run,
    Watch,
    ablations,
    conduct,
    run_at,
    runner_of,
)
from core.lab.experiments.strides.planner import TOUR, USUAL
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Listener, Rehearsed
from core.lab.script import START_S
from core.link.commands import StartJump, Walk
from core.plants.build import build_plant
from core.plants.dynamics_filter.gait import Gait
from core.record.schema import tick_dtype
from core.robot.profile_file import load_profile
from devices.interface import Support

ORDERS: Orders = ((0.0, run_at(0.25)), (2.0, StartJump(1)), (3.6, STOP))


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory(robot="small_biped")


def made_up(force: Any, flights: list[Flight], fell_s: float | None = None) -> Run:
    """Return a run of 3 s with a vertical force, every ms, after the start."""
    rows = np.zeros(3000, dtype=tick_dtype(38, 7, True))
    rows["t"] = START_S + 0.001 * np.arange(3000)
    upward = rows["contact_force_true"].reshape(3000, -1)
    upward[:, 2] = force
    watch = Watch()
    watch.flights = flights
    plan = (0.0, Gait.RUN, 1.0, 1.0, 0.0, 0.0, *[0.0] * 16)
    watch.plans = [(START_S, *plan[1:]), (START_S + 1.0, *plan[1:])]
    report: Any = None
    return Run(Rehearsed(report, rows, Listener()), watch, (), fell_s)


def test_a_flight_counts_within_its_plan_and_50_ms_beside_it() -> None:
    since = 0.001 * np.arange(3000)
    force = np.full(3000, 100.0)
    force[(since > 0.9995) & (since < 1.0295)] = 0.4  # 30 ms of 40 ms
    force[(since > 1.2995) & (since < 1.5)] = 0.0  # no flight is planned there
    force[(since > 1.9495) & (since < 2.1)] = 0.0  # it lasts too long: bounce counts
    flights = [Flight(Gait.RUN, START_S + at, 0.04) for at in (1.0, 2.0)]
    found = made_up(force, [*flights, Flight(Gait.JUMP, START_S + 2.5, 0.1)])
    assert found.ratios(Gait.RUN) == pytest.approx([0.75, 3.5], abs=0.03)
    assert found.ratios(Gait.JUMP) == pytest.approx([0.0])
    assert found.ratios(Gait.RUN, begin_s=1.5).size == 1
    # Flights that the robot did not live to end are not counted.
    assert made_up(force, flights, START_S + 2.05).ratios(Gait.RUN).size == 1


def test_the_mean_force_is_that_of_whole_cycles() -> None:
    since = 0.001 * np.arange(3000)
    flying = (since % 0.5) < 0.1
    force = np.where(flying, 0.0, 125.0)
    flights = [Flight(Gait.JUMP, START_S + 0.5 * k, 0.1) for k in range(5)]
    whole, stance = made_up(force, flights).forces(Gait.JUMP)
    assert whole == pytest.approx(100.0, rel=1e-2) and stance == pytest.approx(125.0, rel=1e-2)
    assert math.isnan(made_up(force, flights[:1]).forces(Gait.JUMP)[0])


def test_a_robot_that_fell_has_no_error_of_the_capture_point() -> None:
    assert made_up(0.0, []).capture_mm(0.5, 1.5) == 0.0
    assert made_up(0.0, [], START_S + 1.0).capture_mm(0.5, 1.5) == math.inf


def test_a_robot_that_does_not_run_is_refused() -> None:
    plant = build_plant(load_profile("kid_cosmo"), Support.FLOOR)
    with pytest.raises(CoreError, match="neither runs nor jumps"):
        runner_of(plant)


def test_two_seeds_make_every_push_and_each_has_all_phases_and_sides() -> None:
    first, second = push.pushes_of(0), push.pushes_of(1)
    assert set(first) | set(second) == set(push.ALL) and not set(first) & set(second)
    assert len(first) == len(second) == 32 and push.pushes_of(2) == first
    for half in (first, second):
        assert {phase for phase, _ in half} == {k / 8 for k in range(8)}
        assert {side for _, side in half} == set(push.DIRECTIONS)
    assert push.passed(0.9, 0.1, 0.0) and push.passed(0.9, 0.1, 0.95)
    assert not push.passed(0.9, 0.1, 0.5) and push.passed(0.2, 0.3, 0.25)


def test_random_orders_are_of_every_gait_and_within_the_limits_of_the_robot(
    lab: Laboratory,
) -> None:
    orders = transitions.orders_of(3, 100)
    assert orders == transitions.orders_of(3, 100) and orders != transitions.orders_of(4, 100)
    assert {transitions.gait_of(order) for _, order in orders} == set(Gait)
    limits = lab.profile.as_runner.gaits.jump
    assert limits is not None
    for _, order in orders:
        if isinstance(order, StartJump):
            assert not list(limits.faults(order))
    assert transitions.gait_of(STOP) is Gait.STAND
    assert transitions.gait_of(Walk(0.1, step=True)) is Gait.WALK


def test_the_zmp_of_the_body_is_beside_the_plan_and_farther_with_parts_left_out(
    lab: Laboratory,
) -> None:
    orders = [(1.8, USUAL[Gait.RUN])]
    parts = ablations(lab.profile)
    rms = [
        float(np.sqrt((move(profile, orders, 3.2).zmp_error(2.4, lab.model.mass) ** 2).mean()))
        for profile in (lab.profile, parts["spin"], parts["rate"])
    ]
    assert rms[0] < 0.007 and rms[1] > 3.0 * rms[0] and rms[2] > 3.0 * rms[0]
    still = move(lab.profile, [], 2.0)
    assert still.zmp_error(1.7, lab.model.mass).max() < 1e-4  # nothing moves
    assert still.force[-100:] == pytest.approx(lab.model.mass * 9.81, rel=1e-6)


def test_ablations_leave_out_one_part_each(lab: Laboratory) -> None:
    usual = lab.profile.as_runner
    for name, profile in ablations(lab.profile).items():
        changed = profile.as_runner
        assert (changed.strides != usual.strides) is (name in ("rate", "fixed"))
        assert (changed.follow != usual.follow) is (name in ("spin", "torque"))


def test_a_bump_lies_under_the_sole_that_lands_and_then_no_more(lab: Laboratory) -> None:
    body = lab.body(0, bumps_m=0.01)
    bumps = Bumps(body)
    boxes = np.flatnonzero(np.abs(body.model.geom_size[:, 2] - 0.01) < 1e-9)
    assert (body.model.geom_pos[boxes, 2] == BURIED_M).all()
    order = [(0.0, run_at(0.25))]
    up: list[float] = []

    def look(performer: Any) -> None:
        bumps(performer)
        up.append(float(body.model.geom_pos[boxes, 2].max()))

    found = conduct(lab, 0, 2.8, order, body=body, look=look)
    assert bumps.laid == 1 and 0.0 in up and up[-1] == BURIED_M
    soles = found.rows["contact_true"][np.array(up[: len(found.rows)]) == 0.0]
    assert soles.any()


@pytest.fixture(scope="module")
def running(lab: Laboratory) -> Run:
    """Return a run, after which the robot jumps and stands."""
    return conduct(lab, 1, 4.6, ORDERS)


def test_a_run_and_a_jump_fly_as_planned_by_commands(running: Run, lab: Laboratory) -> None:
    assert not running.failed and running.made == pytest.approx((0.0, 2.0, 3.6), abs=0.01)
    for gait, least in ((Gait.RUN, 5), (Gait.JUMP, 1)):
        ratios = running.ratios(gait)
        assert ratios.size >= least and 0.7 < ratios.mean() < 1.3
    assert run.full_s(running) <= 1.5
    assert running.forces(Gait.RUN, 1.0)[0] == pytest.approx(lab.model.mass * 9.81, rel=0.03)
    orders: list[tuple[float, Motion]] = [*ORDERS]
    times = transitions.changes_s(running, orders)
    assert times["step"].size >= 1 and times["step"].max() <= 0.7
    assert times["jump"].size >= 1 and times["jump"].max() <= 1.4


def test_every_figure_that_a_bar_judges_is_measured(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch, running: Run
) -> None:
    limits = lab.profile.gaits.jump
    assert limits is not None
    monkeypatch.setattr(jump, "COUNT", 2)
    monkeypatch.setattr(jump, "ABLATED", 1)
    ends = list(jump.corners(limits))[:1]
    monkeypatch.setattr(jump, "corners", lambda limits: ends)
    monkeypatch.setattr(jump, "ablations", lambda profile: dict([*ablations(profile).items()][1:2]))
    found = jump.run(lab, 0)
    missing = {bar.figure for bar in jump.EXPERIMENT.bars if bar.judges} - set(found.figures)
    assert not missing
    assert found.figures["ends_falls"] == 0.0 and found.figures["ends_least"] > 0.85
    assert found.figures["first_m"] == pytest.approx(jump.FORWARD_M, abs=0.01)
    assert found.figures["jump_falls"] == 0.0 and 0.7 < found.figures["jump_flight"] < 1.3
    assert found.curves["t"].size > 500


def test_the_planner_alone_is_measured(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("TOUR", TOUR[:2]),
        ("TOUR_S", 3.6),
        ("KKT_PLANS", 1),
        ("PLANS", 10),
        ("PHASES", 1),
        ("DRAWS", 1),
        ("DRAWN", 4),
        ("KICKS", 2),
        ("BODY_S", 2.6),
    ):
        monkeypatch.setattr(pure, name, value)
    figures = pure.run(lab, 0).figures
    # The share of kicks needs all of them, and the time of a plan a machine that does nothing else.
    loose = {"fixed_less", "replan_us", "replan_p99_9_us"}
    for bar in pure.EXPERIMENT.bars:
        if bar.judges and bar.figure not in loose:
            assert bar.holds(figures[bar.figure]), (bar.figure, figures[bar.figure])
    assert loose <= set(figures)
