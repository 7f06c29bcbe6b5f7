"""Hand-overs, one by one: continuous in position and velocity at each instant."""

from collections.abc import Callable

import numpy as np
import pytest

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.robot.profile_file import load_profile
from devices.interface import Floats
from shows.body_limb import COORDINATES, ROLES, with_body
from tests.core.behave.upper import (
    LIMBS,
    TABLE_LIMBS,
    UPPER,
    arms_table,
    columns,
    manager,
    rest_of,
    rest_q,
    snapshot,
    table,
    table_of,
    upper_joints,
    wave,
)

REST, ACTION, TRANSITION, STOP, JOYSTICK, LIVE = MotionState
ARM = list(columns("left_arm"))


def states(body: MotionManager, now_s: float) -> list[MotionState]:
    return [MotionState(state) for state in body.update(now_s).states]


def run(body: MotionManager, start_s: float, end_s: float, step_s: float = 0.001) -> Floats:
    """Return position, velocity and acceleration of every tick (k, 3, u)."""
    times = np.arange(start_s, end_s, step_s)
    return np.array([snapshot(body.update(float(t))) for t in times])


def assert_smooth(rows: Floats, step_s: float = 0.001) -> None:
    """Refuse jumps: position is the integral of velocity, velocity that of acceleration."""
    q, dq, ddq = rows[:, 0], rows[:, 1], rows[:, 2]
    moved = np.diff(q, axis=0) - 0.5 * step_s * (dq[1:] + dq[:-1])
    assert np.abs(moved).max() < 1e-4
    bound = step_s * (np.maximum(np.abs(ddq[1:]), np.abs(ddq[:-1])) + 5.0)
    assert (np.abs(np.diff(dq, axis=0)) <= bound).all()


def assert_c1_at(body: MotionManager, instant_s: float) -> None:
    """Approach an instant from the left to a nanosecond: less than 1e-9 may be left of a jump."""
    eps = 1e-9
    q0, dq0, ddq0 = snapshot(body.update(instant_s - eps))
    q1, dq1, _ = snapshot(body.update(instant_s))
    assert np.abs(q1 - q0 - eps * dq0).max() < 1e-9
    assert np.abs(dq1 - dq0 - eps * ddq0).max() < 1e-9


ASKS: dict[str, Callable[[MotionManager, float], object]] = {
    "play all": lambda body, t: body.play(t, wave()),
    "play an arm": lambda body, t: body.play(t, wave("left_arm"), blend_in_s=0.4),
    "play mirrored": lambda body, t: body.play(t, wave("left_arm", "head"), mirror=True),
    "play fast in a loop": lambda body, t: body.play(t, wave(), speed=1.7, loop=True),
    "play from the middle": lambda body, t: body.play(t, wave(), start_s=1.234),
    "cancel": lambda body, t: body.cancel(t),
    "cancel an arm": lambda body, t: body.cancel(t, ("left_arm",)),
    "rest": lambda body, t: body.rest(t),
    "freeze": lambda body, t: body.freeze(t),
    "freeze the head": lambda body, t: body.freeze(t, ("head",)),
    "unfreeze": lambda body, t: body.unfreeze(t),
    "joystick": lambda body, t: body.sticks.lead_gaze(t, 0.6, -0.2),
    "release": lambda body, t: body.sticks.release_gaze(t),
}


@pytest.mark.parametrize("second", ASKS)
@pytest.mark.parametrize("first", ASKS)
@pytest.mark.parametrize("gap_s", [0.07, 1.2])
def test_no_request_makes_position_or_velocity_jump(first: str, second: str, gap_s: float) -> None:
    body = manager()
    body.play(3.0, wave(length_s=2.5))
    body.update(4.6)
    now_s = 4.6
    for ask in (first, second):
        before = snapshot(body.update(now_s))
        ASKS[ask](body, now_s)
        after = snapshot(body.update(now_s))
        assert np.abs(after[0] - before[0]).max() < 1e-9
        assert np.abs(after[1] - before[1]).max() < 1e-9
        assert_smooth(run(body, now_s, now_s + gap_s))
        now_s += gap_s
        body.update(now_s)
    assert_smooth(run(body, now_s, now_s + 4.5, 0.004), 0.004)


