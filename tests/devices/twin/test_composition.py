"""A whole unit on its twin: real drivers, every device, the real hardware file."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import numpy as np
import pytest

from devices.errors import DeviceError
from devices.interface import Body, JointCommand, Sample, Simulated, Trouble
from devices.real.composition import JointParameters, body_of, ports_of
from devices.real.settings import load_hardware
from devices.sim.deviation import Deviation
from devices.twin.__main__ import ask
from devices.twin.body import TwinBody
from devices.twin.client import TwinTimekeeper
from devices.twin.composition import settings_of
from tests.devices.sim import rig as sim
from tests.devices.twin import rig

SLOW = pytest.mark.timeout(600)  # two processes go through seconds of a robot's time


class Unit:
    """A unit on its twin, ticked as the core does.

    Attributes:
        body: of the core.
        sample: the newest.
        cpu_us: processor time of reading and writing in each tick [µs].
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        hardware = load_hardware(rig.HARDWARE)
        figures, hold = sim.settings(), sim.hold(np.zeros(sim.N))
        joints = JointParameters(
            names=figures.joint_names,
            stall_torque=figures.stall_torque,
            torque_constant=figures.torque_constant,
            kp=tuple(hold.kp.tolist()),
            kd=tuple(hold.kd.tolist()),
            switches=rig.SWITCHES,
        )
        self.time = TwinTimekeeper(folder)
        ports = ports_of(hardware, folder)
        real = body_of(hardware, rig.unit(hardware), joints, ports, self.time)
        self.body: Body = TwinBody(real, self.time)
        self.sample: Sample = self.body.read()
        self.cpu_us: list[float] = []
        self._now_s = self.time.now_s()

    def tick(self, act: Callable[[], None]) -> None:
        self._now_s += 0.001
        self.body.clock.wait_until(self._now_s)
        start_ns = time.thread_time_ns()
        self.sample = self.body.read()
        act()
        self.cpu_us.append(1e-3 * (time.thread_time_ns() - start_ns))

    def go(self, seconds: float, act: Callable[[], None]) -> None:
        for _ in range(round(1000 * seconds)):
            self.tick(act)

    def until(self, holds: Callable[[], bool], act: Callable[[], None]) -> float:
        """Go on until something holds, ten seconds at most; return how long that took [s]."""
        begin_s = self._now_s
        while not holds():
            assert self._now_s < begin_s + 10.0, self.body.troubles()
            self.tick(act)
        return self._now_s - begin_s

    def supply(self) -> None:
        """Bring the motors' supply up, once the E-stop circuit is known to be closed."""
        self.until(lambda: self.sample.estop_closed, self.body.stop)
        self.body.restore()
        self.until(self.body.powered, self.body.stop)

    def told(self) -> set[Trouble]:
        return set(self.body.troubles())


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[Unit]:
    with ExitStack() as stack:
        stack.enter_context(rig.process(tmp_path, kind=rig.ROBOT))
        made = Unit(tmp_path)
        stack.callback(made.body.close)
        yield made


def posture() -> JointCommand:
    return sim.hold(np.array(sim.settings().initial_q))


@SLOW
def test_a_whole_unit_wakes_stands_and_feels_itself(unit: Unit) -> None:
    body = unit.body
    assert isinstance(body, Simulated)
    unit.until(lambda: bool((unit.sample.joint_age_s < 0.02).all()), body.stop)
    unit.go(0.3, body.stop)
    assert not body.powered()  # nobody has asked for it, so that no hand complains
    assert not [told for told in unit.told() if "hand" in told.device], unit.told()
    unit.supply()
    unit.go(0.1, body.damp)
    command = posture()
    unit.go(0.4, lambda: body.write(command))
    sample, truth = unit.sample, body.truth()
    # All but the hands come in every tick; these ten times less often.
    assert (sample.joint_age_s[:18] < 0.0021).all()
    assert (sample.joint_age_s < 0.02).all()
    assert sample.imu_age_s < 0.005
    assert (sample.contact_age_s < 0.01).all()
    assert sample.q[:18] == pytest.approx(truth.q[:18], abs=2e-3)
    assert sample.dq[:18] == pytest.approx(truth.dq[:18], abs=0.1)
    assert sample.q == pytest.approx(truth.q, abs=0.05)
    assert sample.gyro == pytest.approx(truth.base_spin, abs=0.05)
    assert np.linalg.norm(sample.accel) == pytest.approx(9.81, abs=1.0)
    assert sample.battery_v == pytest.approx(24.5, abs=1.0)
    assert sample.estop_closed
    assert np.abs(sample.tau[:18]).max() > 1.0  # it does carry
    assert not {trouble.device for trouble in body.troubles() if trouble.grave}, body.troubles()
    ask(unit.folder, f"board {0x61} mute")
    contacts = sample.contacts.tolist()
    unit.go(0.15, lambda: body.write(command))
    assert (unit.sample.contact_age_s[:2] < 0.01).all()
    assert (unit.sample.contact_age_s[2:] > 0.1).all()
    assert unit.sample.contacts.tolist() == contacts
    assert {t.device for t in body.troubles() if t.grave} == {"right foot's contact board"}


