"""Telemetry: rows, statistics, status and report."""

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.link.catalogue.faults import ESTOP_OPEN_CUT
from core.link.catalogue.run import DONE
from core.link.catalogue.safety import JOINT_AGE
from core.link.commands import Command, Go, PauseShow, StandUp, Walk
from core.link.status import Channel, Status
from core.link.topics import STATUS
from core.plants.biped.plant import biped_of
from core.plants.interface import Plant
from core.record.schema import tick_dtype
from core.record.tape import Tape, read_block
from core.report.telemetry import (
    LATELY_S,
    LONGEST_US,
    QP_STATUS,
    Telemetry,
    TickTimes,
    worst_joints,
)
from core.safety.flags import Flag
from core.safety.modes import Mode
from core.safety.rules import RULES
from devices.interface import StopChannel, Truth
from tests.core.rig import STAND_BEND, TICK_S, Rig, bent, profile
from tests.core.stage.cues import cue, gesture, show

COUNT = 28

LATELY_TICKS = round(LATELY_S / TICK_S)


def truth() -> Truth:
    """Return a true state in which all values differ."""
    return Truth(
        q=np.linspace(0.1, 0.2, COUNT),
        dq=np.linspace(0.3, 0.4, COUNT),
        tau_applied=np.linspace(0.01, 0.02, COUNT),
        base_position=np.array([1.0, 2.0, 3.0]),
        base_velocity=np.array([4.0, 5.0, 6.0]),
        base_rpy=np.array([0.7, 0.8, 0.9]),
        base_spin=np.array([19.0, 20.0, 21.0]),
        com=np.array([10.0, 11.0, 12.0]),
        com_velocity=np.array([13.0, 14.0, 15.0]),
        contacts=np.array([False, True, False, False]),
        contact_force=np.arange(12.0).reshape(4, 3),
        external_force=np.array([16.0, 17.0, 18.0]),
    )


class Run:
    """A statue that stands, and the telemetry of its ticks."""

    def __init__(self, simulated: bool = True) -> None:
        self.rig = Rig()
        self.blocks: list[bytes] = []
        self.dtype = tick_dtype(COUNT, 6, simulated)
        self.tape = Tape(self.dtype, self.blocks.append)
        self.telemetry = Telemetry(self.rig.performer, self.tape, simulated)
        self.truth = truth() if simulated else None

    def tick(self, *commands: Command, time_us: float = 300.0) -> None:
        self.rig.tick(*commands)
        sample = self.rig.sample
        self.telemetry.record(sample.stamp_s, sample, self.truth, time_us)

    def stand(self) -> None:
        self.tick()
        self.tick(StandUp())
        for _ in range(5):
            self.tick()
        self.rig.expect(Mode.READY)

    def rows(self) -> np.ndarray[Any, np.dtype[np.void]]:
        self.tape.flush()
        return np.concatenate([read_block(block, self.dtype).rows for block in self.blocks])

    def status(self) -> Status:
        sample = self.rig.sample
        channels = (StopChannel("mushroom", sample.estop_closed), StopChannel("radio", True))
        return self.telemetry.status(self.rig.now_s, sample, channels, 20.0)


# Tick times


def test_without_ticks_all_times_are_zero() -> None:
    stats = TickTimes(TICK_S).stats()
    assert (stats.median_us, stats.p99_us, stats.worst_us, stats.overruns) == (0.0, 0.0, 0.0, 0)


@given(st.lists(st.floats(0.0, 3e4), min_size=1, max_size=200), st.floats(0.01, 1.0))
def test_percentiles_are_those_of_the_ticks(times_us: list[float], share: float) -> None:
    times = TickTimes(TICK_S)
    for time_us in times_us:
        times.add(time_us)
    capped = sorted(min(LONGEST_US, int(time_us)) for time_us in times_us)
    below = [t for t in capped if t <= times.percentile(share)]
    assert len(below) >= share * len(capped) - 1e-9
    assert times.percentile(share) in capped
    assert times.stats().worst_us == capped[-1]


@given(st.lists(st.integers(0, 3000), max_size=LATELY_TICKS), st.integers(0, 2 * LATELY_TICKS))
def test_the_stats_are_those_of_the_last_ticks(newest_us: list[int], earlier: int) -> None:
    times = TickTimes(TICK_S)
    for k in range(earlier):
        times.add(4000.0 + k)
    assume(len(newest_us) + earlier > 0)
    for time_us in newest_us:
        times.add(time_us + 0.5)
    last_us = sorted([*(4000 + k for k in range(earlier)), *newest_us][-LATELY_TICKS:])
    stats = times.stats()
    assert stats.worst_us == last_us[-1]
    assert stats.median_us == last_us[math.ceil(0.5 * len(last_us)) - 1]
    assert stats.p99_us == last_us[math.ceil(0.99 * len(last_us)) - 1]
    assert times.percentile(1.0) == max([*newest_us, 3999 + earlier if earlier else 0])


