"""The mixer: starts sounds on an exact frame, ducks music under phrases, applies one volume.

It knows no device and no time but the frame's. The time of a frame is fitted over many callbacks:
each states how far its block is ahead of the monotonic clock, and the median of many such values is
more precise than one.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Samples: TypeAlias = npt.NDArray[np.float32]

RATE_HZ = 48_000
CHANNELS = 2
_FITTED = 64  # callbacks in the time fit
_SETTLED = 8
_STRAYS = 4  # in a row: the device has stuttered; fewer are a late thread
_APART_S = 0.02  # error of a fit, or a sound, that is corrected
_SLACK_S = 0.002  # larger errors of a sound are corrected by a jump, unheard
_BEND = 0.005  # largest relative change of speed: a twelfth of a semitone
_FADE_S = 0.03
_GLIDE_S = 0.02  # from silence to full volume


class FrameClock:
    """Fits the monotonic time of a stream's frames.

    Attributes:
        rate_hz: frames per second.
    """

    def __init__(self, rate_hz: float = RATE_HZ) -> None:
        self.rate_hz = rate_hz
        self._origins = np.zeros(_FITTED)
        self._count = 0
        self._strays = 0
        self._origin_s = 0.0

    def add(self, frame: int, time_s: float) -> None:
        """Add a callback's estimate of the time at which a frame sounds [s]."""
        origin_s = time_s - frame / self.rate_hz
        if self._count and abs(origin_s - self._origin_s) > _APART_S:
            self._strays += 1
            if self.settled and self._strays < _STRAYS:
                return
            self._count = 0  # an underrun or another device: the fit is no longer valid
        self._strays = 0
        self._origins[self._count % _FITTED] = origin_s
        self._count += 1
        self._origin_s = float(np.median(self._origins[: min(self._count, _FITTED)]))

    @property
    def settled(self) -> bool:
        """Whether enough callbacks are in the fit."""
        return self._count >= _SETTLED

    def frame_at(self, time_s: float) -> int:
        """Return the frame that sounds at a time [s]."""
        return round((time_s - self._origin_s) * self.rate_hz)

    def time_of(self, frame: int) -> float:
        """Return when a frame sounds [s]."""
        return self._origin_s + frame / self.rate_hz


@dataclass(slots=True, eq=False)
class Sound:
    """A phrase, or music, that is due or sounds.

    Attributes:
        samples: (frames, channels).
        start_s: time of its first sample, monotonic clock [s].
        gain: 0 to 1.
        patience_s: a start that is late by less plays the whole sound late [s].
        music: it is ducked under phrases.
        by_hand: an operator requested it: it replaces another such sound.
        position: the next frame to play; negative while it waits.
        fading: frames left until it is silent; negative while it does not fade out.
    """

    samples: Samples
    start_s: float
    gain: float = 1.0
    patience_s: float = 0.25
    music: bool = False
    by_hand: bool = False
    position: int = -1
    fading: int = -1


@dataclass(frozen=True, slots=True)
class Ducking:
    """Ducking of music under a phrase.

    Attributes:
        amount_db: attenuation under a phrase [dB].
        attack_s: duration of the attack, before the phrase if its start is known in time [s].
        release_s: duration of the release after the phrase [s].
    """

    amount_db: float = 12.0
    attack_s: float = 0.1
    release_s: float = 0.6


