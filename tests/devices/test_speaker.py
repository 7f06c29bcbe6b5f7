"""The speaker: its arithmetic without a device, and its sound through a real server."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devices.speaker import RATE_HZ, FrameClock, Mixer, Speaker, SpeakerError, _Voice
from tests.devices.sound_server import HEAR, SoundServer, why_not

BLOCK = 480


def settled_clock(origin_s: float = 100.0) -> FrameClock:
    clock = FrameClock()
    for i in range(20):
        clock.add(i * BLOCK, origin_s + i * BLOCK / RATE_HZ)
    return clock


def played(mixer: Mixer, blocks: int, frame: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    out = np.zeros((blocks * BLOCK, 2), dtype=np.float32)
    for i in range(blocks):
        mixer.fill(out[i * BLOCK : (i + 1) * BLOCK], frame + i * BLOCK)
    return out[:, 0]


def voice(frames: int, start_s: float, gain: float = 1.0, patience_s: float = 0.25) -> _Voice:
    ramp = np.arange(1, frames + 1, dtype=np.float32)
    return _Voice(np.stack([ramp, ramp], axis=1), start_s, gain, patience_s)


def test_a_phrase_starts_on_the_frame_of_its_time() -> None:
    mixer = Mixer(settled_clock(100.0))
    mixer.play(voice(1000, 100.0 + 777 / RATE_HZ))
    sound = played(mixer, 6)
    assert not sound[:777].any()
    np.testing.assert_array_equal(sound[777:1777], np.arange(1, 1001))
    assert not sound[1777:].any()


def test_two_phrases_add_up_and_obey_their_volume() -> None:
    mixer = Mixer(settled_clock(100.0))
    mixer.play(voice(1000, 100.0, gain=0.5))
    mixer.play(voice(1000, 100.0 + 10 / RATE_HZ, gain=0.25))
    sound = played(mixer, 3)
    assert sound[9] == pytest.approx(0.5 * 10)
    assert sound[20] == pytest.approx(0.5 * 21 + 0.25 * 11)


def test_a_little_late_plays_the_whole_phrase_and_very_late_joins_it_in_time() -> None:
    mixer = Mixer(settled_clock(100.0))
    mixer.play(voice(100, 100.0 - 0.1))
    assert played(mixer, 1)[0] == 1.0
    mixer = Mixer(settled_clock(100.0))
    mixer.play(voice(2 * RATE_HZ, 100.0 - 1.0))
    assert played(mixer, 1)[0] == RATE_HZ + 1


def test_a_phrase_that_is_over_by_now_is_not_heard() -> None:
    mixer = Mixer(settled_clock(100.0))
    mixer.play(voice(100, 90.0))
    assert not played(mixer, 3).any()
    assert mixer.restart() == []


def test_silence_fades_what_sounds_and_forgets_what_is_due() -> None:
    mixer = Mixer(settled_clock(100.0))
    steady = _Voice(np.ones((RATE_HZ, 2), dtype=np.float32), 100.0, 1.0, 0.25)
    mixer.play(steady)
    mixer.play(voice(100, 100.5))
    played(mixer, 2)
    mixer.silence()
    sound = played(mixer, 60, frame=2 * BLOCK)
    assert sound[0] == 1.0
    assert np.abs(np.diff(sound)).max() < 0.01
    assert not sound[round(0.031 * RATE_HZ) :].any()
    mixer.play(voice(100, 100.0 + 62 * BLOCK / RATE_HZ))
    assert played(mixer, 1, frame=62 * BLOCK)[0] == 1.0


def test_the_clock_averages_noise_and_follows_a_jump() -> None:
    rng = np.random.default_rng(1)
    clock = FrameClock()
    for i in range(200):
        clock.add(i * BLOCK, 5.0 + i * BLOCK / RATE_HZ + rng.normal(0.0, 5e-4))
    assert abs(clock.time_of(0) - 5.0) < 2e-4
    for i in range(200, 230):
        clock.add(i * BLOCK, 6.0 + i * BLOCK / RATE_HZ)
    assert abs(clock.time_of(0) - 6.0) < 1e-9
    assert clock.frame_at(clock.time_of(12345)) == 12345


def test_nothing_starts_before_the_clock_is_trusted() -> None:
    clock = FrameClock()
    clock.add(0, 100.0)
    mixer = Mixer(clock)
    mixer.play(voice(100, 100.0))
    assert not played(mixer, 2).any()


@pytest.mark.parametrize(
    "samples",
    [np.zeros((0,)), np.zeros((10, 3)), np.zeros((2, 10, 2)), np.array([0.0, np.nan])],
)
def test_samples_that_cannot_be_played_are_refused(samples: Any) -> None:
    speaker = Speaker(lambda text: None)
    with pytest.raises(SpeakerError, match="phrase hello"):
        speaker.load("hello", samples)
    assert speaker.phrases == ()


@pytest.mark.parametrize(("start_s", "volume"), [(np.nan, 1.0), (np.inf, 1.0), (1.0, 1.5)])
def test_a_start_that_is_no_time_is_refused(start_s: float, volume: float) -> None:
    speaker = Speaker(lambda text: None)
    speaker.load("hello", np.zeros(10))
    with pytest.raises(SpeakerError, match="hello"):
        speaker.play("hello", start_s, volume)
    with pytest.raises(SpeakerError, match="no phrase bye"):
        speaker.play("bye", 1.0)


# Through a real sound server, each in a process of its own: PortAudio is global to a process.

ROOT = Path(__file__).parents[2]
PRELUDE = """
import json, sys, threading, time
import numpy as np
from devices.speaker import RATE_HZ, Speaker
warnings = []
speaker = Speaker(warnings.append, device="pulse")

