"""The wireless stop's serial line: what is not heard does not let the robot run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.remote import SafeRemote, SafeRemoteSettings
from devices.families.safe_remote.wire import Heartbeat, Mode
from tests.devices.real.wire import Wire
from tests.draws import share

WELL = Heartbeat(Mode.OPERATIONAL, 0, 0)


class Rig:
    def __init__(self, folder: Path) -> None:
        self.wire = Wire(folder / "safe_remote", 115_200)
        self.driver = SafeRemote(self.wire.port, SafeRemoteSettings(line="safe_remote"))
        self.now_s = 50.0
        self.run(0.01)

    def run(self, seconds: float, heartbeat: Heartbeat | None = None) -> None:
        """Let the receiver tell of itself 20 times a second."""
        for i in range(round(1000 * seconds)):
            self.now_s += 0.001
            if heartbeat is not None and i % 50 == 0:
                self.wire.arrive(safe_remote.encode_heartbeat(heartbeat))
            self.driver.update(self.now_s)

    def texts(self) -> list[str]:
        return [told.text for told in self.driver.troubles(self.now_s)]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.wire.close()


def test_a_receiver_that_says_nothing_is_reported(rig: Rig) -> None:
    assert rig.driver.said() is None
    assert rig.texts() == []  # it may still come
    rig.run(0.3)
    assert rig.texts() == ["silent; check its plug and its supply"]
    assert rig.driver.troubles(rig.now_s)[0].grave


def test_a_message_delayed_by_noise_is_old(rig: Rig) -> None:
    rig.wire.arrive(b"\x10\x01\x20\xf8" + safe_remote.encode_heartbeat(WELL))
    rig.run(5.0)
    rig.wire.arrive(bytes(250))
    rig.run(0.001)
    said = rig.driver.said()
    assert said is not None and said.stamp_s < rig.now_s - 4.9


def test_messages_before_a_replug_are_invalid(rig: Rig) -> None:
    rig.run(0.2, WELL)
    said = rig.driver.said()
    assert said is not None and said[:2] == (True, False)
    assert said.stamp_s == pytest.approx(rig.now_s - 0.049)
    rig.wire.unplug()
    rig.run(0.01)
    assert rig.driver.said() is None
    (text,) = rig.texts()
    assert "unplugged" in text
    rig.wire.plug()
    rig.run(0.3)
    assert rig.driver.said() is None
    rig.run(0.1, WELL)
    assert rig.texts() == []


def test_silence_keeps_the_stamp_of_the_last_word(rig: Rig) -> None:
    rig.run(0.1, WELL)
    rig.run(1.0)
    said = rig.driver.said()
    assert said is not None and rig.now_s - said.stamp_s > 1.0
    assert rig.texts() == ["silent; check its plug and its supply"]


@pytest.mark.parametrize(
    ("heartbeat", "closed", "called", "words"),
    [
        (WELL, True, False, None),
        (Heartbeat(Mode.OPERATIONAL, 0, 0b01), False, True, None),  # pressing it is no fault
        (Heartbeat(Mode.OPERATIONAL, 0, 0b10), False, True, "the handset (error)"),
        (Heartbeat(Mode.OPERATIONAL, 0, 1 << 20), False, True, None),
        (Heartbeat(Mode.SEARCHING, 0, 0), False, False, "switch that on"),
        (Heartbeat(Mode.PAUSE, 0, 0), False, False, "paused"),
        (Heartbeat(0x77, 0, 0), False, False, "unknown mode 0x77"),
    ],
)
def test_only_an_operational_receiver_without_a_stop_lets_run(
    rig: Rig, heartbeat: Heartbeat, closed: bool, called: bool, words: str | None
) -> None:
    rig.run(0.2, heartbeat)
    said = rig.driver.said()
    assert said is not None and said[:2] == (closed, called)
    texts = rig.texts()
    assert len(texts) == (words is not None)
    assert words is None or words in texts[0]


def test_heartbeats_of_ours_call_no_stop_and_keep_their_rate(rig: Rig) -> None:
    rig.wire.sent()
    rig.run(1.0)
    beats = safe_remote.scanner().feed(rig.wire.sent())
    assert 20 <= len(beats) <= 50
    assert not any(map(safe_remote.decode_our_heartbeat, beats))


@settings(max_examples=share(50))
@given(st.binary(max_size=300))
def test_noise_lets_nothing_run(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    rig = Rig(tmp_path_factory.mktemp("noise"))
    try:
        rig.wire.arrive(noise)
        rig.run(0.01)
        said = rig.driver.said()
        sound = safe_remote.scanner().feed(noise)
        assert said is None or sound
        rig.run(0.2, WELL)
        said = rig.driver.said()
        assert said is not None and said.closed
    finally:
        rig.wire.close()