class Mixer:
    """Mixes the sounds, block by block.

    Attributes:
        clock: time of each frame.
        volume: of all sounds, 0 to 1; a change of the full range takes 20 ms.
        ducking: ducking of music.
    """

    def __init__(self, clock: FrameClock, volume: float = 1.0) -> None:
        self.clock = clock
        self.volume = volume
        self.ducking = Ducking()
        self._sounds: list[Sound] = []
        self._asked: deque[Callable[[], None]] = deque()  # filled by another thread
        self._ramp = np.linspace(1.0, 0.0, round(_FADE_S * clock.rate_hz), dtype=np.float32)
        self._gain = volume
        self._ducked = 0.0  # 0 for none, 1 for the whole amount
        self._music: Samples = np.zeros((0, CHANNELS), dtype=np.float32)

    def play(self, sound: Sound) -> None:
        """Add a sound that starts at its time. Any thread."""
        self._asked.append(partial(self._take_in, sound))

    def silence(self, by_hand: bool | None = None) -> None:
        """Fade out sounds and drop waiting ones: by hand, the others, or all (None). Any thread."""
        self._asked.append(partial(self._fade, by_hand))

    def continuation(self, clock: FrameClock) -> "Mixer":
        """Return a mixer for another stream that continues the unfinished sounds in time.

        Only while no stream calls `fill`.
        """
        self._take()
        other = Mixer(clock, self.volume)
        other.ducking = self.ducking
        for sound in self._sounds:
            if sound.fading < 0:
                sound.position, sound.patience_s = -1, 0.0
                other.play(sound)
        return other

    def fill(self, out: Samples, frame: int) -> None:
        """Write one block (frames, channels), whose first frame has the number `frame`."""
        out[:] = 0.0
        self._take()
        if not self._sounds:
            self._gain = self._glide(len(out))[-1]
            self._duck(np.zeros(len(out), dtype=np.bool_))
            return
        if len(self._music) < len(out):
            self._music = np.zeros((len(out), CHANNELS), dtype=np.float32)
        music = self._music[: len(out)]
        music[:] = 0.0
        spoken = np.zeros(len(out), dtype=np.bool_)
        ahead = round(self.ducking.attack_s * self.clock.rate_hz)
        for sound in self._sounds:
            first, end = self._add(sound, music if sound.music else out, frame)
            if not sound.music:
                spoken[max(0, first - ahead) : end] = True
        self._sounds = [s for s in self._sounds if s.position < len(s.samples)]
        out += music * self._duck(spoken)[:, None]
        gain = self._glide(len(out))
        self._gain = gain[-1]
        out *= gain[:, None]
        np.clip(out, -1.0, 1.0, out=out)

    def _take(self) -> None:
        """Apply the requests of other threads."""
        while self._asked:
            self._asked.popleft()()

    def _take_in(self, sound: Sound) -> None:
        if sound.by_hand:
            self._fade(True)
        self._sounds.append(sound)

    def _fade(self, by_hand: bool | None) -> None:
        meant = [sound for sound in self._sounds if by_hand in (None, sound.by_hand)]
        self._sounds = [s for s in self._sounds if s.position >= 0 or s not in meant]
        for sound in meant:
            if sound.fading < 0:
                sound.fading = len(self._ramp)

    def _add(self, sound: Sound, out: Samples, frame: int) -> tuple[int, int]:
        """Add one sound to a block; return its first and last frame in the block.

        For a sound that waits, return its start and the end of the block.
        """
        first = bend = 0
        if sound.position < 0:
            if not self.clock.settled:
                return len(out), len(out)
            first = self._begin(sound, frame)
            if first >= len(out):
                return first, len(out)
            sound.position = max(sound.position, 0)
        elif self.clock.settled and sound.fading < 0:
            in_time = frame - self.clock.frame_at(sound.start_s)
            apart = in_time - sound.position
            if abs(apart) > _APART_S * self.clock.rate_hz:
                sound.position = max(0, in_time)  # the device has stuttered, or runs slow
            elif abs(apart) > _SLACK_S * self.clock.rate_hz:
                bend = round(math.copysign(_BEND * len(out), apart))
        block = sound.samples[sound.position : sound.position + len(out) - first + bend]
        sound.position += len(block)
        if bend and len(block) == len(out) + bend:
            block = _stretched(block, len(out))
        if sound.fading >= 0:
            ramp = self._ramp[len(self._ramp) - sound.fading :][: len(block), None]
            block = block[: len(ramp)] * ramp
            sound.fading -= len(ramp)
            if sound.fading == 0:
                sound.position = len(sound.samples)
        out[first : first + len(block)] += sound.gain * block
        return first, first + len(block)

    def _begin(self, sound: Sound, frame: int) -> int:
        """Return the frame at which a sound begins, in a block or after it; 0 if it is late."""
        first = self.clock.frame_at(sound.start_s) - frame
        if first >= 0:
            return first
        late = -first
        if late <= sound.patience_s * self.clock.rate_hz:
            sound.start_s = self.clock.time_of(frame)
            late = 0
        sound.position = late
        return 0

    def _glide(self, count: int) -> Samples:
        """Return the volume of each frame of a block (count)."""
        return _towards(self._gain, self.volume, _GLIDE_S * self.clock.rate_hz, count)

    def _duck(self, spoken: npt.NDArray[np.bool_]) -> Samples:
        """Return the gain of the music in each frame of a block (count).

        Args:
            spoken: a phrase sounds, or will within the attack (count).
        """
        rate_hz, ducking = self.clock.rate_hz, self.ducking
        level = np.empty(len(spoken), dtype=np.float32)
        turns = [0, *(np.flatnonzero(spoken[1:] != spoken[:-1]) + 1).tolist(), len(spoken)]
        for begin, end in zip(turns, turns[1:], strict=False):
            down = bool(spoken[begin])
            whole = rate_hz * (ducking.attack_s if down else ducking.release_s)
            level[begin:end] = _towards(self._ducked, float(down), whole, end - begin)
            self._ducked = float(level[end - 1])
        gain: Samples = np.power(10.0, -0.05 * ducking.amount_db * level, dtype=np.float32)
        return gain


def _stretched(block: Samples, count: int) -> Samples:
    """Return a block (frames, channels) resampled to another length (count, channels)."""
    frames = np.arange(len(block))
    positions = np.arange(count) * (len(block) / count)
    columns = [np.interp(positions, frames, column) for column in block.T]
    return np.stack(columns, axis=1).astype(np.float32)


def _towards(start: float, target: float, whole: float, count: int) -> Samples:
    """Return a value that moves at most 1 in `whole` frames, for each of `count` frames."""
    away = target - start
    moved = np.arange(1, count + 1, dtype=np.float32) / np.float32(max(whole, 1.0))
    path: Samples = np.float32(start) + np.copysign(np.minimum(moved, abs(away)), away)
    return path.astype(np.float32)