FINGERS = np.arange(18, sim.N)


def led(now_s: float) -> JointCommand:
    """Return a posture in which every wrist and finger swings at up to 4.5 rad/s."""
    command = posture()
    turn = 2.0 * np.pi * 1.2
    command.q[FINGERS] = 0.7 - 0.6 * np.cos(turn * now_s)
    command.dq[FINGERS] = 0.6 * turn * np.sin(turn * now_s)
    return command


@SLOW
def test_a_hand_follows_as_well_as_a_simulated_one(unit: Unit) -> None:
    # Behind a hundred commands a second and a board's own loop, within half a degree.
    body, simulated = unit.body, sim.body(support="gantry")
    assert isinstance(body, Simulated)
    unit.supply()
    unit.go(0.1, body.damp)
    unit.go(0.1, lambda: body.write(led(0.0)))
    worst = np.zeros((2, len(FINGERS)))
    for tick in range(2000):
        command = led(0.001 * tick)
        unit.tick(lambda command=command: body.write(command))  # type: ignore[misc]
        simulated.write(command)
        for row, found in enumerate((body.truth().q, simulated.truth().q)):
            if tick > 500:
                error = np.abs(command.q - found)[FINGERS]
                np.maximum(worst[row], error, out=worst[row])
    assert worst[1].max() > 0.05  # the simulated one has dry friction and inertia to overcome
    assert np.rad2deg(worst[0] - worst[1]).max() < 0.5, np.rad2deg(worst)
    assert not [t for t in body.troubles() if "hand" in t.device], body.troubles()


@SLOW
def test_every_plug_pulled_and_put_back_is_reported_and_comes_back(unit: Unit) -> None:
    unit.supply()
    unit.go(0.2, unit.body.damp)
    before = unit.told()
    for line in ("left_leg", "head", "imu", "safe_remote", "boards"):
        ask(unit.folder, f"unplug {line}")
        took_s = unit.until(lambda: bool(unit.told() - before), unit.body.damp)
        assert took_s < 0.25, line
        assert any("unplugged" in trouble.text for trouble in unit.told() - before)
        ask(unit.folder, f"plug {line}")
        if line == "boards":  # the supervisor heard nothing and took the supply
            unit.supply()
        unit.until(lambda: unit.told() <= before, unit.body.damp)


@SLOW
def test_an_open_channel_is_seen_and_takes_the_supply(unit: Unit) -> None:
    unit.supply()
    assert unit.sample.estop_closed
    ask(unit.folder, "open b")
    took_s = unit.until(lambda: not unit.sample.estop_closed, unit.body.damp)
    assert took_s < 0.05
    unit.go(0.2, unit.body.damp)
    assert '"power":"LATCHED"' in ask(unit.folder, "tell boards")
    ask(unit.folder, "close b")
    unit.go(0.2, unit.body.damp)
    assert '"power":"LATCHED"' in ask(unit.folder, "tell boards")


@SLOW
def test_a_hot_winding_and_a_frozen_imu_reach_the_sample(unit: Unit) -> None:
    unit.supply()
    ask(unit.folder, "heat left_elbow 88")
    joint = sim.JOINTS.index("left_elbow")
    unit.until(lambda: bool(unit.sample.winding_c[joint] > 84.0), unit.body.damp)
    ask(unit.folder, "imu stuck")
    unit.until(lambda: bool(unit.sample.imu_age_s > 0.02), unit.body.damp)


@SLOW
def test_a_unit_that_is_not_this_robots_is_refused() -> None:
    hardware = load_hardware(rig.HARDWARE)
    calibration = rig.unit(hardware)
    half = msgspec.structs.replace(calibration, rows=calibration.rows[:9])
    with pytest.raises(DeviceError, match="calibrate these joints"):
        settings_of(hardware, half, sim.settings(), rig.gains(), rig.SWITCHES)


def test_a_plants_zeros_are_in_its_devices_where_the_cores_calibration_does_not_know_them() -> None:
    hardware = load_hardware(rig.HARDWARE)
    calibration = rig.unit(hardware)
    zeros = np.linspace(-0.02, 0.02, sim.N)
    found = Deviation(zero_rad=tuple(zeros.tolist()), command_delay_s=0.002, sensor_delay_s=0.001)
    settings = settings_of(
        hardware, calibration, sim.settings(deviation=found), rig.gains(), rig.SWITCHES
    )
    assert settings.sim.deviation == Deviation(sensor_delay_s=0.001)
    believed = {row.joint: row for row in calibration.rows}
    seats = [seat for group in settings.actuators for seat in group.seats]
    read = {s.joint: s.sign * (s.zero_rad - believed[s.joint].zero_rad) / s.gear for s in seats}
    known = {motor.joint: motor for hand in hardware.hands for motor in hand.rows}
    for motor in (motor for hand in settings.hands for motor in hand.motors):
        read[motor.joint] = motor.sign * (motor.zero_rad - known[motor.joint].zero_rad)
    assert [read[joint] for joint in sim.JOINTS] == pytest.approx(zeros.tolist())
