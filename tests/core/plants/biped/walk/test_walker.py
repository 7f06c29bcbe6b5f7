"""The walker's decisions, on a statue and on a simulated walk."""

import math

import numpy as np
import pytest

from core.constants import GRAVITY
from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Pushed
from core.plants.biped.walk.body import LEFT
from core.plants.biped.walk.reference import LegReference, Phase
from core.plants.biped.walk.stance import STANCE_SHARE
from core.plants.biped.walk.walker import (
    LANDING_S,
    LEFT_BEHIND,
    LIGHT_S,
    RECOVERY_STEPS,
    WIDE_SHIFT_S,
    Walker,
    wrapped,
)
from core.robot.state import State
from core.safety.modes import Mode
from shows.gaits import Jump
from tests.core.rig import STAND_BEND, bent, profile, short_walk

TICK_S = 0.001
GAIT = profile().as_biped.gait
JUMPS = profile().as_biped.gaits.jump


def pushed() -> Pushed:
    """Return how the robot answers to a push."""
    found = profile().as_biped.pushed
    assert found is not None
    return found


PUSHED = pushed()


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("angle", [-3.1, -1.0, 0.0, 0.5, 3.1])
def test_angles_are_wrapped(turns: int, angle: float) -> None:
    assert wrapped(angle + 2.0 * math.pi * turns) == pytest.approx(angle, abs=1e-9)


class Statue:
    """A walker whose robot never moves, however it is asked.

    Its centre of mass is in the middle, from where a robot sways over to the next foot very soon;
    or near the stance foot, where a usual step begins.
    """

    def __init__(self, stepping: bool = True, usual: bool = False) -> None:
        self.from_stance = 0.04 if usual else math.nan  # of the CoM, toward the other foot [m]
        self.model, self.state = RobotModel(profile()), State.upright(28)
        self.state.q[:] = bent(STAND_BEND)
        self.state.contact[:] = True
        self.model.update(self.state)
        self.walker = Walker(profile(), self.model)
        self.walker.stepping_allowed = stepping
        self.now_s = 0.0
        self.walker.start(0.0, self.model)

    def update(
        self, vx: float = 0.0, vy: float = 0.0, yaw: float = 0.0, step: bool = False
    ) -> LegReference:
        self.now_s += TICK_S
        stance = self.walker.reference.stance_side
        if stance >= 0 and not math.isnan(self.from_stance):
            toward = (-self.from_stance, self.from_stance)[stance]
            self.model.com[1] = self.model.soles[stance, 1] + toward
        return self.walker.update(
            self.now_s, self.state, self.model, np.array([vx, vy, yaw]), 0.745, step
        )

    def wait(self, time_s: float, vx: float = 0.0, step: bool = False) -> LegReference:
        reference = self.update(vx, step=step)
        for _ in range(round(time_s / TICK_S) - 1):
            reference = self.update(vx, step=step)
        return reference

    def feel(self, along: float, across: float) -> None:
        """Plan a pressure so far ahead and to the left that a body at rest must be pushed [m]."""
        weight = self.model.mass * GRAVITY
        points = self.model.com + (along, across, 0.0) - self.model.soles
        self.walker.force.attach(np.array([[0.0, 0.0, 0.5 * weight]] * 2), points[:, np.newaxis])

    def push(self, along: float, across: float) -> None:
        """Move the CoM from the middle of the feet, along [m] and in halves of their distance."""
        middle = self.model.soles.mean(axis=0)
        half_span = 0.5 * float(self.model.soles[0, 1] - self.model.soles[1, 1])
        self.model.com[0] = middle[0] + along
        self.model.com[1] = middle[1] + across * half_span


def test_without_a_wish_it_stands_on_both_feet() -> None:
    reference = Statue().wait(1.0)
    assert reference.phase is Phase.STAND
    assert (reference.swing_side, reference.stance_side) == (-1, -1)
    assert min(reference.load_limit) == profile().as_biped.constraints.force_max


