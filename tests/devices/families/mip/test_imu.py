"""The IMU's driver over a real pty: what can go wrong first, then what it measures."""

import math
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from devices.families.mip.imu import Imu
from devices.families.mip.setup import ImuSettings
from devices.families.mip.wire import commands, sample
from devices.interface import Sample
from devices.real.port import CHUNK
from tests.devices.families.mip.imu_unit import INFO, Unit
from tests.devices.real.wire import Wire

G = sample.STANDARD_GRAVITY


class Rig:
    """A unit, its line and its driver, a millisecond at a time."""

    def __init__(
        self, path: Path, settings: ImuSettings | None = None, baud: int = 921_600
    ) -> None:
        self.wire = Wire(path, baud)
        self.unit = Unit()
        self.settings = settings or ImuSettings(line="imu", rate_hz=1000)
        self.imu = Imu(self.wire.port, self.settings)
        self.sample = Sample.zeros(1, 4)
        self.now_s = 100.0
        self.cut = False  # the unit's power
        self.noise = b""

    def run(self, seconds: float) -> None:
        for _ in range(round(1000 * seconds)):
            self.now_s += 0.001
            self.imu.read_into(self.sample, self.now_s)
            sent = self.wire.sent()
            if self.settings.uart and self.wire.speed() != self.unit.baud:
                sent = b"\xff" * len(sent)
            said = b"" if self.cut else self.unit.hear(sent) + self.unit.tick()
            if said or self.noise:
                self.wire.arrive(said + self.noise)

    def texts(self) -> list[str]:
        return [trouble.text for trouble in self.imu.troubles()]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path / "imu")
    yield rig
    rig.wire.close()


def streaming(rig: Rig) -> Rig:
    rig.run(0.1)
    assert rig.imu.setup.ready
    assert rig.texts() == []
    return rig


def test_nothing_is_known_before_the_first_sample(rig: Rig) -> None:
    assert rig.sample.imu_age_s == math.inf
    rig.cut = True
    rig.run(0.05)
    assert rig.sample.imu_age_s == math.inf
    assert rig.texts() == []  # it may still answer
    rig.run(0.3)
    (trouble,) = rig.imu.troubles()
    assert trouble.grave
    assert trouble.text == "does not answer; check its plug and its supply"


def test_an_unplugged_line_is_the_only_trouble_and_heals(rig: Rig) -> None:
    streaming(rig)
    rig.wire.unplug()
    rig.run(0.05)
    assert rig.sample.imu_age_s == pytest.approx(0.05, abs=0.003)
    (trouble,) = rig.imu.troubles()
    assert "unplugged" in trouble.text and trouble.grave
    rig.unit.switch_on()  # over USB it lost its supply as well
    rig.wire.plug()
    rig.run(0.4)
    assert rig.texts() == []
    assert rig.sample.imu_age_s <= 0.002


def test_a_unit_that_lost_its_power_is_set_up_anew(rig: Rig) -> None:
    streaming(rig)
    rig.cut = True
    rig.run(0.25)
    assert rig.texts() == ["does not answer; check its plug and its supply"]
    rig.unit.switch_on()
    rig.cut = False
    rig.run(0.3)
    assert rig.texts() == []
    assert rig.sample.imu_age_s <= 0.002


def test_a_unit_that_answers_and_never_streams_is_reported(rig: Rig) -> None:
    rig.unit.tick = lambda: b""  # type: ignore[method-assign]
    rig.run(1.0)
    assert rig.texts() == ["does not answer; check its plug and its supply"]


def test_unanswered_questions_are_asked_again(rig: Rig) -> None:
    rig.unit.deaf = 2
    rig.run(0.4)
    assert rig.imu.setup.ready
    assert rig.imu.setup.info == INFO


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (commands.BASE_RATE, "base rate"),
        (commands.MESSAGE_FORMAT, "message format"),
        (commands.RESUME, "resume"),
    ],
)
def test_a_refusal_is_reported_in_words_and_retried(
    rig: Rig, command: commands.Command, name: str
) -> None:
    rig.unit.refused[command] = 3
    rig.run(0.3)
    (trouble,) = rig.imu.troubles()
    assert trouble.grave
    assert f"({name}: bad parameter)" in trouble.text
    assert rig.sample.imu_age_s == math.inf
    del rig.unit.refused[command]
    rig.run(1.2)
    assert rig.texts() == []


