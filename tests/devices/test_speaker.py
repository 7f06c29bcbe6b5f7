"""The speaker: what it refuses, and its sound through a real server, by the recorded monitor."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from app.console.bench.sound_server import SoundServer, why_not
from devices.speaker import Speaker, SpeakerError
from tests.devices.monitor import ON_TIME_S, PATIENCE_S, ROOT, Monitor, noise
from tests.devices.sound_server import sounddevice_or_skip


@pytest.mark.parametrize(
    "samples",
    [np.zeros((0,)), np.zeros((10, 3)), np.zeros((2, 10, 2)), np.array([0.0, np.nan])],
)
def test_samples_that_cannot_be_played_are_refused(samples: Any) -> None:
    speaker = Speaker()
    with pytest.raises(SpeakerError, match="phrase hello"):
        speaker.load("hello", samples)
    assert speaker.phrases == ()


@pytest.mark.parametrize(("start_s", "volume"), [(np.nan, 1.0), (np.inf, 1.0), (1.0, 1.5)])
def test_a_start_that_is_no_time_is_refused(start_s: float, volume: float) -> None:
    speaker = Speaker()
    speaker.load("hello", np.zeros(10))
    with pytest.raises(SpeakerError, match="hello"):
        speaker.play("hello", start_s, volume)
    with pytest.raises(SpeakerError, match="no phrase bye"):
        speaker.play("bye", 1.0)


# Through a real sound server, each in a process of its own: PortAudio is global to a process.

PLAYER = """
import json, select, sys, time
import numpy as np
from devices.speaker import RATE_HZ, Speaker
from tests.devices.monitor import noise
speaker = Speaker(sys.argv[1])
while True:
    speaker.service()
    if select.select([sys.stdin], [], [], 0.02)[0]:
        line = sys.stdin.readline()
        if not line:
            break
        try:
            answer = eval(line)
        except SyntaxError:
            answer = exec(line)
        print(json.dumps(answer), flush=True)
speaker.close()
"""
LOOKS = """
import time
import sounddevice
looks, start_s, initialize = 0, time.monotonic(), sounddevice._initialize
def counted():
    global looks
    looks += 1
    initialize()