@pytest.mark.parametrize("step", [True, False])
def test_a_wish_shifts_the_weight_and_then_steps(step: bool) -> None:
    statue = Statue()
    phases: list[Phase] = []
    for _ in range(2500):
        reference = statue.update(0.0 if step else 0.1, step=step)
        if not phases or phases[-1] is not reference.phase:
            phases.append(reference.phase)
    assert phases[:2] == [Phase.SHIFT, Phase.STEP] or phases[:3] == [
        Phase.STAND,
        Phase.SHIFT,
        Phase.STEP,
    ]
    assert statue.walker.steps > 0


def test_feet_take_turns_and_one_always_stands() -> None:
    statue = Statue()
    swings: list[int] = []
    for _ in range(4000):
        reference = statue.update(step=True)
        if reference.phase is Phase.STEP:
            assert reference.stance_side in (0, 1)
            assert reference.swing_side in (-1, 1 - reference.stance_side)
        if reference.swing_side >= 0 and (not swings or swings[-1] != reference.swing_side):
            swings.append(reference.swing_side)
            assert reference.load_limit[reference.swing_side] == 0.0
    assert len(swings) >= 4
    assert all(one != other for one, other in zip(swings, swings[1:], strict=False))


def test_a_step_takes_its_time_and_a_late_foot_searches_the_ground() -> None:
    statue = Statue(usual=True)
    statue.state.contact[:] = False  # no touchdown is ever felt
    lengths: list[float] = []
    since: float | None = None
    lowest, before = 1.0, 0
    for _ in range(4000):
        reference = statue.update(step=True)
        if reference.swing_side >= 0:
            lowest = min(lowest, float(reference.swing[0, 2] - statue.model.soles[0, 2]))
        if statue.walker.steps > before:
            if since is not None:
                lengths.append(statue.now_s - since)
            since, before = statue.now_s, statue.walker.steps
    assert lengths
    longest = GAIT.step_s * GAIT.max_step_fraction
    assert max(lengths) == pytest.approx(longest, abs=0.005)
    assert lowest < -0.5 * GAIT.late_descent_m_s * (longest - GAIT.step_s)


def test_no_touchdown_is_believed_too_early() -> None:
    statue = Statue(usual=True)  # whose feet always touch
    times = []
    for _ in range(3000):
        before = statue.walker.steps
        statue.update(step=True)
        if statue.walker.steps > before:
            times.append(statue.now_s)
    gaps = np.diff(times)
    assert gaps.min() >= GAIT.min_step_fraction * GAIT.step_s - 0.002


def step_lengths(statue: Statue, steps: int) -> list[float]:
    """Return how long the steps after the first took [s]."""
    times: list[float] = []
    while len(times) <= steps:
        before = statue.walker.steps
        statue.update(step=True)
        if statue.walker.steps > before:
            times.append(statue.now_s)
    lengths: list[float] = np.diff(times).tolist()
    return lengths


def test_a_robot_that_sways_over_too_soon_takes_a_shorter_step() -> None:
    statue = Statue()
    statue.state.contact[:] = False
    quick = GAIT.quick_step_s * GAIT.max_step_fraction
    assert step_lengths(statue, 4) == pytest.approx([quick] * 4, abs=0.005)


@pytest.mark.parametrize(("lift", "share"), [(0.01, GAIT.min_step_fraction), (0.06, 1.0)])
def test_a_foot_that_touches_high_above_the_ground_has_not_landed(
    lift: float, share: float
) -> None:
    statue = Statue(usual=True)
    ground = statue.model.soles[:, 2].copy()
    times: list[float] = []
    while len(times) < 4:
        before, side = statue.walker.steps, statue.walker.reference.swing_side
        statue.model.soles[:, 2] = ground
        if side >= 0:
            statue.model.soles[side, 2] += lift
        statue.update(step=True)
        if statue.walker.steps > before:
            times.append(statue.now_s)
    assert np.diff(times) / GAIT.step_s == pytest.approx(share, abs=0.01)


