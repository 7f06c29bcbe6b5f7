"""Sources on real sockets, which a puppeteer feeds with loss, jitter and disorder."""

import socket
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from devices.capture.errors import Refusal
from devices.capture.gate import MOST_BYTES
from devices.capture.puppet import Faults, Playing, disturbed
from devices.capture.puppeteer import send
from devices.capture.source import AT_ONCE, PROTOCOLS, Protocol, Source
from devices.capture.wire import natnet
from devices.errors import DeviceError
from devices.interface import PoseFrame
from tests.devices.capture.person import posture
from tests.devices.capture.test_puppet import performance

HOST = "127.0.0.1"


@pytest.fixture
def sender() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((HOST, 0))
        yield made


def opened(protocol: Protocol) -> Source:
    source = Source(protocol, HOST, 0, time.monotonic)
    source.pair(HOST)
    return source


def collected(source: Source, wanted: int) -> list[PoseFrame]:
    """Return the first frames that arrive within 2 s."""
    found: list[PoseFrame] = []
    end_s = time.monotonic() + 2.0
    while len(found) < wanted and time.monotonic() < end_s:
        found += source.read()
        time.sleep(0.001)
    return found


def heard(source: Source, rows: list[tuple[float, bytes]]) -> list[PoseFrame]:
    """Return the frames of datagrams that a thread sends at their times."""
    found = []
    thread = threading.Thread(target=send, args=(rows, source.address, lambda: False))
    thread.start()
    while thread.is_alive():
        found += source.read()
        time.sleep(0.001)
    time.sleep(0.02)
    return found + source.read()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_puppeteer_is_heard_in_order(protocol: Protocol) -> None:
    shown = performance(0.5)
    rows = list(Playing(protocol, rate_hz=60.0).planned(shown))
    source = opened(protocol)
    frames = heard(source, rows)
    source.close()
    # On a machine that stood still for long, the frames of that time came at once.
    assert len(frames) + source.gate.refused[Refusal.RATE] == 31
    assert set(source.gate.refused) <= {Refusal.RATE}
    numbers = [round(60.0 * frame.stamp_s) for frame in frames]
    assert numbers == sorted(set(numbers))
    assert all(source.clock.host_s(f.stamp_s) <= f.arrival_s + 1e-9 for f in frames)
    points, turns = shown.at(frames[-1].stamp_s)
    np.testing.assert_allclose(frames[-1].positions[0], points[0], atol=1e-3)
    np.testing.assert_allclose(frames[-1].orientations[0], turns[0], atol=1e-3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_through_loss_jitter_and_disorder_stamps_ascend(protocol: Protocol) -> None:
    faults = Faults(loss=0.05, jitter_s=0.02, reorder=0.05, seed=4)
    rows = list(disturbed(Playing(protocol, rate_hz=60.0).planned(performance()), faults))
    source = opened(protocol)
    frames = heard(source, rows)
    source.close()
    stamps_s = [frame.stamp_s for frame in frames]
    assert all(a < b for a, b in zip(stamps_s, stamps_s[1:], strict=False))
    assert 45 <= len(frames) + source.gate.refused[Refusal.RATE] < 61
    assert source.gate.refused[Refusal.LATE] > 0
    # On a machine that is late a datagram of the first frame may come behind its end.
    assert source.gate.refused.pop(Refusal.BONES, 0) <= 1
    assert set(source.gate.refused) <= {Refusal.LATE, Refusal.RATE}


def test_a_flood_of_strangers_and_noise_costs_no_frame(sender: socket.socket) -> None:
    source = opened("mvn")
    source.pair(*sender.getsockname())
    (good,) = Playing("mvn", rate_hz=1.0).planned(performance(0.9))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for i in range(100):
            stranger.sendto(good[1], source.address)
            sender.sendto(bytes((i,)) * 60, source.address)
            assert source.read() == []
    sender.sendto(bytes(MOST_BYTES + 100), source.address)
    sender.sendto(good[1], source.address)
    frames = collected(source, 1)
    assert len(frames) == 1 and frames[0].stamp_s == 0.0
    counts = {Refusal.STRANGER: 100, Refusal.FORM: 100, Refusal.SIZE: 1}
    assert dict(source.gate.refused) == counts
    assert source.gate.stranger is not None
    source.close()


def test_a_flood_that_nobody_reads_does_not_push_the_paired_sender_out(
    sender: socket.socket,
) -> None:
    source = opened("mvn")
    good = [datagram for _, datagram in Playing("mvn", rate_hz=10.0).planned(performance(0.9))]
    sender.sendto(good[0], source.address)
    assert len(collected(source, 1)) == 1  # its port is known from now on
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind((HOST, 0))
        for _ in range(5000):  # more than the port holds
            stranger.sendto(good[0], source.address)
        sender.sendto(good[1], source.address)
        (frame,) = source.read()
        assert frame.stamp_s == pytest.approx(0.1)
        assert source.stranger == stranger.getsockname()
        assert 0 < source.refused["another address"] <= AT_ONCE
        with pytest.raises(DeviceError, match="cannot be opened"):
            Source("mvn", *source.address, time.monotonic)
        counts = [0, 1]
        while counts[-1] > counts[-2]:
            assert source.read() == []
            counts.append(source.gate.refused.total())
        source.pair(*stranger.getsockname())
        stranger.sendto(good[2], source.address)
        sender.sendto(good[3], source.address)
        (frame,) = collected(source, 1)
        assert frame.stamp_s == pytest.approx(0.2)
        source.pair(None)
        stranger.sendto(good[4], source.address)
        assert source.read() == [] and source.paired is None
    source.close()


def test_one_reading_ends_whatever_waits(sender: socket.socket) -> None:
    times_s = iter(range(10_000))
    source = Source("vmc", HOST, 0, lambda: float(next(times_s)))
    for _ in range(2 * AT_ONCE):
        sender.sendto(b"x", source.address)
    time.sleep(0.05)
    source.read()
    assert source.gate.refused.total() <= AT_ONCE
    source.close()


def test_a_sender_that_begins_anew_is_heard_and_one_that_is_late_is_not(
    sender: socket.socket,
) -> None:
    source = opened("natnet")
    for stamp_s in (100.0, 99.9, 100.0, 100.1, 5.0, 3.9, 5.1, 1e8, 5.2):
        (datagram,) = natnet.encode(0, stamp_s, *posture())
        sender.sendto(datagram, source.address)
    frames = collected(source, 7)
    assert [frame.stamp_s for frame in frames] == [100.0, 100.1, 5.0, 3.9, 5.1, 1e8, 5.2]
    assert source.gate.refused[Refusal.LATE] == 2
    source.close()


def test_a_port_that_is_taken_or_an_address_that_is_not_ours_is_refused(
    sender: socket.socket,
) -> None:
    port = sender.getsockname()[1]
    for host, number in ((HOST, port), ("192.0.2.1", 0), (HOST, 70_000)):
        with pytest.raises(DeviceError, match="cannot be opened"):
            Source("vmc", host, number, time.monotonic)


def test_frames_of_a_multicast_group_are_heard(sender: socket.socket) -> None:
    source = Source("natnet", HOST, 0, time.monotonic, group="239.255.42.99")
    source.pair(HOST)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOST))
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    (datagram,) = natnet.encode(0, 1.0, *posture())
    sender.sendto(datagram, source.address)
    assert len(collected(source, 1)) == 1
    source.close()