def test_a_gesture_is_met_in_motion_and_left_for_idle_life_in_motion() -> None:
    body, clip = manager(), wave()
    body.play(5.0, clip)
    assert set(states(body, 5.5)) == {TRANSITION}
    assert_c1_at(body, 6.0)
    assert set(states(body, 6.0)) == {ACTION}
    q, dq, _ = snapshot(body.update(6.0))
    assert q == pytest.approx(clip.q[0], abs=1e-9)
    assert dq == pytest.approx(clip.dq[0], abs=1e-9)
    assert np.abs(dq).max() > 0.1
    assert_c1_at(body, 9.0)
    assert set(states(body, 9.0)) == {TRANSITION}
    assert_c1_at(body, 10.0)
    assert set(states(body, 10.0)) == {REST}
    assert np.abs(body.update(10.0).dq).max() > 0.01
    lively = manager()
    assert (body.update(11.0).q == lively.update(11.0).q).all()


def test_the_tick_that_comes_late_changes_nothing() -> None:
    """A piece ends at its own time, not at the tick that notices."""
    early, late = manager(), manager()
    for body in (early, late):
        body.play(5.0, wave())
    run(early, 5.0, 9.5)
    late.update(5.31)
    late.update(9.437)
    for t in (9.5, 9.9, 10.4):
        assert (early.update(t).q == late.update(t).q).all()


def test_a_transition_takes_a_second_or_what_was_asked_within_bounds() -> None:
    for asked_s, lasts_s in ((None, 1.0), (0.5, 0.5), (0.0, 0.3), (60.0, 2.0)):
        body = manager()
        body.play(5.0, wave(), blend_in_s=asked_s)
        assert states(body, 5.0 + lasts_s - 1e-6)[0] is TRANSITION
        assert states(body, 5.0 + lasts_s + 1e-6)[0] is ACTION


def test_a_long_way_takes_longer_than_asked() -> None:
    joints = upper_joints()
    far = Clip.pose("up", columns("left_arm"), np.deg2rad([-180.0, -20.0, 100.0]), 2.0)
    body = manager(idle=False)
    body.play(1.0, far, blend_in_s=0.3)
    rows = run(body, 1.0, 4.0)
    peak = np.abs(rows[:, 1, ARM]).max()
    assert 3.0 < peak <= 4.0 + 1e-6
    reached = np.flatnonzero(np.abs(rows[:, 0, ARM[0]] - far.q[0, 0]) < 1e-6)[0] * 0.001
    assert reached > 0.9
    assert joints.lower[ARM[0]] < rows[:, 0, ARM[0]].min()


def test_a_frozen_gesture_comes_to_rest_and_goes_on_over_the_very_same_path() -> None:
    clip, body = wave(), manager()
    body.play(5.0, clip)
    free = manager()
    free.play(5.0, clip)
    assert_smooth(run(body, 5.0, 7.0))
    assert body.freeze(7.0) == LIMBS
    assert_smooth(run(body, 7.0, 7.3))
    still = snapshot(body.update(7.3))
    assert not still[1].any()
    assert not still[2].any()
    assert set(states(body, 7.3)) == {STOP}
    assert (body.update(500.0).q == still[0]).all()
    assert body.unfreeze(500.0) == LIMBS
    assert (body.update(500.0).q == still[0]).all()
    assert set(states(body, 500.0)) == {ACTION}
    assert_smooth(run(body, 500.0, 500.5))
    moments = 0
    for t in np.arange(500.5, 501.9, 0.0137):
        playing = body.update(float(t)), body.playing("left_arm")
        if playing[1] is None:
            break
        # Bit for bit: the pose is a function of the clip's own time alone.
        name, phase_s = playing[1]
        assert name == clip.name
        expected = np.zeros((3, len(UPPER)))
        clip.sample(phase_s, expected[0], expected[1], expected[2])
        assert (playing[0].q == expected[0]).all()
        moments += 1
    assert moments > 50


