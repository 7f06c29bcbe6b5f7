"""The voice: a process of its own that speaks phrases at their time on the show clock."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.link import topics, wording
from core.link.catalogue import show as words
from core.link.client import Client
from core.link.sound import SoundReport, VoiceCue, VoiceLibrary, VoiceMessage, VoiceMix, VoiceStop
from core.link.statement import Statement
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.stage.sound_file import Samples, read_parts
from devices.errors import DeviceError
from shows.document import Ducking

POLL_S = 0.004
SERVICE_S = 0.1
REPORT_S = 0.2
MOST_DEVICES, LONGEST_NAME, LONGEST_TROUBLE = 64, 200, 500
PATIENCE_S = 0.25  # a phrase that is late by less is said whole, late
FADE_S = 0.06  # for what sounds when the process ends


class SoundOutput(Protocol):
    """What the voice needs of a speaker.

    Attributes:
        volume: of everything, 0 to 1.
        device: name of the chosen device; empty is the system's usual one.
        devices: names of those that are there.
        trouble: why there is no sound; empty while there is.
        worked: there was sound from the chosen device.
    """

    volume: float
    device: str
    devices: tuple[str, ...]
    trouble: str
    worked: bool

    @property
    def rate_hz(self) -> int:
        """Samples a second that it takes."""

    def load(self, name: str, samples: npt.NDArray[np.floating[Any]]) -> None:
        """Keep a phrase ready to play."""

    def unload(self, name: str) -> None:
        """Drop a phrase."""

    def play(
        self,
        name: str,
        start_s: float,
        volume: float = 1.0,
        patience_s: float = 0.25,
        music: bool = False,
    ) -> None:
        """Start a phrase, or music, at a time on the monotonic clock [s]."""

    def duck(self, amount_db: float, attack_s: float, release_s: float) -> None:
        """Say how music makes room for phrases."""

    def stop(self) -> None:
        """Fade out what sounds, and forget what is due."""

    def choose(self, device: str) -> None:
        """Play through another device; an empty name is the system's usual one."""

    def service(self) -> None:
        """Keep the stream open."""

    def close(self) -> None:
        """End the stream."""


@dataclass(slots=True)
class Reading:
    """A phrase that is being read.

    Attributes:
        rest: what is still to come of it.
        parts: what was read.
    """

    rest: Iterator[Samples]
    parts: list[Samples] = field(default_factory=list)


