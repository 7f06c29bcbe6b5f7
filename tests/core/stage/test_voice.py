"""The voice: what it does with its messages, and through a real core's link and speaker."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from app.console.bench.sound_server import SoundServer, why_not
from core.link import topics
from core.link.catalogue import show as words
from core.link.client import Client
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.sound import (
    EARLIER,
    SoundReport,
    VoiceCue,
    VoiceLibrary,
    VoiceLoad,
    VoiceMessage,
    VoiceMix,
    VoiceStop,
)
from core.link.statement import Statement
from core.run.launch import LaunchConfig
from core.run.processes import ROLES, Supervisor
from core.stage.player import Player
from core.stage.sound import Sound
from core.stage.sound_file import PART_S
from core.stage.voice import Voice
from devices.speaker import Speaker
from shows.document import Ducking
from tests.core.stage.cues import cue, show
from tests.core.stage.cues import voice as spoken
from tests.core.stage.sounds import sound, written
from tests.devices.monitor import ON_TIME_S, PATIENCE_S, ROOT, Monitor, noise

pytestmark = pytest.mark.realtime


@pytest.fixture
def told() -> list[Statement]:
    return []


class Silent(Speaker):
    """A speaker that never looks for a device, and keeps what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Any, ...]] = []

    def play(self, name: str, start_s: float, *rest: Any, **more: Any) -> None:
        super().play(name, start_s, *rest, **more)
        self.asked.append((name, *rest))

    def choose(self, device: str) -> None:
        self.asked.append((device,))
        self.device = device

    def duck(self, amount_db: float, attack_s: float, release_s: float) -> None:
        self.asked.append((amount_db, attack_s, release_s))


@pytest.fixture
def speaker() -> Silent:
    return Silent()


@pytest.fixture
def voice(speaker: Silent, told: list[Statement]) -> Voice:
    return Voice(speaker, told.append, "voice-1")


def library(paths: dict[str, str]) -> VoiceLibrary:
    return VoiceLibrary(time.monotonic(), paths)


def phrases(voice: Voice) -> set[str]:
    while voice.busy:
        voice.load_part()
    return set(voice._speaker.phrases)  # type: ignore[attr-defined]


def test_a_library_is_loaded_part_by_part(voice: Voice, tmp_path: Path) -> None:
    paths = {name: str(sound(tmp_path / f"{name}.wav")) for name in ("one", "two")}
    voice.handle(library(paths))
    voice.load_part()
    assert voice.busy
    assert phrases(voice) == {"one", "two"}


def test_the_library_before_makes_room(voice: Voice, tmp_path: Path) -> None:
    for name in ("one", "two"):
        voice.handle(library({name: str(sound(tmp_path / f"{name}.wav"))}))
        phrases(voice)
    assert phrases(voice) == {"two"}