def test_the_swing_rises_to_its_apex_and_lands_level() -> None:
    statue, heights = Statue(), []
    statue.state.contact[:] = False
    while statue.walker.steps == 0:
        reference = statue.update(step=True)
        if reference.swing_side >= 0:
            heights.append(float(reference.swing[0, 2] - statue.model.soles[0, 2]))
    assert max(heights) == pytest.approx(GAIT.apex, abs=1e-3)
    assert heights[0] == pytest.approx(0.0, abs=1e-4)


def test_the_command_is_limited_in_size_and_in_growth() -> None:
    statue = Statue()
    before = statue.walker.velocity.copy()
    for _ in range(3000):
        statue.update(9.0, -9.0, 9.0)
        step = np.abs(statue.walker.velocity - before)
        assert (
            step <= np.array([GAIT.acceleration] * 2 + [GAIT.yaw_acceleration]) * 1.001e-3
        ).all()
        before = statue.walker.velocity.copy()
    expected = (GAIT.max_speed_forward, -GAIT.max_speed_sideways, GAIT.max_yaw_rate)
    np.testing.assert_allclose(before, expected)


def test_a_command_that_is_no_number_means_none() -> None:
    statue = Statue()
    for _ in range(200):
        statue.update(math.nan, math.inf, -math.inf)
    assert statue.walker.velocity.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("along", "across"), [(0.09, 0.0), (-0.09, 0.0), (0.0, 0.95), (0.0, -0.95)]
)
def test_standing_gives_way_to_a_step_when_the_push_is_too_strong(
    along: float, across: float
) -> None:
    statue = Statue()
    statue.wait(1.5)  # until then a force may be that of people who let go
    statue.push(along, across)
    for _ in range(300):
        statue.update()
    assert statue.walker.reference.phase is Phase.STEP or statue.walker.steps > 0


def test_a_robot_that_walks_on_after_a_push_soon_steps_as_it_walks() -> None:
    statue = Statue(usual=True)
    statue.wait(1.5)
    width = statue.walker.memory["step_width"]
    assert width[0] == GAIT.step_width
    statue.push(0.09, 0.0)
    while statue.walker.steps < 1:
        statue.update(vx=0.1)
        steps = statue.walker.reference.phase is Phase.STEP
        assert not steps or width[0] == PUSHED.step_width
    assert statue.walker.memory["believes"][0] == 1.0
    lowest = 1.0
    while statue.walker.steps < RECOVERY_STEPS + 1:
        lowest = min(lowest, statue.update(vx=0.1).height)
        ended = statue.walker.steps >= RECOVERY_STEPS
        assert width[0] == (GAIT.step_width if ended else PUSHED.step_width)
    assert lowest < PUSHED.height + 0.01
    assert statue.walker.memory["believes"][0] < 1.0
    assert statue.wait(3.0, vx=0.1).height > GAIT.height - 0.01


@pytest.mark.parametrize("share", [1.0, 1.0 - 1.2 * STANCE_SHARE, 1.0 + 1.2 * STANCE_SHARE])
def test_after_a_push_it_stands_only_in_a_steady_stance(share: float) -> None:
    statue = Statue()
    statue.wait(1.5)
    statue.push(0.09, 0.0)
    statue.wait(0.3)
    statue.model.soles[:, 1] = 0.5 * PUSHED.step_width * share * np.array([1.0, -1.0])
    statue.push(-0.045, 0.0)  # so far back that no step closes the stance
    statue.wait(4.0)
    stands = statue.walker.reference.phase is Phase.STAND
    assert stands == (share == 1.0)
    width = statue.walker.memory["step_width"][0]
    assert width == (GAIT.step_width if stands else PUSHED.step_width)


