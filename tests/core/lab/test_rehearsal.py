"""Whole rehearsals of the simulated robot, on estimates, with noise and delay."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.__main__ import simulated_body
from core.behave.reference import MotionState
from core.lab.rehearsal import Listener, Rehearsed, rehearse
from core.link import topics
from core.link.catalogue.run import DONE, FELL_AT
from core.link.catalogue.safety import MODE_FORCED
from core.link.commands import Command, Hold
from core.link.envelope import Envelope
from core.link.sound import VoiceCue
from core.robot.joint_table import joint_table
from core.run.autopilot import STAND_UP_AT_S, Autopilot, Facts
from core.run.launch import LaunchConfig, PushOrder, WalkOrder
from core.safety.modes import Mode
from core.stage.flatten import body_segments, prepare_gestures, walk_segments
from core.stage.prepared import PreparedShow
from devices.interface import Support
from shows.document import BodyClip, WalkClip
from shows.folders import GESTURES
from shows.motion import load_motion
from tests.core.rig import launch, profile, told
from tests.core.stage.cues import cue, gesture, show, voice

EARLY_S = 2.7  # the robot stands after 1.9 s, and need not be watched standing until 5 s

Rows = npt.NDArray[np.void]


class Early(Autopilot):
    """The autopilot whose clock is set forward once the robot was asked to stand up."""

    def __init__(self, config: LaunchConfig, end_s: float = 1e9) -> None:
        super().__init__(config.walk, config.gestures, config.pushes)
        self.end_s = end_s

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        self.finished = self.finished or now_s >= self.end_s
        early_s = EARLY_S if now_s > STAND_UP_AT_S else 0.0  # it rests as long as it does really
        return [] if self.finished else super().update(now_s + early_s, facts)


def run(
    seed: int = 0,
    stepping: bool = True,
    end_s: float = 1e9,
    prepared: PreparedShow | None = None,
    **changes: Any,
) -> Rehearsed:
    config = launch(seed=seed, **changes)
    body = simulated_body(config, profile())
    support = Support(config.support or "floor")
    autopilot = Early(config, end_s)
    return rehearse(profile(), body, autopilot, support, seed, prepared, stepping)


def walk(dur: float, **velocity: Any) -> tuple[WalkOrder, ...]:
    return (WalkOrder(dur=dur, **velocity),)


@cache
def wave() -> PreparedShow:
    table = joint_table(profile())
    return prepare_gestures({"wave": load_motion(GESTURES / "wave.json", table)}, table)


@cache
def walked() -> Rehearsed:
    orders = walk(6.0, vx=0.16)
    return run(walk=orders, gestures=("wave",), prepared=wave())


@cache
def stood() -> Rehearsed:
    return run(seed=1, walk=walk(3.0))


def during(done: Rehearsed, mode: Mode) -> Rows:
    chosen: Rows = done.rows[done.rows["mode"] == mode]
    return chosen


def assert_done(done: Rehearsed) -> None:
    assert done.report.completed, done.report.reason
    assert done.report.reason == DONE()
    assert done.report.falls == 0
    modes = [Mode(mode) for mode in np.unique(done.rows["mode"])]
    assert Mode.READY in modes and Mode.FAULT not in modes
    assert done.rows["mode"][-1] == Mode.DAMPED
    assert not [event for event in done.listener.events if event.severity == "error"]
    assert (done.rows["qp_status"] < 3).all()
    for name in done.rows.dtype.names or ():
        assert np.isfinite(done.rows[name]).all(), name


# Standing


def test_it_stands_up_stays_up_and_settles() -> None:
    done = stood()
    assert_done(done)
    ready = during(done, Mode.READY)
    assert ready.size > 4000
    late = ready[3000:]  # the first estimate of the tilt is forgotten by then
    assert np.abs(late["rpy_true"][:, :2]).max() < np.deg2rad(3.0)
    assert np.ptp(late["com_true"][:, :2], axis=0).max() < 0.02
    assert np.abs(late["com_velocity_true"]).max() < 0.05
    assert (late["contact_true"] == 1.0).all()
    assert done.report.distance_m == 0.0


def test_standing_is_as_high_as_the_profile_says_and_the_crouch_lower() -> None:
    rows = stood().rows
    # The soles stand at z = 0 in the simulator.
    height = during(stood(), Mode.READY)["com_true"][-1, 2]
    assert height == pytest.approx(profile().as_biped.balance.stand_height, abs=0.02)
    crouched = rows["com_true"][rows["mode"] == Mode.SETTLE][-1, 2]
    assert crouched < height - 0.04


def test_the_ground_carries_the_weight() -> None:
    force = during(stood(), Mode.READY)["contact_force_true"][1000:]
    total = force.sum(axis=(1, 2))
    assert total[:, 2].mean() == pytest.approx(25.0 * 9.81, rel=0.01)


# Walking


def test_it_walks_as_far_as_it_was_asked_while_it_waves() -> None:
    done = walked()
    assert_done(done)
    walking = during(done, Mode.WALK)
    first, last = walking[0], walking[-1]
    way = last["base_position_true"] - first["base_position_true"]
    assert way[0] == pytest.approx(0.16 * 6.0, abs=0.15)
    assert abs(way[1]) < 0.15
    assert done.report.distance_m == pytest.approx(float(np.hypot(way[0], way[1])), abs=0.2)
    assert np.abs(walking["rpy_true"][:, :2]).max() < np.deg2rad(10.0)
    assert (walking["motion_state"][:, 2] == MotionState.ACTION).any()


def test_idle_life_goes_on_in_a_walk_once_the_gesture_is_over() -> None:
    walking, table = during(walked(), Mode.WALK), joint_table(profile())
    upper = [limb.name for limb in table.limbs if limb.kind in ("head", "arm", "hand")]
    columns = [table.names.index(name) for limb in upper for name in table.joints_of[limb]]
    idle = walking[(walking["motion_state"] == MotionState.REST).all(axis=1)]
    assert idle.size > 1500
    assert np.ptp(idle["q_command"][:, columns], axis=0).min() > 0.005


def test_feet_take_turns_and_slip_little() -> None:
    walking = during(walked(), Mode.WALK)
    single = walking["contact_true"].sum(axis=1) == 1.0
    assert 0.3 < single.mean() < 0.98
    left, right = walking["contact_true"][:, 0], walking["contact_true"][:, 1]
    for foot in (left, right):
        touchdowns = int((np.diff(foot) > 0).sum())
        assert touchdowns >= 5


def test_torques_stay_within_the_actuators() -> None:
    stall = profile().actuator_column("stall_torque")
    for done in (walked(), stood()):
        load = np.abs(done.rows["tau_applied"]) / stall
        assert load.max() <= 1.1  # friction and back-driving come on top
        assert done.report.worst_load == pytest.approx(float(load.max()), rel=1e-3)


def test_what_is_recorded_as_commanded_is_what_was_asked() -> None:
    rows = walked().rows
    commanded = rows["velocity_command"]
    assert commanded[:, 0].max() == pytest.approx(0.16)
    assert not commanded[rows["mode"] != Mode.WALK].any()


def test_the_estimate_is_good_enough_to_walk_by() -> None:
    walking = during(walked(), Mode.WALK)
    error = walking["base_velocity_est"] - walking["base_velocity_true"]
    assert np.sqrt((error**2).mean(axis=0)).max() < 0.03
    tilt = walking["rpy_est"][:, :2] - walking["rpy_true"][:, :2]
    assert np.rad2deg(np.sqrt((tilt**2).mean(axis=0))).max() < 0.5


@pytest.mark.long
def test_it_steps_in_place() -> None:
    done = run(walk=walk(3.0, step=True))
    assert_done(done)
    walking = during(done, Mode.WALK)
    assert int((np.diff(walking["contact_true"][:, 0]) > 0).sum()) >= 2
    way = walking["base_position_true"][-1] - walking["base_position_true"][0]
    assert np.linalg.norm(way[:2]) < 0.25


# Repeatability


def test_the_same_seed_makes_the_same_run_to_the_bit() -> None:
    runs = [
        run(seed=6, walk=walk(5.0, vx=0.1, yaw=0.1), end_s=3.6, pushes=(PushOrder(6.1, 0.1, 20.0),))
        for _ in range(2)
    ]
    assert runs[0].rows.size == runs[1].rows.size > 3000
    for name in runs[0].rows.dtype.names or ():
        if name not in ("tick_cpu_us", "qp_time_us"):
            np.testing.assert_array_equal(runs[0].rows[name], runs[1].rows[name], err_msg=name)
    assert runs[0].listener.events == runs[1].listener.events
    assert (runs[0].rows["external_force"][:, 0] == 20.0).sum() == 100


def test_another_seed_makes_another_run() -> None:
    one, other = walked().rows["q"][:500], stood().rows["q"][:500]
    assert (one != other).any()


# Pushes


SHOVE = (PushOrder(t=5.0, dur=0.1, fx=80.0),)  # 8 N·s, more than standing alone can take


ASIDE = (PushOrder(t=5.0, dur=0.1, fy=80.0),)


@pytest.mark.parametrize("pushes", [SHOVE, ASIDE], ids=["forward", "left"])
def test_a_shove_soon_after_standing_up_is_recovered_from_by_stepping(
    pushes: tuple[PushOrder, ...],
) -> None:
    done = run(walk=walk(3.5), pushes=pushes)
    assert_done(done)
    moved = during(done, Mode.READY)
    assert (moved["contact_true"].sum(axis=1) == 1.0).any()


def test_without_stepping_the_same_shove_is_a_fall() -> None:
    done = run(walk=walk(3.5), pushes=SHOVE, stepping=False)
    assert_fell(done)


def test_a_very_hard_push_ends_the_run_in_a_fall() -> None:
    done = run(walk=walk(3.5), pushes=(PushOrder(t=5.0, dur=0.2, fx=300.0),))
    assert_fell(done)
    assert told(done.listener.events, MODE_FORCED, mode="FAULT")


def assert_fell(done: Rehearsed) -> None:
    assert not done.report.completed
    assert done.report.reason.code == FELL_AT.code
    assert done.report.falls == 1
    assert done.rows["mode"][-1] in (Mode.FAULT, Mode.DAMPED)
    fault = during(done, Mode.FAULT)
    assert 0.9 < fault["t"][-1] - fault["t"][0] < 1.5 or fault.size > 500
    # Once it has fallen nothing drives the joints any more.
    assert (fault["qp_status"][10:] == fault["qp_status"][10]).all()


# The body


def test_it_leans_as_the_show_asks_and_steps_upright_only() -> None:
    lean = BodyClip(start_s=0.2, length_s=3.0, lower=0.05, pitch=0.2, blend_out_s=0.1)
    ahead = WalkClip(start_s=3.2, length_s=3.0, vx=0.1)
    moments = (*body_segments([lean]), *walk_segments([ahead]))
    done = run(prepared=show(cue("1", *moments, duration_s=7.0)))
    assert_done(done)
    rows = during(done, Mode.PERFORM)
    leaning = rows[2200]
    assert leaning["rpy_true"][1] == pytest.approx(0.2, abs=0.02)
    height = profile().as_biped.balance.stand_height
    assert leaning["com_true"][2] == pytest.approx(height - 0.05, abs=0.015)
    swings = rows[(rows["contact_est"] < 0.5).any(axis=1)]
    assert swings.size > 500
    assert np.abs(swings["rpy_true"][:, 1]).max() < 0.07
    assert done.report.distance_m > 0.1


# Other supports


@pytest.mark.long
def test_under_the_gantry_it_stands_and_walks_too() -> None:
    done = run(support="gantry", walk=walk(2.0, vx=0.1))
    assert_done(done)
    assert during(done, Mode.WALK).size > 2000


def test_on_a_seat_the_arms_play_a_show_and_the_legs_rest() -> None:
    evening = show(cue("1", gesture(0.1, groups=("head",)), voice(0.3), duration_s=2.5))
    done = run(support="seated", prepared=evening)
    assert_done(done)
    assert done.report.cues_played == 1
    assert [v.phrase for v in done.listener.voices if isinstance(v, VoiceCue)] == ["hello"]
    performing = during(done, Mode.PERFORM)
    assert (performing["qp_status"] == 0).all()
    knee = profile().joint_names.index("left_knee")
    assert np.ptp(performing["q_true"][:, knee]) < 0.05
    assert performing["motion_state"][:, 0].max() >= MotionState.ACTION


# The listener


def test_a_listener_keeps_what_it_hears_and_hands_out_commands_once() -> None:
    listener = Listener()
    envelope = Envelope("test", 1, 0.0, Hold())
    listener.commands_due.append(envelope)
    assert listener.commands() == [envelope]
    assert listener.commands() == []
    assert listener.poll(topics.PREPARED) is None
    assert listener.operator_age_s() == 0.0


def test_without_keeping_there_are_figures_but_neither_rows_nor_statuses() -> None:
    config = launch(walk=walk(1.0))
    body = simulated_body(config, profile())
    done = rehearse(profile(), body, Early(config, end_s=0.4), keep=False)
    assert done.rows.size == 0
    assert done.report.duration_s == pytest.approx(0.4, abs=0.01)
    assert done.listener.statuses == []
    assert done.listener.events