def wait(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        speaker.service()
        if time.monotonic() > end:
            print(json.dumps({"gave_up": True, "warnings": warnings}))
            sys.exit(0)
        time.sleep(0.02)
"""

STARTS = """
import sounddevice
impulse = np.zeros(480); impulse[0] = 0.9
speaker.load("impulse", impulse)
wait(lambda: speaker.ready, 10)
captured = []
def take(data, frames, times, status):
    ahead = times.inputBufferAdcTime - times.currentTime
    captured.append((time.monotonic() + ahead, data[:, 0].copy()))
with sounddevice.InputStream(samplerate=RATE_HZ, channels=1, device="pulse", latency=0.03,
                             callback=take):
    wait(lambda: len(captured) > 100, 10)
    first = time.monotonic() + 0.2
    due = [first + 0.2003 * i for i in range(8)]
    for start in due:
        speaker.play("impulse", start)
    end = due[-1] + 0.5
    wait(lambda: time.monotonic() > end, 10)
speaker.close()
print(json.dumps({"due": due, "heard": heard(captured), "warnings": warnings}))
"""

VANISHES = """
speaker.load("tone", np.full(20 * RATE_HZ, 0.1))
wait(lambda: speaker.ready, 10)
start = time.monotonic() + 0.1
speaker.play("tone", start)
print(json.dumps({"playing": True}), flush=True)
wait(lambda: len(warnings) > 0, 15)
print(json.dumps({"warnings": warnings}), flush=True)
sys.stdin.readline()
back = time.monotonic()
wait(lambda: speaker.ready, 15)
took = time.monotonic() - back
position = lambda: max((voice.position for voice in speaker._mixer._voices), default=-1) / RATE_HZ
wait(lambda: position() > 0, 15)
error = position() - (time.monotonic() - start)
print(json.dumps({"warnings": warnings, "took_s": took, "error_s": error}))
"""


def run(script: str, environment: dict[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script],
        env={**environment, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def last_line(text: str) -> Any:
    return json.loads(text.strip().splitlines()[-1])


@pytest.fixture
def server() -> Iterator[SoundServer]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    # A socket's path may have 107 characters; pytest's own folders are longer than that.
    with tempfile.TemporaryDirectory(prefix="snd") as folder:
        server = SoundServer(Path(folder))
        server.start()
        yield server
        server.kill()


def test_phrases_are_heard_at_their_times(server: SoundServer) -> None:
    medians = []
    for _ in range(3):  # a starved machine may stutter; a wrong clock is wrong every time
        with run(HEAR + STARTS, server.environment) as process:
            result = last_line(process.communicate(timeout=40)[0])
        due, heard = result["due"], np.array(result["heard"])
        errors = [np.abs(heard - start_s).min() for start_s in due] if len(heard) else [1.0]
        medians.append(float(np.median(errors)))
        if medians[-1] < 0.002 and result["warnings"] == []:
            return
    pytest.fail(f"phrases were heard {medians} s beside their times")


def test_a_device_that_vanishes_is_found_again_and_the_phrase_rejoined(server: SoundServer) -> None:
    with run(VANISHES, server.environment) as process:
        assert process.stdin is not None and process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"playing": True}
        server.kill()
        gone = json.loads(process.stdout.readline())
        assert "gone" in gone["warnings"][0]
        server.start()
        result = last_line(process.communicate("\n", timeout=40)[0])
    assert result["warnings"][-1] == "sound is back"
    assert result["took_s"] < 2.0
    # What was filled last sounds after it was filled, by at most the stream's buffer.
    assert -0.1 < result["error_s"] < 0.3


def test_without_a_device_there_is_one_warning_and_no_exception(server: SoundServer) -> None:
    server.kill()
    script = "wait(lambda: time.monotonic() > end, 9)\n"
    with run("end = time.monotonic() + 2.5\n" + script + DUMP, server.environment) as process:
        result = last_line(process.communicate(timeout=40)[0])
    assert len(result) == 1
    assert result[0].startswith("no sound device")


def test_without_the_library_there_is_one_warning_and_no_exception(tmp_path: Path) -> None:
    script = "sys.modules['sounddevice'] = None\nfor _ in range(3): speaker.service()\n"
    with run(script + DUMP, {"PATH": "/usr/bin"}) as process:
        result = last_line(process.communicate(timeout=40)[0])
    assert len(result) == 1
    assert "libportaudio2" in result[0]


DUMP = "speaker.play\nprint(json.dumps(warnings))\n"