@pytest.mark.parametrize("moment_s", [5.2, 5.93, 6.5, 8.95, 8.999, 9.02, 9.5, 12.0])
def test_a_freeze_at_any_moment_only_delays(moment_s: float) -> None:
    """Transition, gesture, the very end of it, the way back, idle life: the path is the same."""
    free, body = manager(), manager()
    for each in (free, body):
        each.play(5.0, wave())
    body.update(moment_s)
    body.freeze(moment_s)
    run(body, moment_s, moment_s + 0.2)
    held = snapshot(body.update(moment_s + 20.0))
    assert not held[1].any()
    body.unfreeze(moment_s + 20.0)
    # The ramps down and up cover 0.075 s of motion each: only the wait is lost.
    for after_s in (0.4, 1.3, 3.0):
        t = moment_s + 20.0 + after_s
        delayed, original = body.update(t), free.update(t - 20.0)
        assert delayed.q == pytest.approx(original.q, abs=1e-9)
        assert delayed.dq == pytest.approx(original.dq, abs=1e-7)


def test_a_freeze_that_is_taken_back_at_once_is_smooth() -> None:
    body = manager()
    body.play(5.0, wave(), loop=True)
    rows = [run(body, 6.5, 7.0)]
    for i in range(10):
        (body.freeze if i % 2 == 0 else body.unfreeze)(7.0 + 0.06 * i)
        rows.append(run(body, 7.0 + 0.06 * i, 7.06 + 0.06 * i - 1e-9))
    assert_smooth(np.concatenate(rows))


def test_one_limb_freezes_while_the_others_go_on() -> None:
    body = manager()
    body.play(5.0, wave(), loop=True)
    body.update(7.0)
    assert body.freeze(7.0, ("left_arm",)) == ("left_arm",)
    assert body.freeze(7.1, ("left_arm",)) == ()
    assert states(body, 8.0) == [ACTION, STOP, ACTION, ACTION, ACTION]
    a, b = snapshot(body.update(8.0)), snapshot(body.update(8.2))
    assert (a[0][ARM] == b[0][ARM]).all()
    assert (np.delete(a[0], ARM) != np.delete(b[0], ARM)).all()
    assert body.unfreeze(9.0) == ("left_arm",)
    assert states(body, 9.5) == [ACTION] * 5


def test_the_head_follows_the_stick_while_the_arms_wave() -> None:
    body = manager()
    body.play(5.0, wave(), loop=True)
    rows = [run(body, 5.0, 7.0)]
    yaw, pitch = UPPER.index("head_yaw"), UPPER.index("head_pitch")
    for i in range(100):
        t = 7.0 + 0.02 * i
        assert body.sticks.lead_gaze(t, 0.9, -0.1)
        rows.append(run(body, t, t + 0.02 - 1e-9))
    reference = body.update(9.0)
    assert states(body, 9.0) == [JOYSTICK, ACTION, ACTION, ACTION, ACTION]
    assert reference.q[[yaw, pitch]] == pytest.approx([0.9, -0.1], abs=1e-3)
    assert body.play(9.0, wave()) == LIMBS[1:], "the hand keeps the head"
    body.sticks.release_gaze(9.0)
    assert states(body, 9.0)[0] is TRANSITION
    rows.append(run(body, 9.0, 11.0))
    assert states(body, 11.0)[0] is REST
    assert_smooth(np.concatenate(rows))


