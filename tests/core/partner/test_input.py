"""The input: orders, stamps on the host's clock, and what is told about a source."""

from collections.abc import Callable

import numpy as np
import pytest

from core.link.partner import PairSource, UseSource
from core.partner.input import Input, orders_of
from core.partner.samples import MOST_GAP_S, Samples
from devices.errors import DeviceError
from devices.interface import PoseFrame

POINTS, TURNS = np.zeros((22, 3)), np.tile(np.eye(3), (22, 1, 1))


class Port:
    """A port of a source whose clock is 100 s behind, and whose offset is still being learned."""

    def __init__(self, port: int) -> None:
        self.address = ("0.0.0.0", port)
        self.paired: tuple[str, int] | None = None
        self.stranger: tuple[str, int] | None = ("10.0.0.9", 4)
        self.refused = {"another address": 3}
        self.offset_s = 100.0
        self.waiting: list[PoseFrame] = []
        self.closed = False
        self.trouble = ""

    def host_s(self, stamp_s: float) -> float:
        return stamp_s + self.offset_s

    def pair(self, host: str | None, port: int = 0) -> None:
        self.paired = None if host is None else (host, port)

    def read(self) -> list[PoseFrame]:
        found, self.waiting = self.waiting, []
        return found

    def close(self) -> None:
        self.closed = True


class Desk:
    """An input with a clock of its own, and a computer with one camera."""

    def __init__(self) -> None:
        self.now_s = 200.0
        self.ports: list[Port] = []
        self.asked: list[tuple[str, str, int, str]] = []
        self.input = Input(self, lambda: self.now_s)

    def cameras(self) -> dict[int, str]:
        return {2: "HD Webcam"}

    def open_camera(self, camera: str, now_s: Callable[[], float]) -> Port:
        if camera == "9":
            raise DeviceError("capture", "camera 9 cannot be opened")
        self.ports.append(Port(0))
        self.ports[-1].address = self.ports[-1].paired = (f"camera {camera}", 0)
        return self.ports[-1]

    def open_port(
        self, protocol: str, host: str, port: int, now_s: Callable[[], float], group: str
    ) -> Port:
        self.asked.append((protocol, host, port, group))
        if port == 1:
            raise DeviceError("capture", "port 1 cannot be opened; choose another one")
        self.ports.append(Port(port))
        return self.ports[-1]


def test_a_source_is_opened_paired_and_closed() -> None:
    desk = Desk()
    assert desk.input.report(200.0).protocol == ""
    desk.input.use(UseSource("mvn", group="239.1.1.1"))
    assert desk.asked == [("mvn", "0.0.0.0", 9763, "239.1.1.1")]
    report = desk.input.report(200.0)
    assert (report.protocol, report.port, report.paired) == ("mvn", 9763, ("", 0))
    assert report.stranger == ("10.0.0.9", 4) and report.refused == {"another address": 3}
    assert report.age_s == np.inf and report.rate_hz == 0.0 and not desk.input.fresh
    desk.input.pair(PairSource("10.0.0.9"))
    assert desk.input.report(200.0).paired == ("10.0.0.9", 0)
    desk.input.pair(PairSource(""))
    assert desk.ports[0].paired is None
    desk.input.use(UseSource("vmc", 1))
    assert desk.ports[0].closed
    report = desk.input.report(200.0)
    assert report.protocol == "" and "choose another one" in report.trouble
    desk.input.use(UseSource(""))
    assert desk.input.report(200.0).trouble == "" and desk.input.read() == []


def test_a_camera_is_paired_when_it_is_opened_and_tells_its_end() -> None:
    desk = Desk()
    assert desk.input.report(200.0).cameras == {2: "HD Webcam"}
    desk.input.use(UseSource("camera", camera="2"))
    report = desk.input.report(200.0)
    assert (report.protocol, report.port, report.paired) == ("camera", 0, ("camera 2", 0))
    assert desk.asked == [] and report.cameras == {2: "HD Webcam"}
    desk.ports[0].trouble = "camera 2 gives no pictures any more"
    assert desk.input.report(200.0).trouble == "camera 2 gives no pictures any more"
    desk.input.use(UseSource("camera", camera="9"))
    assert desk.ports[0].closed
    assert desk.input.report(200.0).trouble.endswith("camera 9 cannot be opened")


def test_stamps_ascend_on_the_host_s_clock_and_rate_and_spread_are_told() -> None:
    desk = Desk()
    desk.input.use(UseSource("vmc", 5))
    port, stamps = desk.ports[0], []
    for tick in range(60):
        desk.now_s = 200.0 + tick / 60.0
        port.offset_s = 100.0 - (0.02 if tick > 30 else 0.0)  # a datagram that came sooner
        port.waiting = [PoseFrame(desk.now_s - 100.0, desk.now_s + 0.001, POINTS, TURNS)]
        stamps += [frame.stamp_s for frame in desk.input.read()]
    assert len(stamps) == 59 and all(np.diff(stamps) > 0.0)
    report = desk.input.report(desk.now_s)
    assert report.rate_hz == 60.0 and desk.input.fresh
    assert report.age_s == pytest.approx(0.02) and report.jitter_s == pytest.approx(0.01, abs=1e-3)
    report = desk.input.report(desk.now_s + 5.0)
    assert report.rate_hz == 0.0 and report.age_s == pytest.approx(5.02)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("", ()),
        ("vmc", (UseSource("vmc", 0),)),
        ("natnet:1511", (UseSource("natnet", 1511),)),
        ("vmc:39539@127.0.0.1", (UseSource("vmc", 39539), PairSource("127.0.0.1"))),
        ("camera", (UseSource("camera"),)),
        ("camera:2", (UseSource("camera", camera="2"),)),
        ("camera:/a/b:c.mp4", (UseSource("camera", camera="/a/b:c.mp4"),)),
    ],
)
def test_the_option_pairs_only_with_whom_it_names(text: str, orders: tuple[object, ...]) -> None:
    assert orders_of(text) == orders


@pytest.mark.parametrize(
    "text", ["kinect", "vmc:", "vmc@", "vmc:1@host", "camera:", "camera@1.2.3.4"]
)
def test_another_option_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no source"):
        orders_of(text)


def test_samples_are_even_and_a_gap_is_no_motion() -> None:
    samples, found = Samples(30.0), []
    draw = np.random.default_rng(3)
    stamps = np.cumsum(draw.uniform(0.005, 0.03, 200))
    for stamp_s in stamps.tolist():
        points = np.full((22, 3), stamp_s)
        found += samples.take(PoseFrame(stamp_s, stamp_s, points, TURNS))
    at = np.array([sample.stamp_s for sample in found])
    np.testing.assert_allclose(np.diff(at), 1.0 / 30.0, atol=1e-9)
    np.testing.assert_allclose([sample.positions[0, 0] for sample in found], at, atol=1e-9)
    late_s = float(stamps[-1]) + MOST_GAP_S + 0.01
    assert len(samples.take(PoseFrame(late_s, late_s, POINTS, TURNS))) == 1