def test_a_phrase_that_cannot_be_read_is_told_and_the_rest_is_loaded(
    voice: Voice, told: list[Statement], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF nonsense")
    good = sound(tmp_path / "good.wav")
    missing = tmp_path / "missing.wav"
    paths = {"bad": str(bad), "missing": str(missing), "good": str(good)}
    voice.handle(library(paths))
    assert phrases(voice) == {"good"}
    assert {said.code for said in told} == {words.PHRASE_UNREADABLE.code}
    assert [said.fields["phrase"] for said in told] == ["bad", "missing"]


def test_a_cue_before_its_phrase_is_loaded_waits_for_it(
    voice: Voice, speaker: Silent, told: list[Statement], tmp_path: Path
) -> None:
    voice.handle(library({"one": str(sound(tmp_path / "one.wav"))}))
    voice.handle(VoiceCue("one", time.monotonic() + 1.0))
    assert phrases(voice) == {"one"} and told == []
    assert [asked[0] for asked in speaker.asked[1:]] == ["one"]
    voice.handle(VoiceStop())
    voice.handle(VoiceCue("nothing", 1.0))
    assert told == [words.PHRASE_NOT_PLAYED(text="speaker: no phrase nothing is loaded")]


def test_the_sound_of_a_take_is_loaded_beside_the_library_and_replaced(
    voice: Voice, speaker: Silent, tmp_path: Path
) -> None:
    voice.handle(library({"one": str(sound(tmp_path / "one.wav"))}))
    assert phrases(voice) == {"one"}
    for name in ("first", "second"):
        voice.handle(VoiceLoad(EARLIER, str(sound(tmp_path / f"{name}.wav"))))
        voice.handle(VoiceCue(EARLIER, 1.0))
        assert phrases(voice) == {"one", EARLIER}
    assert [asked[0] for asked in speaker.asked[1:]] == [EARLIER, EARLIER]
    voice.handle(VoiceLibrary(2.0, {}))
    assert phrases(voice) == set() and speaker.phrases == ()


def songs(tmp_path: Path) -> VoiceLibrary:
    """Return a library of a long song and, after it, a short one."""
    paths = {
        name: str(sound(tmp_path / f"{name}.wav", seconds, 8_000))
        for name, seconds in (("long", 40 * PART_S), ("short", 0.5 * PART_S))
    }
    return library(paths)


def test_a_phrase_that_is_due_is_loaded_before_what_is_long(
    voice: Voice, speaker: Silent, tmp_path: Path
) -> None:
    voice.handle(songs(tmp_path))
    for _ in range(5):
        voice.load_part()
    voice.handle(VoiceCue("long", 1.0, again=True))
    voice.handle(VoiceStop())  # heard in the middle of a long song
    voice.handle(VoiceCue("short", 1.0))
    while voice.busy and "short" not in speaker.phrases:
        voice.load_part()
    assert [asked[0] for asked in speaker.asked[1:]] == ["short"] and speaker.phrases == ("short",)
    assert phrases(voice) == {"long", "short"} and len(speaker.asked) == 2


def test_what_is_due_of_the_library_before_is_forgotten(
    voice: Voice, speaker: Silent, told: list[Statement], tmp_path: Path
) -> None:
    voice.handle(songs(tmp_path))
    voice.load_part()
    voice.handle(VoiceCue("long", 1.0))
    voice.handle(library({"one": str(sound(tmp_path / "one.wav"))}))
    assert phrases(voice) == {"one"}
    assert not any(asked[0] == "long" for asked in speaker.asked) and told == []


def test_a_library_that_is_told_again_is_not_loaded_again(voice: Voice, tmp_path: Path) -> None:
    message = library({"one": str(sound(tmp_path / "one.wav"))})
    voice.handle(message)
    phrases(voice)
    voice.handle(message)
    assert not voice.busy


def test_how_a_cue_is_played(voice: Voice, speaker: Silent, tmp_path: Path) -> None:
    ducking = Ducking(amount_db=20.0, attack_s=0.2, release_s=1.0)
    voice.handle(VoiceLibrary(1.0, {"one": str(sound(tmp_path / "one.wav"))}, ducking))
    phrases(voice)
    voice.handle(VoiceCue("one", 1.0, 0.5))
    voice.handle(VoiceCue("one", 1.0, 0.5, True, again=True, offset_s=0.02, length_s=0.01))
    voice.handle(VoiceCue("one", 1.0, by_hand=True))
    assert speaker.asked == [
        (20.0, 0.2, 1.0),
        ("one", 0.5, 0.25, False, 0.0, 0.0, False),
        ("one", 0.5, 0.0, True, 0.02, 0.01, False),
        ("one", 1.0, 0.25, False, 0.0, 0.0, True),
    ]


def test_the_mix_is_taken_and_told(voice: Voice, speaker: Silent) -> None:
    assert (voice.report().volume, speaker.volume) == (None, 1.0)
    voice.handle(VoiceMix(0.5))
    assert (voice.report().volume, speaker.volume, speaker.asked) == (0.5, 0.5, [])
    voice.handle(VoiceMix(0.5, muted=True, device="hall"))
    assert (voice.report().muted, speaker.volume, speaker.asked) == (True, 0.0, [("hall",)])
    voice.handle(VoiceMix(0.7, device="hall"))
    assert (speaker.volume, speaker.asked) == (0.7, [("hall",)])


def test_without_a_choice_the_device_is_the_one_of_the_start(told: list[Statement]) -> None:
    speaker = Silent()
    speaker.device = "booth"
    voice = Voice(speaker, told.append, "voice-1")
    for device in ("hall", ""):
        voice.handle(VoiceMix(device=device))
    assert speaker.asked == [("hall",), ("booth",)]


def test_a_device_that_there_never_was_is_told_once_and_one_that_is_gone_is_lost(
    voice: Voice, speaker: Silent, told: list[Statement]
) -> None:
    speaker.trouble = "there is no sound device"
    for _ in range(3):
        assert not voice.report().lost
    assert told == [words.NO_SOUND(text="there is no sound device")]
    speaker.worked = True
    assert voice.report() == SoundReport("voice-1", trouble="there is no sound device", lost=True)
    speaker.worked, speaker.device = False, "hall"
    assert voice.report().lost
    assert len(told) == 1


def test_names_that_are_too_long_or_too_many_are_cut(voice: Voice, speaker: Silent) -> None:
    speaker.device, speaker.trouble = "d" * 999, "t" * 9999
    speaker.devices = tuple("n" * 999 + str(i) for i in range(99))
    report = voice.report()
    data = msgspec.msgpack.encode(report)
    assert msgspec.msgpack.decode(data, type=SoundReport) == report


PROCESS = """
import sys
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.stage import voice
from devices.speaker import Speaker
config = LaunchConfig.from_json(sys.argv[1])
sys.exit(voice.run(config, Lifeline(), Speaker(config.sound)))
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


@pytest.mark.timeout(600)
def test_the_voice_process_speaks_on_time_and_ends_when_asked(
    server: SoundServer, tmp_path: Path
) -> None:
    song = noise(200.0)
    block = np.round(song * 32_767.0).astype("<i2")[:, None]
    config = LaunchConfig(endpoint=free_endpoint(), siblings=("voice",), sound="hall")
    with Server(config.endpoint, config.robot) as core:
        process = start(PROCESS, server.environment, config.to_json())
        try:
            assert core.await_siblings(("voice",), PATIENCE_S) == ()
            core.publish(library({"song": str(written(tmp_path / "song.wav", block))}))
            await_report(core, lambda report: report.device == "hall" and not report.trouble)
            start_s = time.monotonic() + 1.0
            core.publish(VoiceCue("song", start_s, 1.0, again=True))  # see Core.tick
            with Monitor(server.environment, tmp_path) as monitor:
                late_s = monitor.await_on_time(song, start_s)
                assert abs(float(np.median(late_s))) < ON_TIME_S
                core.publish(VoiceMix(muted=True))
                await_report(core, lambda report: report.muted)
                monitor.await_silence()
                core.publish(VoiceMix())
                monitor.await_on_time(song, start_s)
                core.publish(VoiceStop())
                monitor.await_silence()
            server.kill()
            await_report(core, lambda report: report.lost and bool(report.trouble))
            process.terminate()
            assert process.wait(10) == 0
        finally:
            process.kill()
            process.communicate()


@pytest.mark.timeout(600)
def test_a_stop_while_the_sound_server_hangs_holds_when_it_goes_on(
    server: SoundServer, tmp_path: Path
) -> None:
    block = np.round(noise(200.0) * 32_767.0).astype("<i2")[:, None]
    config = LaunchConfig(endpoint=free_endpoint(), siblings=("voice",), sound="hall")
    with Server(config.endpoint, config.robot) as core:
        process = start(PROCESS, server.environment, config.to_json())
        try:
            assert core.await_siblings(("voice",), PATIENCE_S) == ()
            core.publish(library({"song": str(written(tmp_path / "song.wav", block))}))
            await_report(core, lambda report: report.device == "hall" and not report.trouble)
            core.publish(VoiceCue("song", time.monotonic()))
            with Monitor(server.environment, tmp_path) as monitor:
                while not monitor.heard().sound.any():
                    pass
            server.hang()
            time.sleep(2.0)
            core.publish(VoiceStop())
            server.go_on()
            core.publish(VoiceMix(0.5))  # what was said before is heard by then
            await_report(core, lambda report: report.volume == 0.5 and not report.trouble)
            with Monitor(server.environment, tmp_path) as monitor:
                monitor.await_silence()
            assert process.poll() is None
        finally:
            process.kill()
            process.communicate()


def await_report(core: Server, true: Callable[[SoundReport], bool]) -> None:
    """Wait until the voice says something of itself."""
    deadline = time.monotonic() + PATIENCE_S
    report = core.poll(topics.SOUND)
    while report is None or not true(report):
        assert time.monotonic() < deadline, report
        time.sleep(0.01)
        report = core.poll(topics.SOUND) or report


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
                assert event.code == words.NO_SOUND.code
                await_report(core, lambda report: "libportaudio2" in report.trouble)
                core.publish(VoiceCue("hello", time.monotonic(), 1.0))
                event = inbox.receive(10.0)
                assert event is not None and event.code == words.PHRASE_NOT_PLAYED.code
                process.terminate()
                assert process.wait(5) == 0
            finally:
                process.kill()
                process.communicate()


class Core:
    """What the loop does for the voice, a hundred times a second, and nothing else."""

    def __init__(self, server: Server, phrase: str, path: Path) -> None:
        self.server, self.sound, self.player = server, Sound(), Player()
        self.lives: set[str] = set()
        moment = cue("1", spoken(0.5, 150.0, phrase), duration_s=160.0)
        self.player.load(show(moment, phrases={phrase: str(path)}))
        server.publish(self.sound.take(library({phrase: str(path)})))

    def tick(self) -> None:
        now_s = time.monotonic()
        report = self.server.poll(topics.SOUND)
        told: tuple[VoiceMessage, ...] = ()
        if report is not None:
            self.lives.add(report.life)
            told = self.sound.hear(report, now_s)
        for message in told:
            self.server.publish(message)
        if told:
            self.player.voice_came(now_s)
        out = self.player.update(now_s)
        if out.voice_stopped:
            self.server.publish(VoiceStop())
        for v in out.voices:
            # A busy machine may deliver a cue after its start. The voice then plays the whole
            # phrase late; it joins one that has begun in time.
            self.server.publish(VoiceCue(v.phrase, v.start_stamp_s, v.volume, again=True))

    def run_until(self, true: Callable[[], object]) -> None:
        """Tick until something is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < deadline
            self.tick()
            time.sleep(0.01)


@pytest.mark.timeout(600)
def test_a_killed_voice_is_started_again_and_goes_on_with_the_running_cue(
    server: SoundServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_RUNTIME_DIR", "PULSE_SERVER"):
        monkeypatch.setenv(name, server.environment[name])
    song = noise(150.0)
    path = written(tmp_path / "song.wav", np.round(song * 32_767.0).astype("<i2")[:, None])
    config = LaunchConfig(endpoint=free_endpoint(), sound="hall")
    role = next(role for role in ROLES if role.name == "voice")
    with Server(config.endpoint, config.robot) as link:
        with Supervisor(config, (role,)) as supervisor:
            core = Core(link, "song", path)
            core.run_until(lambda: core.lives)
            begin_s = time.monotonic()
            assert core.player.go(begin_s) is None
            start_s = begin_s + 0.5
            core.run_until(lambda: time.monotonic() > start_s)
            with Monitor(server.environment, tmp_path) as monitor:
                monitor.await_on_time(song, start_s)
                os.kill(supervisor.pids()["voice"], signal.SIGKILL)
                core.run_until(supervisor.revive)
                core.run_until(lambda: len(core.lives) == 2)
                core.run_until(lambda: core.sound.trouble(time.monotonic()) is None)
                monitor.await_on_time(song, start_s)