def test_the_stick_moving_during_the_transition_is_followed_after_it() -> None:
    body = manager(idle=False)
    rows = []
    for i in range(150):
        t = 5.0 + 0.02 * i
        body.sticks.lead_gaze(t, 0.3 * np.sin(6.0 * t), 0.0)
        rows.append(run(body, t, t + 0.02 - 1e-9))
    assert_smooth(np.concatenate(rows))
    assert np.abs(np.concatenate(rows)[1000:, 0, UPPER.index("head_yaw")]).max() > 0.15


def test_a_stick_beyond_the_limits_leads_to_the_limits() -> None:
    body, joints = manager(idle=False), upper_joints()
    yaw = UPPER.index("head_yaw")
    body.sticks.lead_gaze(1.0, 99.0, -99.0)
    for t in np.arange(1.0, 5.0, 0.02):
        body.sticks.lead_gaze(float(t), 99.0, -99.0)
        reference = body.update(float(t))
        assert reference.q[yaw] < joints.upper[yaw]
    assert reference.q[yaw] == pytest.approx(joints.upper[yaw], abs=0.03)
    assert np.abs(reference.dq).max() < 1e-3


def test_a_stream_of_stick_positions_does_not_end_a_stop() -> None:
    body = manager()
    body.sticks.lead_gaze(1.0, 0.5, 0.0)
    body.update(3.0)
    body.freeze(3.0)
    held = body.update(4.0).q.copy()
    assert not body.sticks.lead_gaze(4.0, -0.5, 0.0)
    body.sticks.release_gaze(4.5)
    assert (body.update(6.0).q == held).all()
    assert set(states(body, 6.0)) == {STOP}
    body.unfreeze(6.0)
    assert states(body, 6.1) == [TRANSITION, REST, REST, REST, REST]
    assert states(body, 8.0) == [REST] * 5


def test_cancel_takes_what_plays_to_rest_and_leaves_the_rest_alone() -> None:
    body = manager()
    body.play(5.0, wave("left_arm", "right_arm"), loop=True)
    body.sticks.lead_gaze(5.0, 0.2, 0.0)
    body.update(7.0)
    body.cancel(7.0)
    assert states(body, 7.1) == [JOYSTICK, TRANSITION, TRANSITION, REST, REST]
    assert states(body, 8.1) == [JOYSTICK, REST, REST, REST, REST]
    body.rest(8.1)
    assert states(body, 8.2)[0] is TRANSITION


def test_cancelling_what_is_frozen_goes_to_rest_from_standstill() -> None:
    body = manager()
    body.play(5.0, wave())
    body.freeze(7.0)
    held = snapshot(body.update(8.0))
    body.cancel(8.0, ("left_arm",))
    assert states(body, 8.5) == [STOP, TRANSITION, STOP, STOP, STOP]
    body.rest(9.0)
    after = snapshot(body.update(9.0))
    assert after[0][0] == held[0][0]
    assert states(body, 10.5) == [REST] * 5


def test_rest_is_left_alone_when_asked_for_again() -> None:
    body, free = manager(), manager()
    for t in (1.0, 1.5, 2.0):
        body.rest(t)
        body.cancel(t)
        assert (body.update(t).q == free.update(t).q).all()


def test_a_loop_goes_round_until_cancelled() -> None:
    body = manager()
    body.play(5.0, wave("right_arm"), loop=True)
    assert_smooth(run(body, 6.5, 14.0, 0.002), 0.002)
    assert states(body, 60.0)[2] is ACTION
    body.cancel(60.0)
    assert states(body, 62.0)[2] is REST


def test_a_mirrored_wave_is_the_other_arms() -> None:
    one, other = manager(idle=False), manager(idle=False)
    one.play(1.0, wave("left_arm", "head"))
    other.play(1.0, wave("left_arm", "head"), mirror=True)
    a, b = one.update(3.3).q, other.update(3.3).q
    left, right = list(columns("left_arm")), list(columns("right_arm"))
    assert a[left] == pytest.approx(b[right], abs=1e-12)
    yaw = UPPER.index("head_yaw")
    assert a[yaw] == pytest.approx(-b[yaw], abs=1e-12)


