"""A motion as a table of comma-separated values, which spreadsheets and scripts write."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S, MAX_RATE_HZ, MIN_RATE_HZ
from shows.files import read_capped, write_atomically
from shows.joints import Floats
from shows.motion import Motion

MAX_CSV_BYTES: Final = 16 * 2**20
MAX_COLUMNS: Final = 256
MAX_VALUES: Final = 4_000_000
MAX_DEGREES: Final = 1e4
MAX_TIME_S: Final = 1e11
LEAST_STEP_S: Final = 1e-5
TIME: Final = "time_s"
LEAST_RATE_HZ: Final = 50.0
"""Least rate to which uneven samples, as key poses, are resampled [Hz]."""

_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+\s*\Z")
_DEGREES, _RADIANS = "_deg", "_rad"


@dataclass(frozen=True)
class CsvReading:
    """A motion from a table.

    Attributes:
        motion: its joints have the names of the columns, without the unit.
        resampled: the samples were not evenly spaced, or their rate was out of bounds.
    """

    motion: Motion
    resampled: bool


def load_csv(path: Path, name: str = "") -> CsvReading:
    """Return the motion of a file; see `read_csv`.

    Raises:
        ShowError: the file cannot be read, or `read_csv` refuses it.
    """
    data = read_capped(path, MAX_CSV_BYTES, path.name)
    return read_csv(data, path.name, name or path.stem)


def save_csv(motion: Motion, path: Path) -> None:
    """Write a motion's table atomically.

    Raises:
        ShowError: the disk refused it.
    """
    write_atomically(path, encode_csv(motion))


def encode_csv(motion: Motion) -> bytes:
    """Return a motion's table: time and positions, to the nanosecond and the nanoradian."""
    times = np.arange(len(motion.positions)) / motion.rate_hz
    row = ",".join(["%.9f"] * (1 + len(motion.joint_names)))
    lines = [",".join((TIME, *motion.joint_names))]
    lines += [row % tuple(values) for values in np.column_stack([times, motion.positions]).tolist()]
    return ("\n".join(lines) + "\n").encode()