def test_the_first_step_expects_the_push_that_standing_has_found() -> None:
    statue = Statue()
    statue.wait(1.5)
    expected = statue.walker.memory["expected_push"][0]
    statue.feel(0.15, 0.0)
    while statue.update().phase is Phase.STAND:
        assert not expected.any()
    found = statue.walker.force.offset
    assert found[0] > 0.02
    np.testing.assert_allclose(expected, PUSHED.step_share * found, rtol=0.1)
    statue.feel(0.0, 0.0)
    assert statue.wait(8.0).phase is Phase.STAND
    assert not expected.any()


def test_where_it_may_not_step_it_stands_whatever_comes() -> None:
    statue = Statue(stepping=False)
    statue.push(0.09, 0.9)
    for _ in range(300):
        assert statue.update(0.2, step=True).phase is Phase.STAND


def test_when_the_wish_ends_it_comes_to_stand() -> None:
    statue = Statue()
    statue.wait(2.0, vx=0.1)
    reference = statue.walker.reference
    phase, stance = reference.phase, reference.stance_side
    while phase is Phase.STEP:
        assert not reference.full_load.any()
        stance, phase = reference.stance_side, statue.update().phase
    assert phase is Phase.STAND
    np.testing.assert_allclose(statue.walker.velocity, 0.0, atol=1e-9)
    # The foot on which the last step stood may carry little for a moment.
    loaded = profile().as_biped.estimator.contact_on_force
    assert reference.full_load[[stance, 1 - stance]].tolist() == [loaded, 0.0]
    assert not statue.wait(LIGHT_S + 0.01).full_load.any()


def closing() -> Statue:
    """Return a robot that stepped in place, in a step after which it may stand."""
    statue = Statue(usual=True)
    statue.wait(1.5)  # until then a force may be that of people who let go
    statue.wait(2.0, step=True)
    steps = statue.walker.steps + 1
    while statue.walker.steps < steps or statue.walker.footstep is None:
        statue.update()
    return statue


def test_the_last_step_in_place_closes_the_stance() -> None:
    statue = closing()
    walker, stance = statue.walker, statue.walker.reference.stance_side
    while statue.update().phase is Phase.STEP:
        assert walker.reference.stance_side == stance
        if walker.footstep is not None:
            way = np.array(walker.footstep[:2]) - statue.model.soles[stance, :2]
    assert way == pytest.approx((0.0, GAIT.step_width * (1.0, -1.0)[1 - stance]), abs=1e-3)


def test_the_last_step_of_a_walk_ends_where_the_gait_leads() -> None:
    statue = Statue(usual=True)
    statue.wait(2.0, vx=0.1)
    assert statue.walker.reference.phase is Phase.STEP
    while statue.update().phase is Phase.STEP:
        assert not statue.walker.memory["closed"][0]


@pytest.mark.parametrize("from_stance", [0.07, 0.095, 0.13])
def test_a_closed_stance_that_does_not_hold_goes_on_from_the_foot_with_the_weight(
    from_stance: float,
) -> None:
    statue = closing()
    walker, stance = statue.walker, statue.walker.reference.stance_side
    statue.model.soles[1 - stance, 0] += 0.08  # it lands too far ahead
    statue.from_stance = from_stance
    steps, behind = walker.steps, 1.0 - 2.0 * from_stance / GAIT.step_width > LEFT_BEHIND
    while walker.steps == steps:
        assert walker.reference.stance_side == stance
        statue.update()
    assert walker.memory["closed"][0] == 1.0
    assert walker.reference.phase is Phase.STEP
    assert walker.reference.stance_side == (stance if behind else 1 - stance)


def test_the_force_of_a_landing_is_no_reason_to_step() -> None:
    statue = closing()
    while statue.update().phase is not Phase.STAND:
        continue
    landed_s = statue.now_s
    statue.push(0.03, 0.0)  # which it stands
    statue.feel(0.15, 0.0)
    while statue.update().phase is Phase.STAND:
        continue
    assert statue.now_s - landed_s == pytest.approx(LANDING_S, abs=3 * TICK_S)


