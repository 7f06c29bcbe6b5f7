"""The microphone: faults of the sound system are told, and end nothing."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from devices.microphone import Microphone

PATIENCE_S = 20.0
try:
    import sounddevice
except OSError:
    pytest.skip("needs libportaudio2", allow_module_level=True)


@pytest.fixture
def microphone() -> Iterator[Microphone]:
    made = Microphone()
    yield made
    made.close()
    if made._thread is not None:
        made._thread.join()  # PortAudio is global to a process, and not made for two threads


def until(condition: Callable[[], bool], microphone: Microphone) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, microphone.trouble
        time.sleep(0.02)


def fail(error: Exception) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> Any:
        raise error

    return refuse


FAULTS = [
    ("_initialize", sounddevice.PortAudioError("Error initializing PortAudio", -9999), "start"),
    ("_terminate", sounddevice.PortAudioError("Error terminating PortAudio", -9999), "terminating"),
    ("query_devices", sounddevice.PortAudioError("no such host"), "no such host"),
    ("query_devices", RuntimeError("a surprise"), "a surprise"),
]


@pytest.mark.parametrize("device", ["", None])
@pytest.mark.parametrize(("where", "error", "words"), FAULTS)
def test_a_fault_of_the_sound_system_is_told_and_ends_nothing(
    microphone: Microphone,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    error: Exception,
    words: str,
    device: str | None,
) -> None:
    monkeypatch.setattr("devices.microphone.LOOK_S", 0.2)
    with monkeypatch.context() as broken:
        broken.setattr(sounddevice, where, fail(error))
        microphone.choose(device, look=True)
        until(lambda: words in microphone.trouble, microphone)
        assert "tried again" in microphone.trouble and not microphone.hears
    until(lambda: words not in microphone.trouble, microphone)
    assert microphone._thread is not None and microphone._thread.is_alive()
    assert device is None or microphone.hears or "no microphone" in microphone.trouble
