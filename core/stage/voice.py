"""The voice: a process of its own that speaks phrases at their time on the show clock."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.launch import LaunchConfig
from core.lifeline import Lifeline
from core.link import topics
from core.link.client import Client
from core.link.messages import Event, VoiceCue, VoiceLibrary, VoiceMessage, VoiceStop
from devices.errors import DeviceError

POLL_S = 0.004
SERVICE_S = 0.1
FADE_S = 0.06  # for what sounds when the process ends

Samples = npt.NDArray[np.float32]


class SoundOutput(Protocol):
    """What the voice needs of a speaker."""

    @property
    def rate_hz(self) -> int:
        """Samples a second that it takes."""

    def load(self, name: str, samples: npt.NDArray[np.floating[Any]]) -> None:
        """Keep a phrase ready to play."""

    def unload(self, name: str) -> None:
        """Drop a phrase."""

    def play(self, name: str, start_s: float, volume: float = 1.0) -> None:
        """Start a phrase at a time on the monotonic clock [s]."""

    def stop(self) -> None:
        """Fade out what sounds, and forget what is due."""

    def service(self) -> None:
        """Keep the stream open."""

    def close(self) -> None:
        """End the stream."""


class Voice:
    """Does what voice messages say; loads phrases one at a time, so that it is never long away."""

    def __init__(self, speaker: SoundOutput, warn: Callable[[str], None]) -> None:
        self._speaker = speaker
        self._warn = warn
        self._wanted: dict[str, str] = {}  # phrase to path, not yet loaded
        self._ready: set[str] = set()

    @property
    def busy(self) -> bool:
        """Phrases wait to be loaded."""
        return bool(self._wanted)

    def handle(self, message: VoiceMessage) -> None:
        """Do what a message says."""
        if isinstance(message, VoiceStop):
            self._speaker.stop()
        elif isinstance(message, VoiceLibrary):
            self._take(message.paths)
        elif isinstance(message, VoiceCue):
            self._say(message)

    def load_one(self) -> None:
        """Load one phrase that waits; one that cannot be read is told and left out."""
        if self._wanted:
            self._load(next(iter(self._wanted)))

    def _take(self, paths: dict[str, str]) -> None:
        """Want the phrases of a library, and no others."""
        for name in self._ready - paths.keys():
            self._speaker.unload(name)
        self._ready &= paths.keys()
        self._wanted = dict(paths)  # also those that are there: the file may have changed

    def _say(self, cue: VoiceCue) -> None:
        """Let a phrase start, loading it first if need be."""
        if cue.phrase in self._wanted:
            self._load(cue.phrase)
        try:
            self._speaker.play(cue.phrase, cue.start_stamp_s, cue.volume)
        except DeviceError as error:
            self._warn(f"{error}; the show goes on without it")

    def _load(self, name: str) -> None:
        path = self._wanted.pop(name)
        try:
            self._speaker.load(name, read_samples(Path(path), self._speaker.rate_hz))
            self._ready.add(name)
        except (OSError, RuntimeError, ValueError, ImportError, DeviceError) as error:
            self._warn(f"phrase {name} cannot be spoken ({error}); the show goes on without it")


def read_samples(path: Path, rate_hz: int) -> Samples:
    """Return a sound file as mono or stereo (frames, channels) at a rate, -1 to 1.

    Raises:
        ImportError: soundfile is not installed.
        OSError, RuntimeError: the file cannot be read.
    """
    import soundfile

    samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    block: Samples = samples[:, :2]
    if rate == rate_hz or not len(block):
        return block
    count = round(len(block) * rate_hz / rate)
    times = np.arange(count) * (rate / rate_hz)
    columns = [np.interp(times, np.arange(len(block)), column) for column in block.T]
    return np.stack(columns, axis=1).astype(np.float32)


def run(
    config: LaunchConfig,
    lifeline: Lifeline,
    make_speaker: Callable[[Callable[[str], None]], SoundOutput],
) -> int:
    """Be the voice of a run until it is asked to end.

    Args:
        config: the run.
        lifeline: says when to end.
        make_speaker: builds the speaker, given whom to warn.

    Raises:
        LinkError: the core does not answer.
    """
    with Client(
        config.endpoint, config.robot, "voice", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:

        def warn(text: str) -> None:
            client.publish(topics.EVENT, Event(None, "voice", text, "warning"))

        inbox = client.subscribe(topics.VOICE)
        speaker = make_speaker(warn)
        voice = Voice(speaker, warn)
        next_service_s = 0.0
        while not lifeline.ended:
            client.beat()
            messages = inbox.poll()
            for message in messages:
                voice.handle(message)
            now_s = time.monotonic()
            if now_s >= next_service_s:
                next_service_s = now_s + SERVICE_S
                speaker.service()
            if voice.busy:
                voice.load_one()
            elif not messages:
                time.sleep(POLL_S)
        speaker.stop()
        time.sleep(FADE_S)
        speaker.close()
    return 0
