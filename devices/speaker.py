"""The speaker: one output stream that stays open, and phrases that start at an exact time.

The time at which a frame sounds is fitted over many callbacks: each tells how far ahead of
the monotonic clock the block is that it fills, and the middle of many such answers is steadier
than any one. A phrase starts on the frame whose time is its start.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from devices.errors import DeviceError

Samples = npt.NDArray[np.float32]

RATE_HZ = 48_000
CHANNELS = 2
_FITTED = 64  # callbacks that the time fit looks back on
_SETTLED = 8
_FADE_S = 0.03
_SILENT_S = 1.0  # a stream without a callback for this long has lost its device
_FRESH_S = 3.0  # but a fresh one takes its time to run
_RETRY_S = 0.5
_JUMP_S = 0.02  # a fit that is this far off is begun anew


class SpeakerError(DeviceError):
    """There is no sound, and why."""

    def __init__(self, message: str) -> None:
        super().__init__("speaker", message)


@dataclass(slots=True, eq=False)
class _Voice:
    """A phrase that is due or sounds.

    Attributes:
        samples: (frames, channels).
        start_s: when its first sample sounds, monotonic clock [s].
        gain: 0 to 1.
        patience_s: a start that is late by less is made up for by starting late [s].
        position: the next frame to play; negative while it waits.
        fading: frames left until it is silent; negative while it is not asked to stop.
    """

    samples: Samples
    start_s: float
    gain: float
    patience_s: float
    position: int = -1
    fading: int = -1


class FrameClock:
    """Fits the monotonic time of a stream's frames.

    Attributes:
        rate_hz: frames a second.
    """

    def __init__(self, rate_hz: float = RATE_HZ) -> None:
        self.rate_hz = rate_hz
        self._origins = np.zeros(_FITTED)
        self._count = 0
        self._origin_s = 0.0

    def add(self, frame: int, time_s: float) -> None:
        """Take note that a frame sounds at a time [s], as far as one callback can tell."""
        origin_s = time_s - frame / self.rate_hz
        if self._count and abs(origin_s - self._origin_s) > _JUMP_S:
            self._count = 0  # an underrun or another device: what was fitted holds no more
        self._origins[self._count % _FITTED] = origin_s
        self._count += 1
        self._origin_s = float(np.median(self._origins[: min(self._count, _FITTED)]))

    @property
    def settled(self) -> bool:
        """Enough callbacks were seen to trust the fit."""
        return self._count >= _SETTLED

    def frame_at(self, time_s: float) -> int:
        """Return the frame that sounds at a time [s]."""
        return round((time_s - self._origin_s) * self.rate_hz)

    def time_of(self, frame: int) -> float:
        """Return when a frame sounds [s]."""
        return self._origin_s + frame / self.rate_hz


class Mixer:
    """Adds up the phrases that sound, block by block; knows no device."""

    def __init__(self, clock: FrameClock) -> None:
        self.clock = clock
        self._voices: list[_Voice] = []
        self._asked: deque[_Voice | None] = deque()  # filled by another thread; None is silence
        fade = round(_FADE_S * clock.rate_hz)
        self._ramp = np.linspace(1.0, 0.0, fade, dtype=np.float32)[:, None]

    def play(self, voice: _Voice) -> None:
        """Let a phrase start at its time. Any thread."""
        self._asked.append(voice)

    def silence(self) -> None:
        """Fade out what sounds and forget what is due. Any thread."""
        self._asked.append(None)

    def restart(self) -> list[_Voice]:
        """Return what has not ended and forget it; only while no stream calls `fill`."""
        self._take()
        left = [voice for voice in self._voices if voice.fading < 0]
        self._voices = []
        return left

    def fill(self, out: Samples, frame: int) -> None:
        """Write one block, whose first frame has the number `frame`."""
        out[:] = 0.0
        if self._asked:
            self._take()
        for voice in self._voices:
            self._add(voice, out, frame)
        if any(voice.position >= len(voice.samples) for voice in self._voices):
            self._voices = [v for v in self._voices if v.position < len(v.samples)]

    def _take(self) -> None:
        """Do what other threads asked."""
        while self._asked:
            asked = self._asked.popleft()
            if asked is not None:
                self._voices.append(asked)
                continue
            self._voices = [voice for voice in self._voices if voice.position >= 0]
            for voice in self._voices:
                if voice.fading < 0:
                    voice.fading = len(self._ramp)

    def _add(self, voice: _Voice, out: Samples, frame: int) -> None:
        """Add one phrase to a block."""
        first = 0
        if voice.position < 0:
            if not self.clock.settled:
                return
            first = self.clock.frame_at(voice.start_s) - frame
            if first >= len(out):
                return
            late = -first
            first = max(first, 0)
            patient = late <= voice.patience_s * self.clock.rate_hz
            voice.position = 0 if patient else late
        block = voice.samples[voice.position : voice.position + len(out) - first]
        voice.position += len(block)
        if voice.fading >= 0:
            ramp = self._ramp[len(self._ramp) - voice.fading :][: len(block)]
            block = block[: len(ramp)] * ramp
            voice.fading -= len(ramp)
            if voice.fading == 0:
                voice.position = len(voice.samples)
        out[first : first + len(block)] += voice.gain * block


class Speaker:
    """Plays preloaded phrases through the default output, or the device of a given name.

    A missing library, a missing device and one that vanishes are told once through `warn`; a
    device is looked for again twice a second, and what should sound by then is joined in time.
    """

    def __init__(
        self,
        warn: Callable[[str], None],
        device: str | None = None,
        latency_s: float = 0.05,
    ) -> None:
        self._warn = warn
        self._device = device
        self._latency_s = latency_s
        self._clips: dict[str, Samples] = {}
        self._clock = FrameClock()
        self._mixer = Mixer(self._clock)
        self._library: ModuleType | None = None
        self._stream: Any = None
        self._frame = 0
        self._heard_s = 0.0  # time of the last callback
        self._fresh_until_s = 0.0
        self._next_try_s = 0.0
        self._told: str | None = None
        self._hopeless = False

    @property
    def rate_hz(self) -> int:
        """Samples a second that it takes."""
        return RATE_HZ

    @property
    def ready(self) -> bool:
        """A stream is open and asks for sound."""
        return self._stream is not None and self._frame > 0

    @property
    def phrases(self) -> tuple[str, ...]:
        """Names of the loaded phrases."""
        return tuple(self._clips)

    def load(self, name: str, samples: npt.NDArray[np.floating[Any]]) -> None:
        """Keep a phrase ready to play.

        Args:
            name: what it is called.
            samples: (frames) or (frames, channels) at RATE_HZ, -1 to 1.

        Raises:
            SpeakerError: the samples are no finite array of one or two channels.
        """
        block = np.asarray(samples, dtype=np.float32)
        if block.ndim == 1:
            block = block[:, None]
        if block.ndim != 2 or block.shape[1] not in (1, CHANNELS) or not len(block):
            raise SpeakerError(f"phrase {name} has shape {np.shape(samples)}, not mono or stereo")
        if not np.isfinite(block).all():
            raise SpeakerError(f"phrase {name} holds samples that are not finite numbers")
        self._clips[name] = np.ascontiguousarray(np.broadcast_to(block, (len(block), CHANNELS)))

    def unload(self, name: str) -> None:
        """Drop a phrase; if it sounds, it plays on."""
        self._clips.pop(name, None)

    def play(
        self, name: str, start_s: float, volume: float = 1.0, patience_s: float = 0.25
    ) -> None:
        """Start a phrase at a time.

        Args:
            name: a loaded phrase.
            start_s: when its first sample sounds, monotonic clock [s].
            volume: 0 to 1.
            patience_s: if the start is past by less than this, the whole phrase is played, late;
                if by more, it is joined where it would be by now [s].

        Raises:
            SpeakerError: no such phrase is loaded, or a number is not finite.
        """
        samples = self._clips.get(name)
        if samples is None:
            raise SpeakerError(f"no phrase {name} is loaded")
        if not np.isfinite(start_s) or not 0.0 <= volume <= 1.0:
            raise SpeakerError(
                f"phrase {name} at {start_s} s with volume {volume} cannot be played"
            )
        self._mixer.play(_Voice(samples, start_s, volume, patience_s))

    def stop(self) -> None:
        """Fade out what sounds, and forget what is due."""
        self._mixer.silence()

    def service(self) -> None:
        """Open the stream, or open it again if its device is gone; call it a few times a second."""
        now_s = time.monotonic()
        stream = self._stream
        silent = now_s > max(self._heard_s + _SILENT_S, self._fresh_until_s)
        if stream is not None and (silent or not stream.active):
            self._say("the sound device is gone; it is looked for again")
            self._drop()
        if self._stream is None and not self._hopeless and now_s >= self._next_try_s:
            self._next_try_s = now_s + _RETRY_S
            self._open()

    def close(self) -> None:
        """End the stream at once."""
        self._drop()
        self._hopeless = True

    def _open(self) -> None:
        """Try to open a stream."""
        try:
            if self._library is None:
                import sounddevice

                self._library = sounddevice
            else:
                # PortAudio knows only the devices that were there when it was initialised.
                self._library._terminate()
                self._library._initialize()
        except (ImportError, OSError) as error:
            self._hopeless = True
            self._say(f"no sound: {error}; install libportaudio2 and python's sounddevice")
            return
        left = self._mixer.restart()
        self._clock = FrameClock()
        self._mixer = Mixer(self._clock)
        for voice in left:
            voice.position, voice.patience_s = -1, 0.0
            self._mixer.play(voice)
        self._frame = 0
        self._fresh_until_s = time.monotonic() + _FRESH_S
        try:
            self._stream = self._library.OutputStream(
                samplerate=RATE_HZ,
                channels=CHANNELS,
                dtype="float32",
                device=self._device,
                latency=self._latency_s,
                callback=self._callback,
            )
            self._stream.start()
        except (self._library.PortAudioError, ValueError) as error:
            self._drop()
            self._say(f"no sound device ({error}); it is looked for again")
            return
        if self._told is not None:
            self._told = None
            self._warn("sound is back")

    def _drop(self) -> None:
        """Let go of the stream."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)

    def _say(self, text: str) -> None:
        """Warn once of the same thing."""
        if self._told != text:
            self._told = text
            self._warn(text)

    def _callback(self, out: Samples, frames: int, times: Any, _status: Any) -> None:
        """Fill one block; PortAudio's thread."""
        now_s = time.monotonic()
        ahead_s = times.outputBufferDacTime - times.currentTime
        if not 0.0 < ahead_s < 1.0:  # some hosts tell no time
            ahead_s = self._latency_s
        self._clock.add(self._frame, now_s + ahead_s)
        self._mixer.fill(out, self._frame)
        self._frame += frames
        self._heard_s = now_s