def test_the_answer_of_the_attitude_stream_does_not_matter(rig: Rig) -> None:
    asked: list[commands.Request] = []
    obey = rig.unit._obey

    def refuse_streams_off(request: commands.Request) -> bytes:
        asked.append(request)
        if request.command == commands.STREAM and not request.arguments[2]:
            rig.unit.refused[commands.STREAM] = 3
            answer = obey(request)
            del rig.unit.refused[commands.STREAM]
            return answer
        return obey(request)

    rig.unit._obey = refuse_streams_off  # type: ignore[method-assign]
    streaming(rig)
    assert any(request.command == commands.STREAM for request in asked)


def test_a_rate_that_the_base_rate_does_not_have_is_refused(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "imu", ImuSettings(line="imu", rate_hz=300))
    rig.run(0.2)
    (text,) = rig.texts()
    assert "300 samples a second" in text and "1000 Hz" in text and "rate_hz" in text
    rig.wire.close()


def test_lost_samples_are_counted_and_told(rig: Rig) -> None:
    streaming(rig)
    assert rig.imu.lost == 0
    tick, count = rig.unit.tick, 0

    def lossy() -> bytes:
        nonlocal count
        count += 1
        said = tick()
        return b"" if count % 10 == 0 else said

    rig.unit.tick = lossy  # type: ignore[method-assign]
    rig.run(2.5)
    assert rig.imu.lost == pytest.approx(250, abs=2)
    (text,) = rig.texts()
    assert text == "10 % of its samples are lost; check its cable"
    rig.unit.tick = tick  # type: ignore[method-assign]
    rig.run(2.5)
    assert rig.texts() == []


def test_a_frozen_unit_grows_old_and_comes_back(rig: Rig) -> None:
    streaming(rig)
    rig.unit.frozen = True
    rig.run(0.1)
    assert rig.sample.imu_age_s == pytest.approx(0.08, abs=0.004)  # twenty were believed
    (trouble,) = rig.imu.troubles()
    assert trouble.grave and "same sample" in trouble.text
    rig.unit.frozen = False
    rig.run(0.01)
    assert rig.sample.imu_age_s <= 0.002
    assert rig.texts() == []


def test_a_unit_that_numbers_one_time_grows_old(rig: Rig) -> None:
    streaming(rig)
    tick = rig.unit.tick

    def stuck() -> bytes:
        rig.unit.device_ns -= 1_000_000
        return tick()

    rig.unit.tick = stuck  # type: ignore[method-assign]
    rig.run(0.1)
    assert rig.sample.imu_age_s > 0.09


def test_out_of_range_is_reported_for_a_second(rig: Rig) -> None:
    streaming(rig)
    rig.unit.overrange = 0b10
    rig.run(0.2)
    assert rig.texts() == ["out of its range (axes 0x0002); look for hard knocks"]
    rig.unit.overrange = 0
    rig.run(1.3)
    assert rig.texts() == []
    assert rig.imu.lost == 0  # packets with that field count as well


def test_noise_does_not_end_it(rig: Rig) -> None:
    streaming(rig)
    before = rig.imu.good
    rig.noise = b"\x75\x65\x80\xff\x75"
    rig.run(0.5)
    rig.noise = b""
    rig.run(0.2)
    assert rig.imu.good - before > 600
    assert rig.sample.imu_age_s <= 0.002


