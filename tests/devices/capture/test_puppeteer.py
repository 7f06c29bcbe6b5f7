"""The puppeteer sends at its times, ends when it is told to, and says why it cannot."""

import socket
import time

import pytest

from devices.capture.puppet import Faults, Playing
from devices.capture.puppeteer import play, send
from devices.capture.wire import recording
from devices.errors import DeviceError


def test_a_recording_arrives_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(2.0)
        to = receiver.getsockname()
        data = recording.encode([(5.0, b"a"), (5.02, b"b"), (5.04, b"c")])
        assert play(Playing("recording"), data, Faults(), to, lambda: False) == 0
        assert [receiver.recv(10) for _ in range(3)] == [b"a", b"b", b"c"]
    assert capsys.readouterr().out == f"3 datagrams sent to 127.0.0.1:{to[1]}\n"


def test_it_ends_early_when_it_is_told_to() -> None:
    begin_s = time.monotonic()
    data = recording.encode([(0.0, b"a"), (60.0, b"b")])
    assert play(Playing("recording"), data, Faults(), ("127.0.0.1", 9), lambda: True) == 1
    assert time.monotonic() - begin_s < 30.0


@pytest.mark.parametrize("host", ["a" * 70, "ä" * 70, "no\0host"])
def test_a_host_that_is_none_is_said_so_in_one_line(host: str) -> None:
    with pytest.raises(DeviceError, match="cannot be reached") as caught:
        send([(0.0, b"a")], (host, 9), lambda: False)
    assert "\n" not in str(caught.value)