def read_csv(data: bytes, label: str, name: str) -> CsvReading:
    """Return the motion of a table.

    The first line names the columns: `time_s`, then one a joint, in radians, or in degrees if the
    name ends with `_deg`. Commas or semicolons separate them; decimals have a point. Times rise;
    the first is the motion's beginning. Uneven samples are resampled along cubic curves.

    Args:
        data: the file.
        label: the file's name in errors.
        name: the motion's name.

    Raises:
        ShowError: with the line and the reason.
    """
    if len(data) > MAX_CSV_BYTES:
        raise ShowError(label, "", f"is larger than {MAX_CSV_BYTES / 2**20:.0f} MiB", "shorten it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"line {data[: error.start].count(bytes([10])) + 1}"
        raise ShowError(label, place, "is not UTF-8 text", "save it as UTF-8") from error
    lines = [
        (number, line)
        for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
        if line and not line.isspace()
    ]
    if not lines:
        raise ShowError(label, "", "is empty", f"begin with a line {TIME},JOINT,JOINT")
    separator, joints, factors = _columns(*lines[0], label)
    if (len(lines) - 1) * (1 + len(joints)) > MAX_VALUES:
        raise ShowError(label, "", f"has more than {MAX_VALUES} values", "resample or split it")
    rows = np.empty((len(lines) - 1, 1 + len(joints)))
    for values, (number, line) in zip(rows, lines[1:], strict=True):
        values[:] = _numbers(number, line, separator, len(values), label)
    if len(rows) < 2:
        raise ShowError(label, f"line {lines[-1][0]}", "has no second sample", "give at least two")
    times = rows[:, 0] - rows[0, 0]
    steps = np.diff(times)
    if not (steps > LEAST_STEP_S).all():
        fault = lines[2 + int(np.argmin(steps > LEAST_STEP_S))][0]
        raise ShowError(label, f"line {fault}", f"{TIME} does not rise", "sort the samples by time")
    if times[-1] > MAX_MOTION_S:
        reason = f"the motion lasts {times[-1]:.0f} s, more than {MAX_MOTION_S:.0f} s"
        raise ShowError(label, f"line {lines[-1][0]}", reason, "split it")
    decimals = _decimals(line.split(separator, 1)[0] for _, line in lines[1:])
    rate_hz = _even_rate(times, decimals)
    positions, resampled = rows[:, 1:] * factors, False
    if not MIN_RATE_HZ <= rate_hz <= MAX_RATE_HZ:
        rate_hz = float(np.clip(round(1.0 / np.median(steps)), LEAST_RATE_HZ, MAX_RATE_HZ))
        positions, resampled = _resampled(times, positions, rate_hz, label), True
    motion = Motion(name, joints, rate_hz, positions, title=name[:200], source="imported")
    return CsvReading(motion, resampled)


def _columns(number: int, line: str, label: str) -> tuple[str, tuple[str, ...], Floats]:
    """Return the separator, the joints, and each joint's factor to radians."""
    separator = ";" if ";" in line else ","
    names = [name.strip().strip('"').strip() for name in line.split(separator)]
    place = f"line {number}"
    if names[0] != TIME or len(names) < 2:
        reason = f"begins with {names[0][:40]!r}, not with {TIME} and joints"
        raise ShowError(label, place, reason, f"name the columns: {TIME},JOINT,JOINT")
    if len(names) > MAX_COLUMNS:
        raise ShowError(label, place, f"has more than {MAX_COLUMNS} columns", "leave some out")
    factors = np.array([np.pi / 180.0 if n.endswith(_DEGREES) else 1.0 for n in names[1:]])
    joints = tuple(n.removesuffix(_DEGREES).removesuffix(_RADIANS) for n in names[1:])
    if "" in joints or len(set(joints)) != len(joints):
        raise ShowError(label, place, "has a column without a name, or a joint twice", "name each")
    return separator, joints, factors


def _numbers(number: int, line: str, separator: str, columns: int, label: str) -> list[float]:
    """Return the numbers of a line."""
    place, words = f"line {number}", line.split(separator)
    if len(words) != columns:
        reason = f"has {len(words)} values for {columns} columns"
        if separator == "," and len(words) == 2 * columns:
            reason += ": its decimals seem to have commas"
        raise ShowError(label, place, reason, "give one value a column, decimals with a point")
    values: list[float] = []
    for word in words:
        try:
            value = float(word)
        except ValueError as error:
            shown = repr(word.strip()[:40])
            if _DECIMAL_COMMA.match(word):
                reason, advice = f"{shown} has a decimal comma", "write decimals with a point"
            else:
                reason, advice = f"{shown} is not a number", "give a number"
            raise ShowError(label, place, reason, advice) from error
        largest = MAX_DEGREES if values else MAX_TIME_S
        if not abs(value) <= largest:
            reason = f"{word.strip()[:40]} is not within {largest:g}"
            raise ShowError(label, place, reason, "give times in seconds, angles in radians")
        values.append(value)
    return values


def _decimals(words: Iterable[str]) -> int:
    """Return the most decimals of some numbers; 9 if one has an exponent."""
    most = 0
    for word in words:
        most = max(most, 9 if "e" in word.casefold() else len(word.strip().partition(".")[2]))
    return most


def _even_rate(times: Floats, decimals: int) -> float:
    """Return the rate of evenly spaced times [Hz]; 0 if they are uneven.

    Args:
        times: rising from zero (k) [s].
        decimals: to which they are rounded.
    """
    slack = 0.999 * 10.0**-decimals + 1e-9
    steps = np.arange(len(times)) - (len(times) - 1) / 2.0
    slope = 1.0 / float(steps @ times / (steps @ steps))
    for rate_hz in (float(round(slope)), slope):
        if rate_hz > 0.0 and np.ptp(times - steps / rate_hz) <= slack:
            return rate_hz
    return 0.0


def _resampled(times: Floats, positions: Floats, rate_hz: float, label: str) -> Floats:
    """Return positions at a rate, along the cubic Hermite curve with three-point slopes."""
    count = max(2, int(times[-1] * rate_hz + 1e-9) + 1)
    if count * positions.shape[1] > MAX_VALUES:
        reason = f"has more than {MAX_VALUES} values at {rate_hz:g} Hz"
        raise ShowError(label, "", reason, "give evenly spaced samples")
    wanted = np.minimum(np.arange(count) / rate_hz, times[-1])
    steps = np.diff(times)[:, None]
    chords = np.diff(positions, axis=0) / steps
    inner = (chords[:-1] * steps[1:] + chords[1:] * steps[:-1]) / (steps[:-1] + steps[1:])
    slopes = np.vstack((chords[:1], inner, chords[-1:]))
    after = np.clip(np.searchsorted(times, wanted, side="right"), 1, len(times) - 1)
    step = steps[after - 1]
    u = (wanted[:, None] - times[after - 1, None]) / step
    start, end = positions[after - 1], positions[after]
    first, last = slopes[after - 1] * step, slopes[after] * step
    bend = 2.0 * (start - end) + first + last
    result: Floats = start + u * (first + u * (3.0 * (end - start) - 2.0 * first - last + u * bend))
    return result
