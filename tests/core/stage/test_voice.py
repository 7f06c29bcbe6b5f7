"""The voice: what it does with its messages, and through a real core's link and speaker."""

import json
import os
import subprocess
import sys
import tempfile
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.launch import LaunchConfig
from core.link import topics
from core.link.client import Client
from core.link.messages import VoiceCue, VoiceLibrary, VoiceStop
from core.link.server import Server
from core.link.session import free_endpoint
from core.stage.voice import Voice, read_samples
from devices.speaker import RATE_HZ, Speaker
from tests.devices.sound_server import HEAR, SoundServer, why_not


def sound(path: Path, seconds: float = 0.5, rate: int = RATE_HZ, channels: int = 1) -> Path:
    """Write a file whose first sample is loud and whose others are silent."""
    block = np.zeros((round(seconds * rate), channels), dtype="<i2")
    block[0] = 30_000
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(block.tobytes())
    return path


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def voice(told: list[str]) -> Voice:
    return Voice(Speaker(told.append), told.append)


def phrases(voice: Voice) -> set[str]:
    while voice.busy:
        voice.load_one()
    return set(voice._speaker.phrases)  # type: ignore[attr-defined]


def test_a_library_is_loaded_phrase_by_phrase(voice: Voice, tmp_path: Path) -> None:
    paths = {name: str(sound(tmp_path / f"{name}.wav")) for name in ("one", "two")}
    voice.handle(VoiceLibrary(paths))
    voice.load_one()
    assert voice.busy
    assert phrases(voice) == {"one", "two"}


def test_the_library_before_makes_room(voice: Voice, tmp_path: Path) -> None:
    for name in ("one", "two"):
        voice.handle(VoiceLibrary({name: str(sound(tmp_path / f"{name}.wav"))}))
        phrases(voice)
    assert phrases(voice) == {"two"}


def test_a_phrase_that_cannot_be_read_is_told_and_the_rest_is_loaded(
    voice: Voice, told: list[str], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF nonsense")
    good = sound(tmp_path / "good.wav")
    missing = tmp_path / "missing.wav"
    paths = {"bad": str(bad), "missing": str(missing), "good": str(good)}
    voice.handle(VoiceLibrary(paths))
    assert phrases(voice) == {"good"}
    assert [text.split(" (")[0] for text in told] == [
        "phrase bad cannot be spoken",
        "phrase missing cannot be spoken",
    ]


def test_a_cue_before_its_phrase_is_loaded_loads_it(
    voice: Voice, told: list[str], tmp_path: Path
) -> None:
    voice.handle(VoiceLibrary({"one": str(sound(tmp_path / "one.wav"))}))
    voice.handle(VoiceCue("one", time.monotonic() + 1.0))
    assert not voice.busy and told == []
    voice.handle(VoiceStop())
    voice.handle(VoiceCue("nothing", 1.0))
    assert told == ["speaker: no phrase nothing is loaded; the show goes on without it"]


@pytest.mark.parametrize(("rate", "channels"), [(48_000, 1), (44_100, 2), (16_000, 1), (96_000, 2)])
def test_sounds_are_brought_to_the_speaker_s_rate(tmp_path: Path, rate: int, channels: int) -> None:
    samples = read_samples(sound(tmp_path / "x.wav", 0.5, rate, channels), RATE_HZ)
    assert samples.shape == (RATE_HZ // 2, channels)
    assert samples[0, 0] == pytest.approx(30_000 / 32_768)


ROOT = Path(__file__).parents[3]
PROCESS = """
import sys
from core.launch import LaunchConfig
from core.lifeline import Lifeline
from core.stage import voice
from devices.speaker import Speaker
config = LaunchConfig.from_json(sys.argv[1])
sys.exit(voice.run(config, Lifeline(), lambda warn: Speaker(warn, device="pulse")))
"""
LISTEN = """
import json, sys, time
import numpy as np, sounddevice
captured = []
def take(data, frames, times, status):
    captured.append((time.monotonic() + times.inputBufferAdcTime - times.currentTime,
                     data[:, 0].copy()))
with sounddevice.InputStream(samplerate=48000, channels=1, device="pulse", latency=0.03,
                             callback=take):
    while len(captured) < 100:
        time.sleep(0.01)
    print("listening", flush=True)
    sys.stdin.readline()
print(json.dumps(heard(captured)))
"""


@pytest.fixture
def server() -> Iterator[SoundServer]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="snd") as folder:
        server = SoundServer(Path(folder))
        server.start()
        yield server
        server.kill()


def start(script: str, environment: dict[str, str], *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env={**environment, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_the_voice_process_speaks_on_time_and_ends_when_asked(
    server: SoundServer, tmp_path: Path
) -> None:
    config = LaunchConfig(endpoint=free_endpoint(), siblings=("voice",))
    listener = start(HEAR + LISTEN, server.environment)
    with Server(config.endpoint, config.robot) as core:
        process = start(PROCESS, server.environment, config.to_json())
        try:
            assert core.await_siblings(("voice",), 20.0) == ()
            core.publish_voice(VoiceLibrary({"hello": str(sound(tmp_path / "hello.wav"))}))
            assert listener.stdout is not None and listener.stdout.readline() == "listening\n"
            time.sleep(0.5)
            due = [time.monotonic() + 0.15 + 0.4 * i for i in range(9)]
            for stamp_s in due:
                time.sleep(max(0.0, stamp_s - 0.15 - time.monotonic()))
                core.publish_voice(VoiceCue("hello", stamp_s, 1.0))
            time.sleep(0.6)
            silenced = time.monotonic() + 0.3
            core.publish_voice(VoiceCue("hello", silenced, 1.0))
            core.publish_voice(VoiceStop())
            time.sleep(0.6)
            heard: Any = json.loads(listener.communicate("\n", timeout=20)[0])
            process.terminate()
            assert process.wait(5) == 0
        finally:
            process.kill()
            process.communicate()
            listener.kill()
            listener.communicate()
    heard = np.array(heard)
    assert not (np.abs(heard - silenced) < 0.2).any()
    errors = np.array([np.abs(heard - stamp_s).min() for stamp_s in due])
    # A starved machine may stutter; a wrong clock is wrong every time.
    assert min(np.median(errors[i : i + 3]) for i in (0, 3, 6)) < 0.003, errors


def test_the_voice_process_without_sound_warns_and_lives(tmp_path: Path) -> None:
    config = LaunchConfig(endpoint=free_endpoint(), siblings=("voice",))
    nowhere = {**os.environ, "PULSE_SERVER": f"unix:{tmp_path}/nothing", "HOME": str(tmp_path)}
    script = "import sys\nsys.modules['sounddevice'] = None\n" + PROCESS
    with Server(config.endpoint, config.robot) as core:
        with Client(config.endpoint, config.robot, "test") as client:
            inbox = client.subscribe(topics.EVENT)
            process = start(script, nowhere, config.to_json())
            try:
                assert core.await_siblings(("voice",), 20.0) == ()
                event = inbox.receive(10.0)
                assert event is not None and event.severity == "warning"
                assert event.text.startswith("no sound")
                core.publish_voice(VoiceCue("hello", time.monotonic(), 1.0))
                event = inbox.receive(10.0)
                assert event is not None and "the show goes on" in event.text
                process.terminate()
                assert process.wait(5) == 0
            finally:
                process.kill()
                process.communicate()