# Rows


def balance_of(plant: Plant) -> dict[str, npt.ArrayLike]:
    """Return the arrays of balance as the picture has them, and the deviations."""
    view, filtered = plant.view(), biped_of(plant).estimator.filter
    return {
        "com_est": view.com,
        "com_velocity_est": view.com_velocity,
        "capture_point_est": view.capture_point,
        "sole_position_est": view.soles,
        "sole_yaw_est": view.sole_yaws,
        "contact_force_plan": np.reshape(view.contact_forces, (2, 2, 3)),
        "deviation_est": np.sqrt(np.diag(filtered.covariance)[:9]),
    }


def test_a_row_holds_the_tick() -> None:
    run = Run()
    run.stand()
    run.rig.sample.dq[5] = 0.25
    run.rig.sample.winding_c[5] = 61.0
    run.tick(Walk(0.1, 0.02, 0.05), time_us=412.0)
    row, sample, true = run.rows()[-1], run.rig.sample, truth()
    performer = run.rig.performer
    state, command = performer.plant.state, performer.command
    assert row["t"] == pytest.approx(sample.stamp_s)
    assert row["mode"] == Mode.WALK
    assert row["tick_cpu_us"] == 412.0
    # The statue does not follow its body, which may take the spare solver.
    assert QP_STATUS[row["qp_status"]].startswith("solved")
    assert row["qp_iterations"] > 0
    torque = (
        command.tau + command.kp * (command.q - sample.q) + command.kd * (command.dq - sample.dq)
    )
    expected: dict[str, npt.ArrayLike] = {
        "q": bent(STAND_BEND),
        "dq": sample.dq,
        "q_command": command.q,
        "tau_command": torque,
        "tau_applied": true.tau_applied,
        "base_position_est": state.position_base_in_world,
        "base_velocity_est": state.velocity_base_in_world,
        "rpy_est": state.rpy,
        "contact_est": [1.0, 1.0],
        "motion_state": performer.upper.states,
        "velocity_command": [0.1, 0.02, 0.05],
        "winding_c": sample.winding_c,
        **balance_of(performer.plant),
        "q_true": true.q,
        "dq_true": true.dq,
        "base_position_true": true.base_position,
        "base_velocity_true": true.base_velocity,
        "rpy_true": true.base_rpy,
        "com_true": true.com,
        "com_velocity_true": true.com_velocity,
        "contact_true": [1.0, 0.0],
        "contact_force_true": true.contact_force.reshape(2, 2, 3),
        "external_force": true.external_force,
    }
    for name, values in expected.items():
        seen = np.asarray(values)
        np.testing.assert_allclose(row[name], seen, rtol=1e-5, atol=1e-6, err_msg=name)


def test_a_real_body_records_its_own_torque_and_no_truth() -> None:
    run = Run(simulated=False)
    run.stand()
    rows = run.rows()
    assert "q_true" not in (rows.dtype.names or ())
    np.testing.assert_allclose(rows[-1]["tau_applied"], run.rig.sample.tau, rtol=1e-5)


def test_every_tick_makes_one_row() -> None:
    run = Run()
    for _ in range(123):
        run.tick()
    rows = run.rows()
    assert rows.size == 123
    np.testing.assert_allclose(np.diff(rows["t"]), 0.001, atol=1e-9)


# Figures


def test_the_report_names_the_worst_joint_and_its_load() -> None:
    run = Run()
    run.stand()
    assert run.truth is not None
    run.truth.tau_applied[13] = -4.0  # of 8 N·m
    run.tick()
    run.truth.tau_applied[13] = 0.0
    run.rig.sample.q[3] += 0.3
    run.tick()
    report = run.telemetry.report(run.rig.now_s, True, DONE())
    assert report.worst_load == pytest.approx(0.5)
    assert report.worst_load_joint == profile().joint_names[13]
    assert report.worst_tracking_joint == "left_shoulder_roll"
    assert report.worst_tracking_rad == pytest.approx(0.3, abs=0.05)
    assert (report.completed, report.reason, report.falls) == (True, DONE(), 0)


def test_legs_do_not_count_as_tracking() -> None:
    run = Run()
    run.stand()
    before = run.telemetry.report(0.0, True, DONE()).worst_tracking_rad
    run.rig.sample.q[9] += 0.1
    run.tick()
    after = run.telemetry.report(0.0, True, DONE()).worst_tracking_rad
    assert after == pytest.approx(before, abs=0.02)


