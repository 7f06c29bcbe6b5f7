"""The strider: what it refuses, what it never does, and how soon it changes its gait."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.lab.experiments.strides.planner import (
    TURN_RAD,
    USUAL,
    Rehearsal,
    change_s,
    drawn_orders,
    friction_asked,
    outside,
    phase_gap,
    takes_kick,
)
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.dynamics_filter.plan import Sole, sole_of
from core.plants.dynamics_filter.score import BOTH, Kind
from core.robot.profile_file import load_profile
from tests.draws import share

PROFILE = load_profile("small_biped")
STRIDES, SOLE = PROFILE.as_runner.strides, sole_of(PROFILE)
TINY = replace(STRIDES.feet, reach_forward=1e-6, reach_out=1e-6, reach_in=1e-6)
FIXED = replace(STRIDES, feet=TINY)


def rehearsal() -> Rehearsal:
    return Rehearsal(STRIDES, SOLE)


def until(found: Rehearsal, kind: Kind, ticks: int = 3000) -> None:
    """Advance until a phase of a kind begins."""
    for _ in range(ticks):
        if found.tick().kind is kind:
            return
    pytest.fail(f"no phase of the kind {kind.name} has begun")


def test_an_order_that_cannot_be_planned_is_refused_and_the_one_before_goes_on() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.WALK])], 2.0)
    found.strider.ask(GaitOrder(Gait.RUN, (0.6, 0.0, 0.0)))
    refused = 0
    for _ in range(1000):
        reference = found.tick()
        refused += found.strider.refused
        assert reference.gait is not Gait.RUN or reference.kind is not Kind.FLIGHT
    assert refused > 100 and found.infeasible == 0
    found.strider.ask(USUAL[Gait.RUN])
    until(found, Kind.FLIGHT)
    assert not found.strider.refused


def test_a_kick_beyond_every_plan_leaves_the_plan_as_it_was() -> None:
    assert not takes_kick(STRIDES, SOLE, 0.25, 90.0, 2.0)
    assert takes_kick(STRIDES, SOLE, 0.25, 90.0, 0.05)
    # Sideways, over the foot that stands, only another footstep helps.
    assert takes_kick(STRIDES, SOLE, 0.0, 180.0, 0.2)
    assert not takes_kick(FIXED, SOLE, 0.0, 180.0, 0.2)


def test_an_order_in_a_push_lets_its_flight_be_flown_and_landed() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.JUMP])], 0.3)
    until(found, Kind.LEAD)
    found.strider.ask(GaitOrder())
    until(found, Kind.FLIGHT)
    assert found.strider.reference.gait is Gait.JUMP and found.strider.jumps == 1
    for _ in range(2000):
        reference = found.tick()
    assert found.strider.jumps == 1 and found.strider.stands
    assert reference.com[1].max() < 1e-6


@pytest.mark.parametrize("count", [1, 3])
def test_jumps_are_counted_and_then_the_robot_stands(count: int) -> None:
    found = rehearsal()
    found.lead([(0.2, GaitOrder(Gait.JUMP, count=count))], 0.2 + 1.0 * count + 1.5)
    assert found.strider.jumps == count and found.strider.stands
    order = GaitOrder(Gait.JUMP, count=count)
    found.strider.ask(order)
    for _ in range(round(1000 * (count + 1.5))):
        found.tick()
    assert found.strider.jumps == count  # an equal order, but another object
    found.strider.ask(order)
    found.tick()
    assert found.strider.stands  # the same object again is no order


@pytest.mark.parametrize("stride", [(0.05, 0.0, 0.0), (-0.05, 0.0, 0.0), (0.03, 0.02, 0.2)])
@pytest.mark.parametrize("flight_s", [0.06, 0.1])
def test_a_jump_out_of_standing_leads_as_far_as_it_is_ordered_and_leaves_the_ground_as_soon(
    stride: tuple[float, float, float], flight_s: float
) -> None:
    found = rehearsal()
    found.lead([(0.2, GaitOrder(Gait.JUMP, stride, 1, flight_s=flight_s))], 0.3)
    until(found, Kind.FLIGHT)
    assert found.now_s - 0.2 == pytest.approx(STRIDES.times.push_s, abs=2e-3)
    until(found, Kind.MOVE)
    reference = found.strider.reference
    missing = reference.soles[:, 0, :2].mean(axis=0) - stride[:2]
    assert np.abs(missing).max() < 0.005
    np.testing.assert_allclose(reference.yaws[:, 0], stride[2], atol=1e-9)
    check(found)


def test_soles_brake_late_in_a_jump_and_the_com_flies_at_the_height_of_jumps() -> None:
    found, way, flight_s = rehearsal(), 0.05, STRIDES.times.jump_flight_s
    found.lead([(0.2, GaitOrder(Gait.JUMP, (way, 0.0, 0.0), 1))], 0.3)
    until(found, Kind.FLIGHT)
    reference = found.strider.reference
    assert reference.com[0, 2] == pytest.approx(STRIDES.heights.jump, abs=1e-3)
    pushes = []
    while reference.kind is Kind.FLIGHT:
        pushes.append(reference.soles[0, 2, 0] * flight_s**2 / way)
        found.tick()
    # The last plans may still move the place by some millimetres.
    assert pushes[0] == pytest.approx(STRIDES.feet.jump_start, abs=0.3)
    assert pushes[-1] == pytest.approx(-STRIDES.feet.jump_stop, abs=0.6)
    assert reference.com[0, 2] == pytest.approx(STRIDES.heights.jump, abs=1e-3)
    assert np.abs(reference.soles[:, 1:]).max() == 0.0
    check(found)


def test_an_early_touch_begins_the_next_stance_at_once() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.RUN])], 1.5)
    until(found, Kind.FLIGHT)
    for _ in range(20):
        found.tick()
    strider = found.strider
    landings, before = strider.landings, strider.plan
    planned_s = before.score.phases[before.score.index_at(found.now_s)].end_s
    strider.land_now(found.now_s + 0.001)
    reference = found.tick()
    assert planned_s - found.now_s > 0.01
    assert reference.kind is not Kind.FLIGHT and reference.support in (1, 2)
    assert strider.landings == landings + 1
    foot = 0 if reference.support == 1 else 1
    assert reference.soles[foot, 0, 2] > 0.001  # it comes down within some hundredths of a second
    for _ in range(50):
        found.tick()
    assert found.strider.reference.soles[foot, 0, 2] == pytest.approx(0.0, abs=1e-9)
    assert found.infeasible == 0 and found.outside_m < 1e-9


@pytest.mark.parametrize(("share_of_speed", "longer"), [(1.15, True), (0.85, False), (5.0, True)])
def test_the_speed_of_a_lift_off_changes_the_landing(share_of_speed: float, longer: bool) -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.RUN])], 1.5)
    until(found, Kind.FLIGHT)
    strider = found.strider
    phase = strider.plan.score.phases[strider.plan.score.index_at(found.now_s)]
    speed, planned_s = float(strider.reference.com[1, 2]), phase.end_s
    duration_s = planned_s - found.now_s
    strider.lifted(found.now_s, (share_of_speed - 1.0) * speed)
    score = strider.plan.score
    changed_s = score.phases[score.index_at(found.now_s)].end_s
    assert (changed_s > planned_s) is longer
    assert abs(changed_s - planned_s) <= 0.35 * duration_s + 1e-9
    if share_of_speed < 2.0:
        expected = share_of_speed * duration_s - duration_s
        assert changed_s - planned_s == pytest.approx(expected, abs=1.5e-3)
    landing = [step.land_s for step in score.steps if step.lift_s < found.now_s < step.land_s]
    assert changed_s in landing  # the foot lands when the flight ends
    for _ in range(400):
        found.tick()
    assert found.infeasible == 0 and found.gap < 1e-9


def test_a_lift_off_that_is_told_on_the_ground_changes_nothing() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.WALK])], 1.0)
    plan = found.strider.plan
    found.strider.lifted(found.now_s, 1.0)
    assert found.strider.plan is plan


QUICK = [(old, new) for old in Gait for new in Gait if old is not new]


@pytest.mark.parametrize(("old", "new"), QUICK, ids=lambda gait: gait.name)
def test_every_change_of_gait_comes_in_time(old: Gait, new: Gait) -> None:
    longest = 1.3 if Gait.JUMP in (old, new) else 0.6
    for phase in (0.05, 0.3, 0.8):
        assert 0.0 < change_s(STRIDES, SOLE, old, new, phase) <= longest


def check(found: Rehearsal) -> None:
    """Check what holds for every plan."""
    assert found.infeasible == 0
    assert found.gap < 1e-9
    assert found.outside_m < 1e-9
    assert found.flight_force < 1e-9 and found.flight_push < 1e-9
    assert found.stance_force > -1e-9
    for _, plan in found.plans[::10]:
        assert phase_gap(plan) < 1e-9
        assert friction_asked(plan) < 0.5


@pytest.mark.parametrize("foot", [0, 1])
@pytest.mark.parametrize("beside_m", [-0.02, 0.0, 0.02])
def test_a_foot_that_is_chosen_is_lifted_first_from_where_the_body_has_shifted(
    foot: int, beside_m: float
) -> None:
    found = rehearsal()
    found.lead([], 0.2)
    beside = np.array([[0.01, beside_m], [0.0, 0.02], [0.0, 0.0]])
    before = found.strider.reference.com.copy()
    found.strider.displace(beside)
    found.strider.ask(GaitOrder(Gait.WALK, foot=foot))
    after = found.tick().com
    np.testing.assert_allclose(after[:2, :2], before[:2, :2] + beside[:2], atol=1e-4)
    begun_s = found.now_s
    while found.strider.reference.support == BOTH:
        found.tick()
    assert found.strider.reference.support == 1 << 1 - foot
    assert found.now_s - begun_s == pytest.approx(STRIDES.times.shift_s, abs=2e-3)
    found.strider.ask(GaitOrder())
    found.lead([], found.now_s + 1.5)
    assert found.strider.stands and found.strider.landings <= 2
    assert found.infeasible == 0 and found.outside_m < 1e-9


@given(seed=st.integers(0, 10**6))
@settings(max_examples=share(20), deadline=None)
def test_random_orders_always_have_a_plan(seed: int) -> None:
    found = rehearsal()
    orders = drawn_orders(random.Random(seed), 8)
    found.lead(orders, orders[-1][0] + 1.5)
    assert len(found.plans) > 50
    check(found)
    for _ in range(3500):
        if orders[-1][1].gait is Gait.STAND and found.strider.stands:
            return
        found.tick()
    assert orders[-1][1].gait is not Gait.STAND


def test_plans_would_be_found_out_by_these_checks() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.RUN])], 1.2)
    reference = found.strider.reference
    small = Sole(1e-4, 1e-4)
    reference.support = 1
    reference.pressure[:] = reference.soles[0, 0, :2] + (0.0, 2e-4)
    assert outside(reference, small) == pytest.approx(1e-4)
    reference.pressure[:] = reference.soles[0, 0, :2] + (5e-5, 0.0)
    assert outside(reference, small) == 0.0
    _, plan = found.plans[-1]
    cut = plan.table.copy()
    cut[plan.count // 2 :, 6] += 1e-3
    assert phase_gap(plan) < 1e-9
    moved = [
        phase_gap(replace(plan, table=cut)),
        phase_gap(replace(plan, heights=1.01 * plan.heights)),
    ]
    assert max(moved) > 1e-4
    slippery = plan.table.copy()
    slippery[1 : plan.count, 7] += np.where(np.arange(1, plan.count) % 2, 0.1, -0.1)
    assert friction_asked(replace(plan, table=slippery)) > 0.5


def test_a_turn_turns_the_feet_and_stays_in_their_hull() -> None:
    found = rehearsal()
    found.lead([(0.2, GaitOrder(Gait.RUN, (0.03, 0.0, TURN_RAD)))], 3.0)
    yaws = found.strider.reference.yaws[:, 0]
    assert min(yaws) > 5.0 * TURN_RAD and abs(yaws[0] - yaws[1]) < 2.5 * TURN_RAD
    assert math.isfinite(float(yaws.sum())) and found.strider.reference.support != BOTH
    check(found)


def test_a_foot_goes_to_where_the_plan_has_moved_its_footstep() -> None:
    found = rehearsal()
    found.lead([(0.2, USUAL[Gait.RUN])], 1.5)
    strider, moved = found.strider, 0.0
    for _ in range(200):
        strider.velocity_offset[:] = -0.05, 0.0
        reference, plan = found.tick(), strider.plan
        for foot in (0, 1):
            number = plan.score.in_air(foot, found.now_s)
            if number:
                moved = max(moved, *map(abs, plan.shift_of(number)))
                strider._feet.at(plan.score.steps[number].land_s)
                pose = plan.landing_of(number)
                assert reference.soles[foot, 0, :2] == pytest.approx((pose.x, pose.y), abs=1e-9)
        strider._feet.at(found.now_s)
    assert moved > 0.002