def test_speed_plays_the_same_path_faster() -> None:
    slow, fast = manager(idle=False), manager(idle=False)
    slow.play(1.0, wave())
    fast.play(1.0, wave(), speed=2.0)
    for phase_s in (0.113, 1.007, 2.893):  # between knots, where acceleration may jump
        a, b = snapshot(slow.update(2.0 + phase_s)), snapshot(fast.update(2.0 + 0.5 * phase_s))
        assert a[0] == pytest.approx(b[0], abs=1e-9)
        assert 2.0 * a[1] == pytest.approx(b[1], abs=1e-8)
        assert 4.0 * a[2] == pytest.approx(b[2], abs=1e-6)


def test_adopt_starts_where_the_body_is_even_outside_the_limits() -> None:
    joints = upper_joints()
    measured = rest_q() + 0.3
    measured[0] = joints.upper[0] - 0.01  # within the bent band
    body = manager()
    body.update(100.0)
    body.adopt(100.0, measured)
    first = snapshot(body.update(100.0))
    assert first[0] == pytest.approx(measured, abs=1e-9)
    assert not first[1].any()
    assert set(states(body, 100.0)) == {TRANSITION}
    assert_smooth(run(body, 100.0, 103.0))
    assert set(states(body, 103.0)) == {REST}
    measured[0] = joints.upper[0] + 0.2
    body.adopt(104.0, measured)
    assert body.update(104.0).q[0] < joints.upper[0]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_changes_nothing(bad: float) -> None:
    body, free = manager(), manager()
    q = rest_q()
    q[3] = bad
    for ask in (
        lambda: body.adopt(2.0, q),
        lambda: body.sticks.lead_gaze(2.0, bad, 0.0),
        lambda: body.play(2.0, wave(), speed=bad),
        lambda: body.play(2.0, wave(), start_s=bad),
        lambda: body.play(2.0, wave(), blend_in_s=bad),
        lambda: body.play(2.0, wave(), blend_out_s=bad),
    ):
        with pytest.raises(BehaveError):
            ask()
    assert (body.update(3.0).q == free.update(3.0).q).all()


def test_unknown_limbs_are_refused_by_every_request() -> None:
    body = manager()
    for ask in (body.cancel, body.freeze, body.unfreeze):
        with pytest.raises(BehaveError, match="tail"):
            ask(1.0, ("tail",))
    with pytest.raises(BehaveError, match="tail"):
        body.play(1.0, wave(), limbs=("tail",))


def test_time_that_runs_backward_stands_still() -> None:
    body = manager()
    body.play(5.0, wave())
    now = snapshot(body.update(6.0))
    assert (body.update(2.0).q == now[0]).all()


def test_a_rest_posture_that_does_not_fit_the_robot_is_refused() -> None:
    with pytest.raises(BehaveError, match="rest posture: give 20 finite angles"):
        MotionManager(table(), np.zeros(3))


def test_a_robot_without_a_gaze_refuses_the_joystick_and_plays_all_the_same() -> None:
    joints = arms_table()
    body = MotionManager(joints, rest_of(joints))
    with pytest.raises(BehaveError, match="no joints that turn a gaze"):
        body.sticks.lead_gaze(1.0, 0.1, 0.0)
    body.sticks.release_gaze(1.0)
    own = Clip.from_positions("lift", (2, 5), 50.0, np.full((50, 2), 0.6))
    assert body.play(1.0, own) == ("left_arm", "right_arm")
    assert body.update(2.5).states.tolist() == [ACTION, ACTION]
    assert body.update(2.5).q[2] == pytest.approx(0.6)