class Voice:
    """Does what voice messages say; loads phrases part by part, so that it is never long away.

    Args:
        speaker: plays.
        warn: takes what the event log tells the operator.
        life: tells this process from the one before it.
    """

    def __init__(self, speaker: SoundOutput, warn: Callable[[Statement], None], life: str) -> None:
        self._speaker = speaker
        self._warn = warn
        self._life = life
        self._mix = VoiceMix()
        self._usual = speaker.device  # as it was started
        self._library_s: float | None = None
        self._wanted: dict[str, str] = {}  # phrase to path, not yet loaded
        self._begun: dict[str, Reading] = {}  # of these
        self._due: list[VoiceCue] = []  # whose phrases are not yet loaded
        self._ready: set[str] = set()
        self._told = ""

    @property
    def busy(self) -> bool:
        """Phrases wait to be loaded."""
        return bool(self._wanted)

    def handle(self, message: VoiceMessage) -> None:
        """Do what a message says."""
        if isinstance(message, VoiceStop):
            self._due.clear()
            self._speaker.stop()
        elif isinstance(message, VoiceMix):
            self._take_mix(message)
        elif isinstance(message, VoiceLibrary):
            self._take(message)
        elif isinstance(message, VoiceCue):
            self._say(message)

    def load_part(self) -> None:
        """Read on in a phrase that waits, one that is due before all others.

        One that cannot be read is told and left out.
        """
        if not self._wanted:
            return
        name = self._due[0].phrase if self._due else next(iter(self._wanted))
        try:
            if name not in self._begun:
                path = Path(self._wanted[name])
                self._begun[name] = Reading(read_parts(path, self._speaker.rate_hz))
            reading = self._begun[name]
            part = next(reading.rest, None)
            if part is not None:
                reading.parts.append(part)
                return
            self._speaker.load(
                name, np.concatenate(reading.parts or [np.zeros((0, 1), np.float32)])
            )
            self._ready.add(name)
        except (OSError, RuntimeError, ValueError, ImportError, DeviceError) as error:
            self._warn(words.PHRASE_UNREADABLE(phrase=name, text=str(error)))
        del self._wanted[name]
        self._begun.pop(name, None)
        due = [cue for cue in self._due if cue.phrase == name]
        self._due = [cue for cue in self._due if cue.phrase != name]
        if name in self._ready:
            for cue in due:
                self._say(cue)

    def report(self) -> SoundReport:
        """Return how it is.

        A machine that never had a sound device is told of once; whoever chose a device, or had
        one, has lost it.
        """
        speaker = self._speaker
        lost = bool(speaker.trouble) and (speaker.worked or bool(speaker.device))
        if speaker.trouble and not lost and speaker.trouble != self._told:
            self._told = speaker.trouble
            self._warn(words.NO_SOUND(text=speaker.trouble))
        return SoundReport(
            life=self._life,
            device=speaker.device[:LONGEST_NAME],
            chosen=bool(self._mix.device),
            devices=tuple(name[:LONGEST_NAME] for name in speaker.devices[:MOST_DEVICES]),
            trouble=speaker.trouble[:LONGEST_TROUBLE],
            lost=lost,
            volume=self._mix.volume,
            muted=self._mix.muted,
        )

    def _take_mix(self, mix: VoiceMix) -> None:
        """Take volume and device."""
        if mix.device != self._mix.device:
            self._speaker.choose(mix.device or self._usual)
        self._mix = mix
        volume = 1.0 if mix.volume is None else mix.volume
        self._speaker.volume = 0.0 if mix.muted else volume

    def _take(self, library: VoiceLibrary) -> None:
        """Want the phrases of a library, and no others."""
        if library.stamp_s == self._library_s:
            return  # the core tells it again to whoever may be new
        self._library_s = library.stamp_s
        ducking: Ducking = library.ducking
        self._speaker.duck(ducking.amount_db, ducking.attack_s, ducking.release_s)
        for name in self._ready - library.paths.keys():
            self._speaker.unload(name)
        self._ready &= library.paths.keys()
        self._begun.clear()
        self._due.clear()
        self._wanted = dict(library.paths)  # also those that are there: the file may have changed

    def _say(self, cue: VoiceCue) -> None:
        """Let a phrase start, or have it start when it is loaded."""
        if cue.phrase in self._wanted:
            self._due.append(cue)
            return
        patience_s = 0.0 if cue.again else PATIENCE_S
        try:
            self._speaker.play(cue.phrase, cue.start_stamp_s, cue.volume, patience_s, cue.music)
        except DeviceError as error:
            self._warn(words.PHRASE_NOT_PLAYED(text=str(error)))


def run(config: LaunchConfig, lifeline: Lifeline, speaker: SoundOutput) -> int:
    """Be the voice of a run until it is asked to end.

    Args:
        config: the run.
        lifeline: says when to end.
        speaker: plays.

    Raises:
        LinkError: the core does not answer.
    """
    speaker.service()  # a fresh stream takes its time
    with Client(
        config.endpoint, config.robot, "voice", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:

        def warn(said: Statement) -> None:
            client.publish(wording.event(None, "voice", said))

        inbox = client.subscribe(topics.VOICE)  # before the first report, which the core answers
        voice = Voice(speaker, warn, client.sender)
        next_service_s = next_report_s = 0.0
        reported: SoundReport | None = None
        while not lifeline.ended:
            client.beat()
            messages = inbox.poll()
            for message in messages:
                voice.handle(message)
            now_s = time.monotonic()
            if now_s >= next_service_s:
                next_service_s = now_s + SERVICE_S
                speaker.service()
            report = voice.report()
            if now_s >= next_report_s or report != reported:
                next_report_s, reported = now_s + REPORT_S, report
                client.publish(report)
            if voice.busy:
                voice.load_part()
            elif not messages:
                time.sleep(POLL_S)
        speaker.stop()
        time.sleep(FADE_S)
        speaker.close()
    return 0