def test_a_line_that_never_runs_dry_does_not_take_the_tick(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    streaming(rig)
    flood = iter([bytes(CHUNK)] * 20)
    monkeypatch.setattr(rig.wire.port, "read", lambda now_s: next(flood))
    rig.run(0.002)


def test_late_bytes_are_old_samples(rig: Rig) -> None:
    streaming(rig)
    rig.run(2.0)
    kept: list[bytes] = []
    tick = rig.unit.tick

    def delayed() -> bytes:
        kept.append(tick())
        return kept.pop(0) if len(kept) > 50 else b""

    rig.unit.tick = delayed  # type: ignore[method-assign]
    rig.run(0.5)
    assert rig.sample.imu_age_s == pytest.approx(0.05, abs=0.003)


@pytest.mark.parametrize("late", [2, 5])
def test_no_blow_is_lost_when_ticks_are_late(rig: Rig, late: int) -> None:
    streaming(rig)
    felt = []
    for i in range(20):
        rig.unit.force = (0.0, 0.0, -9.8 - 40.0 * (i == 6))
        rig.unit.spin = (0.0, 0.3 * (i == 6), 0.0)
        rig.wire.arrive(rig.unit.tick())
        rig.now_s += 0.001
        if i % late == late - 1:
            rig.imu.read_into(rig.sample, rig.now_s)
            felt.append((rig.sample.accel[2] - 9.8, rig.sample.gyro[1]))
    impulse, turn = 0.001 * late * np.sum(felt, axis=0)
    assert impulse == pytest.approx(0.04, rel=1e-3)
    assert turn == pytest.approx(-0.0003, rel=1e-3)
    assert rig.imu.lost == 0 and rig.sample.imu_age_s <= 0.002


def test_it_is_configured_without_the_magnetometer(rig: Rig) -> None:
    streaming(rig)
    assert rig.unit.asked == [
        commands.IDLE,
        commands.DEVICE_INFO,
        commands.STREAM,
        commands.BASE_RATE,
        commands.MESSAGE_FORMAT,
        commands.STREAM,
        commands.RESUME,
    ]
    assert rig.unit.entries == {0xD5: 1, 0x04: 1, 0x05: 1, 0x18: 100}
    assert rig.imu.setup.info == INFO


@pytest.mark.parametrize(
    ("turned", "force"),
    [
        ({}, (1.0, -2.0, 9.0)),  # forward, left, up of (1, 2, -9) forward, right, down
        ({"yaw_deg": 90.0}, (2.0, 1.0, 9.0)),
        ({"roll_deg": 180.0}, (1.0, 2.0, -9.0)),
        ({"pitch_deg": 90.0}, (9.0, -2.0, -1.0)),
        ({"roll_deg": 90.0, "yaw_deg": 90.0}, (9.0, 1.0, -2.0)),
    ],
)
def test_vectors_are_turned_into_the_robots_frame(
    tmp_path: Path, turned: dict[str, float], force: tuple[float, float, float]
) -> None:
    settings = ImuSettings(line="imu", rate_hz=500, **turned)  # type: ignore[arg-type]
    rig = Rig(tmp_path / "imu", settings)
    rig.unit.force = rig.unit.spin = (1.0, 2.0, -9.0)
    streaming(rig)
    np.testing.assert_allclose(rig.sample.accel, force, atol=2e-3)
    np.testing.assert_allclose(rig.sample.gyro, force, atol=1e-5)
    rig.wire.close()


@pytest.mark.parametrize("baud", [115_200, 460_800, 921_600])
def test_a_serial_unit_is_found_at_its_speed_and_brought_to_the_lines(
    tmp_path: Path, baud: int
) -> None:
    rig = Rig(tmp_path / "imu", ImuSettings(line="imu", uart=True))
    rig.unit.baud = baud
    rig.run(2.0)
    assert rig.texts() == []
    assert rig.wire.speed() == rig.unit.baud == 921_600
    assert rig.sample.imu_age_s <= 0.003
    assert (commands.BAUD_RATE in rig.unit.asked) is (baud != 921_600)
    rig.cut = True
    rig.run(0.3)
    rig.unit.switch_on()
    rig.cut = False
    rig.run(2.0)
    assert rig.texts() == []
    assert rig.sample.imu_age_s <= 0.003
    rig.wire.close()


def test_settings_refuse_unknown_keys_and_values_out_of_range() -> None:
    for raw in ({"line": "imu", "rat_hz": 500}, {"line": "imu", "rate_hz": 5000}, {}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(raw, ImuSettings)