@pytest.mark.parametrize(("share", "across"), [(0.95, 0.0), (1.05, 0.0), (1.05, 0.1)])
def test_the_weight_is_shifted_before_a_step_from_a_stance_that_is_too_wide(
    share: float, across: float
) -> None:
    statue = Statue()
    statue.wait(1.5)
    statue.model.soles[:, 1] = 0.5 * PUSHED.step_width * share * np.array([1.0, -1.0])
    statue.push(0.09, across)
    pushed_s = statue.now_s
    while statue.update().phase is not Phase.STEP:
        continue
    shift_s = WIDE_SHIFT_S if share * (1.0 - across) > 1.0 else GAIT.quick_shift_s
    assert statue.now_s - pushed_s == pytest.approx(shift_s, abs=3 * TICK_S)


def test_a_jump_waits_for_a_moving_body_to_be_upright_and_is_then_finished() -> None:
    assert JUMPS is not None
    statue, limb = Statue(), np.zeros((3, 6))
    jump, active = Jump(count=2), []
    for tick in range(6000):
        limb[0] = 0.02 + 0.02 * math.sin(0.02 * tick)
        statue.now_s += TICK_S
        statue.walker.update(
            statue.now_s,
            statue.state,
            statue.model,
            np.zeros(3),
            0.745,
            jump=jump if tick >= 1000 else None,
            limb=limb,
        )
        active.append(statue.walker.hop.active)
    begins, ends = np.flatnonzero(np.diff(active))  # once, and without a break
    assert 1000 < begins < 1700
    assert ends - begins == pytest.approx(2.0 * JUMPS.usual_period_s / TICK_S, abs=100)


def test_the_body_returns_to_the_middle_while_somebody_pushes() -> None:
    statue, limb = Statue(), np.full((3, 6), 0.02) * [[1.0], [0.0], [0.0]]
    shifts = []
    for _ in range(2):
        for _ in range(1500):
            statue.now_s += TICK_S
            place = statue.now_s, statue.state, statue.model, np.zeros(3), 0.745
            statue.walker.update(*place, limb=limb)
        shifts.append(float(statue.walker.body_motion[0, LEFT]))
        statue.feel(0.0, 0.06)
    assert shifts[0] == pytest.approx(0.02, abs=2e-3)
    assert abs(shifts[1]) < 2e-3


def test_the_height_is_approached_without_a_jerk() -> None:
    statue = Statue()
    start = statue.walker.reference.height
    rates = []
    for _ in range(6000):
        statue.now_s += TICK_S
        statue.walker.update(statue.now_s, statue.state, statue.model, np.zeros(3), start - 0.05)
        rates.append(statue.walker.reference.height_rate)
    assert statue.walker.reference.height == pytest.approx(start - 0.05, abs=1e-3)
    assert np.abs(np.diff([0.0, *rates])).max() <= 0.5 * TICK_S + 1e-9


def test_a_simulated_walk_goes_where_it_was_sent() -> None:
    walk = [i for i in short_walk().instants if i.mode is Mode.WALK]
    assert all(np.isfinite(i.true_velocity).all() for i in walk)
    four_steps = round(4.0 * profile().as_biped.gait.step_s / TICK_S)
    late = np.array([i.true_velocity for i in walk[-four_steps:]])
    assert late[:, 0].mean() == pytest.approx(0.16, abs=0.05)
    assert max(abs(float(i.true_rpy[0])) for i in walk) < 0.2


def test_what_was_learned_is_forgotten_when_the_robot_stands_up_anew() -> None:
    statue = Statue()
    statue.state.tau[8] = 8.0  # the left hip works harder
    assert statue.wait(8.0, step=True).torso_rpy[0] < -0.01
    statue.walker.start(statue.now_s, statue.model)
    assert statue.update().torso_rpy[0] == 0.0