def test_a_robot_without_limbs_to_move_has_an_empty_reference() -> None:
    body = MotionManager(table_of(TABLE_LIMBS[3:5], None, 20.0), np.zeros(2))
    body.adopt(1.0, np.zeros(0))
    body.rest(2.0)
    body.cancel(2.0)
    reference = body.update(3.0)
    assert reference.q.shape == (0,)
    assert reference.states.shape == (0,)
    assert body.gestures() == ()


@pytest.mark.parametrize("speed", [2.0, 5.0])
def test_a_limb_that_is_held_in_motion_is_still_soon(speed: float) -> None:
    body, joint = manager(idle=False), columns("left_arm")[0]
    swing = rest_q()[joint] - 0.5 + 0.4 * np.sin(speed / 0.4 * np.arange(151) / 50.0)
    body.play(0.0, Clip.from_positions("swing", (joint,), 50.0, swing[:, None]))
    now_s = 1.0
    while abs(body.update(now_s).dq[joint]) < 0.95 * speed:
        now_s += 0.001
    anchor = body.position(now_s).copy()
    body.release(now_s, ("left_arm",), anchor, gently=True)
    way = np.array([body.update(now_s + 0.001 * tick).q[joint] for tick in range(400)])
    assert abs(way - anchor[joint]).max() < 0.05 * speed
    assert abs(way[302:] - anchor[joint]).max() < 1e-6


def test_each_limb_tells_its_state_and_clip() -> None:
    body = manager()
    body.play(1.0, wave("head", name="nod"))
    assert body.state("head") is TRANSITION
    assert body.playing("head") is None
    assert body.gestures() == ("nod", "", "", "", "")  # it is on its way there
    body.update(2.5)
    assert body.gestures() == ("nod", "", "", "", "")
    assert body.state("head") is ACTION
    playing = body.playing("head")
    assert playing is not None
    assert playing[0] == "nod"
    assert playing[1] == pytest.approx(0.5)
    body.freeze(2.6, ("head",))
    body.update(3.0)
    assert body.gestures()[0] == "nod"
    body.cancel(3.0)
    assert body.gestures() == ("",) * 5
    assert body.state("left_arm") is REST


@pytest.mark.parametrize(("from_rad", "blend_s"), [(0.0, 1.0), (-1.3, 0.3)])
def test_a_clip_keeps_to_its_beat_however_long_the_way_to_it_is(
    from_rad: float, blend_s: float
) -> None:
    body = manager()
    q = np.array(body.position(0.0))
    q[ARM] += from_rad
    body.adopt(0.0, q)
    body.play(0.5, wave(), blend_in_s=blend_s, beat_s=0.5 + blend_s)
    run(body, 0.5, 2.6)
    found = body.playing("left_arm")
    assert found is not None and found[1] == pytest.approx(2.599 - 0.5 - blend_s, abs=1e-9)


def test_a_turn_adds_to_the_motion_of_the_body_within_its_limits_and_moves_no_owner() -> None:
    own = load_profile("kid_cosmo").body
    assert own is not None
    joints = with_body(table(), own)
    body = MotionManager(joints, rest_of(table()))
    turn, yaw = np.array([0.1, 0.2, 0.3]), ROLES.index("yaw")
    body.turn_body(turn)
    assert body.update(1.0).body[:, yaw] == pytest.approx(turn)
    body.pose(1.0, {COORDINATES[yaw]: 0.1}, 1.0)
    both = body.update(3.0).body
    assert both[0, yaw] == pytest.approx(0.2) and both[1, yaw] == pytest.approx(0.2)
    turn[0] = 0.4
    assert 0.2 < body.update(3.1).body[0, yaw] < body.turn_reach
    body.turn_body(None)
    assert body.update(3.2).body[0, yaw] == pytest.approx(0.1), "the pose was never touched"
    armless = manager()
    armless.turn_body(turn)
    assert armless.turn_reach == 0.0 and not armless.update(1.0).body.size