sounddevice._initialize = counted
"""
pytestmark = [pytest.mark.realtime, pytest.mark.timeout(600)]
SONG = noise(120.0)


class Player:
    """A process with a speaker, which does what it is told in Python."""

    def __init__(self, environment: dict[str, str], device: str = "hall", script: str = "") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", script + PLAYER, device],
            env={**environment, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, line: str) -> Any:
        """Return what a line of Python gives."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def until(self, condition: str) -> None:
        """Wait until something is true there."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.ask(condition):
            assert time.monotonic() < deadline, (condition, self.ask("speaker.trouble"))
            time.sleep(0.02)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


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


@pytest.fixture
def player(server: SoundServer) -> Iterator[Player]:
    """A player in the hall that is ready and knows a song."""
    with Player(server.environment) as found:
        found.until("speaker.ready")
        found.ask("speaker.load('song', noise(120.0))")
        yield found


def sing(player: Player) -> float:
    """Start the song, or join it if a busy machine is late; return the time of its start [s]."""
    start_s = time.monotonic() + 0.3
    player.ask(f"speaker.play('song', {start_s!r}, patience_s=0.0)")
    return start_s


def test_phrases_are_heard_at_their_times(
    server: SoundServer, player: Player, tmp_path: Path
) -> None:
    player.ask("speaker.load('impulse', np.eye(1, 480, dtype=np.float32)[0] * 0.9)")
    # A part: the second of three impulses, half a second into the sound.
    player.ask("speaker.load('three', np.tile(np.eye(1, 24000, 4800)[0] * 0.9, 3))")
    told = []
    with Monitor(server.environment, tmp_path) as monitor:
        for _ in range(20):  # a starved machine stutters; a wrong clock is wrong every time
            first = time.monotonic() + 0.5
            due = [first + 0.1003 * i for i in range(8)]
            for start_s in due:
                player.ask(f"speaker.play('impulse', {start_s!r})")
            due.append(first + 1.0)
            player.ask(f"speaker.play('three', {first + 0.9!r}, offset_s=0.5, length_s=0.4)")
            heard = monitor.heard(1.6).impulses()
            late = [float(np.abs(heard - start_s).min()) for start_s in due] if len(heard) else [9]
            last = len(heard) == len(due) and late[-1] < ON_TIME_S
            if last and np.median(late) < ON_TIME_S:
                return
            told.append(late)
    pytest.fail(f"phrases were heard {told} s beside their times")


def lose(server: SoundServer, how: str) -> None:
    server.kill() if how == "server" else server.unplug("cap")


def bring_back(server: SoundServer, how: str) -> None:
    server.start() if how == "server" else server.plug("cap")


@pytest.mark.parametrize("how", ["server", "sink"])
def test_a_device_that_vanishes_is_found_again_and_the_phrase_rejoined(
    server: SoundServer, player: Player, tmp_path: Path, how: str
) -> None:
    start_s = sing(player)
    with Monitor(server.environment, tmp_path) as before:
        before.await_on_time(SONG, start_s)
    lose(server, how)
    player.until("speaker.trouble")
    trouble = player.ask("speaker.trouble")
    assert "sound device" in trouble or "audio output" in trouble
    assert player.ask("speaker.worked") and not player.ask("speaker.ready")
    bring_back(server, how)
    player.until("speaker.ready and not speaker.trouble")
    with Monitor(server.environment, tmp_path) as after:
        after.await_on_time(SONG, start_s)


def test_another_device_takes_over_in_time(
    server: SoundServer, player: Player, tmp_path: Path
) -> None:
    start_s = sing(player)
    server.plug("booth")
    player.ask("speaker.choose('Booth')")
    player.until("speaker.ready")
    assert {"hall", "booth"} <= set(player.ask("speaker.devices"))
    with Monitor(server.environment, tmp_path, "booth") as booth:
        booth.await_on_time(SONG, start_s)
    with Monitor(server.environment, tmp_path) as hall:
        assert not hall.heard().sound.any()


def test_mute_and_volume_are_heard_and_the_sound_goes_on_meanwhile(
    server: SoundServer, player: Player, tmp_path: Path
) -> None:
    start_s = sing(player)
    with Monitor(server.environment, tmp_path) as monitor:
        monitor.await_on_time(SONG, start_s)
        loud = monitor.heard().level()
        player.ask("speaker.volume = 0.0")
        monitor.await_silence()
        player.ask("speaker.volume = 0.5")
        monitor.await_on_time(SONG, start_s)
        half = monitor.heard().level()
    assert half / loud == pytest.approx(0.5, rel=0.15)


def test_without_any_device_that_is_said_and_none_is_missed(server: SoundServer) -> None:
    server.kill()
    with Player({**server.environment, "HOME": "/nonexistent"}, "", LOOKS) as player:
        player.until("speaker.trouble")
        time.sleep(1.0)
        assert "audio output" in player.ask("speaker.trouble")
        assert not player.ask("speaker.worked")
        looks, since_s = player.ask("(looks, time.monotonic() - start_s)")
        assert looks <= 1.0 + since_s / 2.0  # looking is dear


@pytest.mark.parametrize(
    ("name", "what"), [("balcony", "no sound device 'balcony'"), ("l", "more than one")]
)
def test_a_name_that_fits_none_or_several_is_said_in_a_sentence(
    server: SoundServer, name: str, what: str
) -> None:
    server.plug("booth")
    with Player(server.environment, name) as player:
        player.until("speaker.trouble")
        trouble = player.ask("speaker.trouble")
        assert what in trouble and "\n" not in trouble
        assert "there are" in trouble and "hall" in trouble and "booth" in trouble
        player.ask("speaker.choose('hall')")
        player.until("speaker.ready and not speaker.trouble")


def test_without_the_library_that_is_said(tmp_path: Path) -> None:
    script = "import sys\nsys.modules['sounddevice'] = None\n"
    with Player({"PATH": "/usr/bin"}, "", script) as player:
        player.until("speaker.trouble")
        assert "libportaudio2" in player.ask("speaker.trouble")


FAULT = """
import sounddevice
whole = {name: getattr(sounddevice, name) for name in ("_initialize", "query_devices")}
def fail(error):
    raise error
"""


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("_initialize", "sounddevice.PortAudioError('the host is gone')"),
        ("query_devices", "RuntimeError('the host is gone')"),
    ],
)
def test_a_fault_of_the_sound_system_is_told_and_ends_nothing(where: str, error: str) -> None:
    sounddevice_or_skip()
    with Player({"PATH": "/usr/bin", "HOME": "/nonexistent"}, "nowhere", FAULT) as player:
        player.until("speaker.trouble")
        player.ask(f"sounddevice.{where} = lambda *_: fail({error})")
        player.until("'the host is gone' in speaker.trouble")
        assert "tried again" in player.ask("speaker.trouble")
        player.ask(f"sounddevice.{where} = whole[{where!r}]")
        player.until("'the host is gone' not in speaker.trouble")
