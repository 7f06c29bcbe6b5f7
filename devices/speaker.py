"""The speaker: one output stream that stays open, on a device selected by its name."""

import math
import os
import resource
import time
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from devices.errors import DeviceError
from devices.mixer import CHANNELS, RATE_HZ, Ducking, FrameClock, Mixer, Samples, Sound
from devices.portaudio import reason, renewed

_SHORT_S, _LONG_S = 0.015, 0.05  # of a stream whose thread has priority, and of another
_PRIORITY = 40  # of the callback's thread: a block that is late is a click
_SILENT_S = 0.8  # a stream without a callback for this long has lost its device
_FRESH_S = 3.0  # except a new one, which needs time to start
_RETRY_S = 0.25  # period of the search for a missing device
_CUT_S = 0.005  # fade at a cut within a sound, against a click
_DELAY_STEP_S = 0.005
_FORGET = 0.01  # of a delay that has become shorter, each second
_SELDOM_S = 2.0  # if there never was a device: a search takes PortAudio 25 ms of a processor


class SpeakerError(DeviceError):
    """There is no sound, for a reason."""

    def __init__(self, message: str) -> None:
        super().__init__("speaker", message)


class Speaker:
    """Plays preloaded sounds through the system's default output, or the device of a given name.

    A missing library, a missing device and a lost one are reported in `trouble`; a device that was
    selected, or that has played, is searched for four times a second, and sounds that are due then
    are
    joined in time.

    Attributes:
        device: name of the selected device; empty for the system's default.
        devices: names of those found when sound was last opened or searched for.
        trouble: reason for silence, one sentence; empty while there is sound, or during the first
            search.
        worked: the selected device has played.
    """

    def __init__(self, device: str = "", latency_s: float | None = None) -> None:
        self.device = device
        self.devices: tuple[str, ...] = ()
        self.trouble = ""
        self.worked = False
        usual_s = _SHORT_S if _may_take_priority() else _LONG_S
        self._latency_s = usual_s if latency_s is None else latency_s
        self._clips: dict[str, Samples] = {}
        self._mixer = Mixer(FrameClock())
        self._library: ModuleType | None = None
        self._stream: Any = None
        self._frame = 0
        self._heard_s = 0.0  # time of the last callback
        self._delay_s = self._latency_s
        self._fresh_until_s = 0.0
        self._next_try_s = 0.0
        self._hopeless = False

    @property
    def rate_hz(self) -> int:
        """Sample rate of the stream [Hz]."""
        return RATE_HZ

    @property
    def ready(self) -> bool:
        """Whether a stream runs: it requests sound, and states when that will be heard."""
        return self._stream is not None and self._mixer.clock.settled

    @property
    def phrases(self) -> tuple[str, ...]:
        """Names of the loaded sounds."""
        return tuple(self._clips)

    @property
    def delay_s(self) -> float:
        """Time from a request to the first sound that can still be due then; 0 in silence [s]."""
        if not self.ready:
            return 0.0
        return math.ceil(self._delay_s / _DELAY_STEP_S) * _DELAY_STEP_S

    @property
    def volume(self) -> float:
        """Of everything, 0 to 1."""
        return self._mixer.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self._mixer.volume = volume

    def load(self, name: str, samples: npt.NDArray[np.floating[Any]]) -> None:
        """Store a sound for playing.

        Args:
            name: name of the sound.
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
        """Remove a sound; if it plays, it continues."""
        self._clips.pop(name, None)

    def play(
        self,
        name: str,
        start_s: float,
        volume: float = 1.0,
        patience_s: float = 0.25,
        music: bool = False,
        offset_s: float = 0.0,
        length_s: float = 0.0,
        by_hand: bool = False,
    ) -> None:
        """Start a sound, or a part of it, at a time.

        Args:
            name: a loaded sound.
            start_s: time of its first sample, monotonic clock [s].
            volume: 0 to 1.
            patience_s: if the start is past by less than this, the whole sound is played late;
                if by more, it is joined at its present position [s].
            music: it is ducked under phrases.
            offset_s: time of the sound that is played first [s].
            length_s: how long it plays, at most to its end [s]; 0: to its end.
            by_hand: an operator requested it: it replaces another such sound.

        Raises:
            SpeakerError: no such sound is loaded, or a number is not finite.
        """
        samples = self._clips.get(name)
        if samples is None:
            raise SpeakerError(f"no phrase {name} is loaded")
        numbers = start_s, volume, offset_s, length_s
        if not np.isfinite(numbers).all() or not 0.0 <= volume <= 1.0 or min(numbers[2:]) < 0.0:
            raise SpeakerError(
                f"phrase {name} at {start_s} s with volume {volume} cannot be played"
            )
        part = _part(samples, offset_s, length_s)
        self._mixer.play(Sound(part, start_s, volume, patience_s, music, by_hand))

    def duck(self, amount_db: float, attack_s: float, release_s: float) -> None:
        """Set the ducking of music; see `Ducking`."""
        self._mixer.ducking = Ducking(amount_db, attack_s, release_s)

    def stop(self, by_hand: bool | None = None) -> None:
        """Fade out sounds and drop waiting ones: those by hand, the others, or all (None)."""
        self._mixer.silence(by_hand)

    def choose(self, device: str) -> None:
        """Play through another device from the next `service` on; sounds continue there.

        Selecting the present device opens it again, which also updates the list of devices.
        """
        self._drop()
        self.device = device
        self.worked = False
        self.trouble = ""
        self._next_try_s = 0.0

    def service(self) -> None:
        """Open the stream, or open it again if its device is lost; call it ten times a second."""
        try:
            self._service(time.monotonic())
        except Exception as error:  # a fault of the sound system must not end the sounds' owner
            self._drop()
            self.trouble = f"{self._name} failed ({error!r}); it is tried again"
            self._next_try_s = time.monotonic() + _RETRY_S

    def _service(self, now_s: float) -> None:
        stream = self._stream
        silent = now_s > max(self._heard_s + _SILENT_S, self._fresh_until_s)
        if stream is not None and (silent or not stream.active):
            self.trouble = f"{self._name} is gone; it is looked for again"
            self._drop()
        if self._stream is None and not self._hopeless and now_s >= self._next_try_s:
            self._open()
            missed = self.worked or bool(self.device)
            self._next_try_s = time.monotonic() + (_RETRY_S if missed else _SELDOM_S)
        if self.ready:
            self.worked = True
            self.trouble = ""

    def close(self) -> None:
        """End the stream at once."""
        self._drop()
        self._hopeless = True

    @property
    def _name(self) -> str:
        return f"the sound device {self.device}" if self.device else "the sound device"

    def _open(self) -> None:
        """Try to open a stream."""
        try:
            self._library = renewed(self._library)
        except LookupError as error:
            self.trouble = str(error)
            return
        except (ImportError, OSError) as error:
            self._hopeless = True
            self.trouble = f"no sound: {error}; install libportaudio2 and python's sounddevice"
            return
        self._mixer = self._mixer.continuation(FrameClock())
        self._frame = 0
        self._fresh_until_s = time.monotonic() + _FRESH_S
        try:
            self._stream = self._library.OutputStream(
                samplerate=RATE_HZ,
                channels=CHANNELS,
                dtype="float32",
                device=self._find(self._library.query_devices()),
                latency=self._latency_s,
                callback=self._callback,
            )
            self._stream.start()
        except (self._library.PortAudioError, ValueError) as error:
            self._drop()
            self.trouble = f"{self._name} cannot be opened ({reason(error)}); it is tried again"
        except LookupError as error:
            self.trouble = str(error)

    def _find(self, found: Any) -> int | None:
        """Return PortAudio's number of the selected device; None is the system's default.

        Raises:
            LookupError: it is not there, or its name fits several; one sentence.
        """
        sounding = [device for device in found if device["max_output_channels"] > 0]
        outputs: dict[int, str] = {device["index"]: device["name"] for device in sounding}
        self.devices = tuple(dict.fromkeys(outputs.values()))
        if not outputs:
            raise LookupError("no audio output; retrying")
        if not self.device:
            return None
        same = [number for number, name in outputs.items() if name == self.device]
        part = self.device.casefold()
        like = [number for number, name in outputs.items() if part in name.casefold()]
        if same or len(like) == 1:
            return (same or like)[0]
        what = "more than one" if like else "no"
        there = ", ".join(self.devices)
        raise LookupError(f"there is {what} sound device {self.device!r}; there are {there}")

    def _drop(self) -> None:
        """Close the stream."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)

    def _callback(self, out: Samples, frames: int, times: Any, _status: Any) -> None:
        """Fill one block; called by PortAudio's thread."""
        if not self._frame:
            _take_priority()
        now_s = time.monotonic()
        ahead_s = times.outputBufferDacTime - times.currentTime
        if not 0.0 < ahead_s < 1.0:  # some hosts report no time
            ahead_s = self._latency_s
        block_s = frames / RATE_HZ
        self._delay_s = max(ahead_s + block_s, self._delay_s - _FORGET * block_s)
        mixer = self._mixer
        mixer.clock.add(self._frame, now_s + ahead_s)
        mixer.fill(out, self._frame)
        self._frame += frames
        self._heard_s = now_s


def _may_take_priority() -> bool:
    """Return whether the system lets this process have round-robin scheduling."""
    most, _ = resource.getrlimit(resource.RLIMIT_RTPRIO)
    return os.geteuid() == 0 or most == resource.RLIM_INFINITY or most >= _PRIORITY


def _take_priority() -> None:
    """Request round-robin scheduling for this thread, below the loop's; a refusal is no harm."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(_PRIORITY))


def _part(samples: Samples, offset_s: float, length_s: float) -> Samples:
    """Return a part of a sound (frames, channels), with a short fade where it is cut."""
    first = min(round(offset_s * RATE_HZ), len(samples) - 1)
    end = min(first + round(length_s * RATE_HZ), len(samples)) if length_s else len(samples)
    if first == 0 and end >= len(samples) - 1:
        return samples
    part = samples[first : max(end, first + 1)].copy()
    ramp = np.linspace(0.0, 1.0, min(round(_CUT_S * RATE_HZ), len(part)), dtype=np.float32)
    if first:
        part[: len(ramp)] *= ramp[:, None]
    if end < len(samples) - 1:
        part[-len(ramp) :] *= ramp[::-1, None]
    return part