def test_the_report_has_the_times() -> None:
    run = Run()
    for i in range(100):
        run.tick(time_us=200.0 if i < 90 else 900.0)
    run.telemetry.times.overruns = 3
    report = run.telemetry.report(0.1, True, DONE())
    assert (report.tick_median_us, report.tick_p99_us, report.overruns) == (200.0, 900.0, 3)
    assert report.duration_s == 0.1
    assert report.wall_s > 0.0


def test_the_status_is_the_robot_at_a_glance() -> None:
    run = Run()
    run.stand()
    run.rig.sample.winding_c[11] = 60.0
    status = run.status()
    assert (status.mode, status.action, status.flags) == ("READY", "NONE", ())
    assert (status.hottest_joint, status.hottest_c) == ("left_knee", 60.0)
    assert status.battery_v == 24.0
    assert len(status.motion_states) == 6
    assert status.show_length_s == 20.0
    assert run.status().sequence == status.sequence + 1


def test_the_status_tells_of_show_limbs_and_chain() -> None:
    run = Run()
    run.rig.performer.load(show(cue("1", gesture(0.0, groups=("head",)), follow=1), cue("2")))
    run.stand()
    status = run.status()
    assert (status.paused, status.running_cues, status.gestures) == (False, (), ("",) * 6)
    assert status.estop_channels == (Channel("mushroom", True), Channel("radio", True))
    assert (status.alarms, status.latched, status.reset_steps) == ((), (), ())
    run.tick(Go())
    run.tick()
    status = run.status()
    assert status.running_cues == ("1", "2")
    assert status.gestures == ("wave", "", "", "", "", "")
    run.tick(PauseShow())
    assert run.status().paused
    run.rig.sample.estop_closed = False
    run.tick()
    status = run.status()
    assert status.estop_channels == (Channel("mushroom", False), Channel("radio", True))
    assert status.latched == (ESTOP_OPEN_CUT(),)
    assert [alarm.flag for alarm in status.alarms] == ["ESTOP_OPEN"]
    assert not status.reset_steps[0].done
    assert len(msgspec.msgpack.encode(status)) < STATUS.max_bytes


def test_a_status_of_every_fault_and_a_long_show_fits_the_link() -> None:
    run = Run()
    cues = [cue(str(i), gesture(0.0, groups=("head",)), follow=1) for i in range(1, 900)]
    run.rig.performer.load(show(*cues))
    run.stand()
    run.tick(Go())
    run.rig.performer.book.rules = RULES
    run.rig.performer.book.details = dict.fromkeys(
        Flag, JOINT_AGE(joint="left_shoulder_pitch", age_s=1.0)
    )
    status = run.status()
    assert len(status.running_cues) == 64 and len(status.alarms) > 20
    assert len(msgspec.msgpack.encode(status)) < STATUS.max_bytes


def test_the_hello_names_everything_by_number() -> None:
    hello = Run().telemetry.hello("sim", "max", 7)
    assert hello.joint_names == profile().joint_names
    assert hello.mode_names[Mode.ESTOP] == "ESTOP"
    assert hello.qp_status_names == QP_STATUS
    assert hello.chooses_foot and hello.body_limb == profile().body
    assert (hello.body, hello.pace, hello.seed, hello.simulated) == ("sim", "max", 7, True)
    assert len(hello.lower) == len(hello.upper) == len(hello.stall_torque) == COUNT
    assert len(hello.joint_limbs) == len(hello.velocity_limit) == COUNT
    groups = dict(zip(hello.joint_names, hello.joint_limbs, strict=True))
    assert (groups["head_yaw"], groups["left_knee"]) == ("head", "left_leg")
    assert groups["right_thumb"] == "right_hand"
    assert min(hello.velocity_limit) > 0.0


def test_standing_adds_no_distance() -> None:
    run = Run()
    run.stand()
    for i in range(200):
        run.tick()
        if i % 20 == 0:
            assert run.status().distance_m == 0.0


numbers = st.lists(st.floats(-200.0, 200.0) | st.just(math.nan), min_size=4, max_size=4)


@given(numbers, numbers)
def test_the_worst_joints_are_numpys_and_one_that_tells_nothing_is_worst(
    winding_c: list[float], load: list[float]
) -> None:
    stall = np.array([1.0, 2.0, 4.0, 8.0])
    hottest, hottest_c, worst, share = worst_joints(np.array(winding_c), np.array(load), stall)
    shares = np.abs(load) / stall
    assert (hottest, worst) == (int(np.argmax(winding_c)), int(shares.argmax()))
    np.testing.assert_array_equal([hottest_c, share], [winding_c[hottest], shares[worst]])
