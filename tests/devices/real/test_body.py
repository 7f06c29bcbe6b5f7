"""A robot made of devices."""

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.families.bear.line import BearLine
from devices.families.bear.wire.registers import (
    TORQUE_ENABLE,
)
from devices.interface import Body, JointCommand, Sample, Trouble
from devices.real.body import LAST_STOPS, RealBody
from tests.devices.real.rig import Rig


@pytest.mark.parametrize("field", ["q", "dq", "tau", "kp", "kd"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
def test_a_command_that_no_joint_can_follow_is_refused(rig: Rig, field: str, value: float) -> None:
    rig.stand()
    rig.serve()
    sent = [port.bytes_out for port in rig.ports.values()]
    getattr(rig.command, field)[2] = value
    with pytest.raises(DeviceError, match="not finite or too large"):
        rig.body.write(rig.command)
    assert [port.bytes_out for port in rig.ports.values()] == sent


def test_it_is_a_body(rig: Rig) -> None:
    body: Body = rig.body
    assert body.clock.now_s() == rig.time.time_s


def test_the_chain_is_read_channel_by_channel(rig: Rig) -> None:
    assert rig.tick("stop").estop_closed
    rig.chain.closed = False
    assert not rig.tick("stop").estop_closed
    assert [(c.name, c.closed) for c in rig.body.stop_channels()] == [
        ("mushroom", False),
        ("wireless", True),
    ]


def test_a_closed_body_has_let_go_and_does_nothing(rig: Rig) -> None:
    rig.stand()
    ports, lines = list(rig.ports.values()), rig.lines
    rig.serve()
    rig.body.close()
    for port, line in zip(ports, lines, strict=True):
        line.expect(port.bytes_out - line._taken)
        assert port.descriptor < 0
    rig.body.stop()
    rig.body.close()
    with pytest.raises(DeviceError, match="closed"):
        rig.body.write(rig.command)
    with pytest.raises(DeviceError, match="closed"):
        rig.body.read()


def test_a_last_stop_that_is_garbled_is_not_the_only_one(rig: Rig) -> None:
    """It may run into the replies to the command before it, on wires that carry one at a time."""
    rig.stand()
    rig.serve()
    rig.body.close()
    for port, line in zip(rig.ports.values(), rig.lines, strict=True):
        written = line.expect(port.bytes_out - line._taken)
        for packet in line._stream.feed(b"\0" + written[1:]):
            line.answer(packet)
    assert not any(bear.driven for bear in rig.bears)


class Hand:
    """A hand that fails when it is told to stop."""

    def __init__(self, done: list[str], fails: bool = False) -> None:
        self.done, self.fails = done, fails

    def read_into(self, sample: Sample, now_s: float) -> None:
        sample.q[1] = 0.5
        self.done.append("read")

    def write(self, command: JointCommand, now_s: float) -> None:
        self.done.append("write")

    def damp(self, now_s: float) -> None:
        self.done.append("damp")

    def stop(self, now_s: float) -> None:
        self.done.append("stop")
        if self.fails:
            raise ValueError("a bug")

    def troubles(self) -> tuple[Trouble, ...]:
        return (Trouble("hands", "no firmware; update it"),)

    def close(self) -> None:
        self.done.append("close")


def test_nothing_keeps_the_next_device_from_stopping(rig: Rig) -> None:
    rig.tick("stop", 60)
    done: list[str] = []
    hands = [Hand(done, fails=True), Hand(done)]
    body = RealBody((5, 4), rig.time, [rig.drives], actors=hands)

    def broken(word: object, now_s: float) -> None:
        raise ValueError("a bug")

    rig.drives.lines[0].set_torque = broken  # type: ignore[method-assign]
    rig.lines[1].bears[0].torque.clear()
    rig.serve()
    body.stop()
    assert done == ["stop", "stop"]
    rig.serve()
    assert rig.lines[1].bears[0].torque[-1] == 0


def test_a_fault_of_the_bookkeeping_keeps_no_torque_on(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.stand()
    rig.tick(times=20)

    def broken(_line: BearLine, *_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(BearLine, "resume", broken)
    for line in rig.lines:
        line.bears[0].torque.clear()
    rig.serve()
    rig.body.stop()
    rig.serve()
    assert [line.bears[0].torque[-1:] for line in rig.lines] == [[0]] * len(rig.lines)


def test_without_time_it_stops_nevertheless(rig: Rig) -> None:
    rig.stand()

    def ended() -> float:
        raise OSError("the twin has ended")

    rig.time.now_s = ended  # type: ignore[method-assign]
    rig.serve()
    rig.body.stop()
    rig.serve()
    assert all(bear.get(TORQUE_ENABLE) == 0 for bear in rig.bears)


def test_every_device_takes_part_in_a_tick(rig: Rig) -> None:
    done: list[str] = []
    body = RealBody((5, 4), rig.time, [rig.drives], sensors=[Hand([])], actors=[Hand(done)])
    sample = body.read()
    assert sample.q[1] == 0.5
    assert sample.stamp_s == rig.time.time_s
    body.write(rig.command)
    body.damp()
    assert [t.text for t in body.troubles()].count("no firmware; update it") == 1
    body.close()
    assert done == ["read", "write", "damp", *["stop"] * LAST_STOPS, "close"]


def test_without_a_reader_the_chain_is_open(rig: Rig) -> None:
    body = RealBody((5, 4), rig.time, [rig.drives])
    assert not body.read().estop_closed
    assert body.stop_channels() == ()
