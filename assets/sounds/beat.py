"""Make the beat to which a robot jumps: `python assets/sounds/beat.py [FILE]`.

A kick on each beat, a snare on every second one and a light hat between them, synthesised from
sines and noise. FILE is the music of shows/library/meet_hopkin by default. Mono, 24 kHz, FLAC.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import soundfile

RATE_HZ = 24_000
BPM = 75.0
BEATS = 9  # the last one ends the piece
PEAK = 0.7
FILE = Path(__file__).resolve().parents[2] / "shows/library/meet_hopkin/audio/beat.flac"
Floats: TypeAlias = npt.NDArray[np.float64]


def beat() -> Floats:
    """Return the samples, -1 to 1 (k)."""
    beat_s, dice = 60.0 / BPM, np.random.default_rng(7)
    sound = np.zeros(round(((BEATS - 1) * beat_s + 0.5) * RATE_HZ))
    for number in range(BEATS):
        _add(sound, number * beat_s, _kick())
        if number % 2:
            _add(sound, number * beat_s, 0.4 * _hiss(dice, 0.2, 0.05))
        if number + 1 < BEATS:
            _add(sound, (number + 0.5) * beat_s, 0.25 * _hiss(dice, 0.08, 0.015))
    loud: Floats = PEAK * sound / np.abs(sound).max()
    return loud


def _kick() -> Floats:
    """Return a tone whose pitch falls from 160 to 50 Hz."""
    times_s = np.arange(round(0.35 * RATE_HZ)) / RATE_HZ
    pitch_hz = 50.0 + 110.0 * np.exp(-times_s / 0.03)
    phase = 2.0 * np.pi * np.cumsum(pitch_hz) / RATE_HZ
    kick: Floats = np.sin(phase) * np.exp(-times_s / 0.09)
    return kick


def _hiss(dice: np.random.Generator, length_s: float, decay_s: float) -> Floats:
    """Return noise that fades."""
    times_s = np.arange(round(length_s * RATE_HZ)) / RATE_HZ
    hiss: Floats = dice.uniform(-1.0, 1.0, times_s.size) * np.exp(-times_s / decay_s)
    return hiss


def _add(sound: Floats, at_s: float, part: Floats) -> None:
    begin = round(at_s * RATE_HZ)
    part = part[: len(sound) - begin]
    sound[begin : begin + len(part)] += part


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(file, beat(), RATE_HZ, subtype="PCM_16")
