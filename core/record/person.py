"""The motion of the person in a run, as a take that a puppeteer plays."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from scipy.spatial.transform import Rotation

from core.link.message import decoded
from core.link.partner import Human
from core.record.errors import RecordError
from core.record.run_file import RunFile
from devices.interface import Floats
from shows.bvh_human import save_bvh
from shows.errors import ShowError
from shows.human import BONES, HumanTake

RATE_HZ: Final = 30.0
EASE_S: Final = 1.0
"""Time from the T-pose to what the person does."""
MOST_S: Final = 1500.0
"""Longest time from the first to the last posture: a longer take would not be read again."""
GAP_S: Final = 1.0
"""Time without a posture after which the person was calibrated anew."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The postures of a run.

    Attributes:
        times_s: ascending, on the core's clock (k) [s].
        positions: of the joints (k, 22, 3) [m].
        turns: of the bones, unit quaternions, w first (k, 22, 4).
        cue_s: when the first cue began; None if none ran [s].
    """

    times_s: Floats
    positions: Floats
    turns: Floats
    cue_s: float | None


def save_person(run: Path, out: Path) -> HumanTake:
    """Write the motion of the person in a run as a BVH file, and return it; see `take_of`.

    Raises:
        RecordError: the run cannot be read, shows no person or one for too long, or the disk
            refused the file.
    """
    file = RunFile(run)
    try:
        seen = _seen(file)
    finally:
        file.close()
    if seen.times_s[-1] - seen.times_s[0] > MOST_S:
        raise RecordError(f"{run} shows a person for more than {MOST_S / 60.0:g} minutes")
    try:
        take = take_of(seen, out.stem)
        save_bvh(take, out)
    except ShowError as error:
        raise RecordError(str(error), str(out)) from error
    return take


def take_of(seen: Seen, name: str) -> HumanTake:
    """Return the motion of a person from the first cue on; 0 s of the take is when it began.

    Where no cue ran, or the person came later, it begins with the first posture. It starts from
    the posture just after the calibration, which is the T-pose, and eases out of it in 1 s. Where
    postures are missing, the person goes evenly from one to the next.

    Args:
        seen: the postures.
        name: of the take.

    Raises:
        ShowError: they hold no rotations.
    """
    times_s = seen.times_s
    begin_s = max(float(times_s[0]), -np.inf if seen.cue_s is None else seen.cue_s)
    stretches = np.flatnonzero(np.diff(times_s, prepend=-np.inf) > GAP_S)
    known = int(np.searchsorted(times_s[stretches], begin_s, side="right"))
    calibrated = int(stretches[max(0, known - 1)])
    count = int((times_s[-1] - begin_s) * RATE_HZ) + 1
    due_s = np.minimum(begin_s + np.arange(max(2, count)) / RATE_HZ, times_s[-1])
    after = np.clip(np.searchsorted(times_s, due_s), 1, len(times_s) - 1)
    gaps_s = times_s[after] - times_s[after - 1]
    share = np.clip((due_s - times_s[after - 1]) / gaps_s, 0.0, 1.0)[:, None, None]
    points = (1.0 - share) * seen.positions[after - 1] + share * seen.positions[after]
    nearest = np.where(share[:, 0, 0] > 0.5, after, after - 1)
    turns = _rotations(seen.turns[nearest])
    u = np.clip(np.arange(len(due_s)) / (EASE_S * RATE_HZ), 0.0, 1.0)
    away = u * u * (3.0 - 2.0 * u)
    eased = away < 1.0
    first = _rotations(seen.turns[calibrated][None])[0]
    start = seen.positions[calibrated]
    points[eased] = start + away[eased, None, None] * (points[eased] - start)
    for frame in np.flatnonzero(eased).tolist():
        way = Rotation.from_matrix(turns[frame] @ np.swapaxes(first, 1, 2)).as_rotvec()
        turns[frame] = Rotation.from_rotvec(away[frame] * way).as_matrix() @ first
    return HumanTake(name, RATE_HZ, points, turns)


def _seen(file: RunFile) -> Seen:
    """Return the postures of a run; damaged parts are left out.

    Raises:
        RecordError: there are fewer than two.
    """
    found: list[tuple[float, Human]] = []
    cue_s: float | None = None
    for index in range(len(file.places)):
        try:
            passage = file.passage(index)
        except RecordError:
            continue
        for told in passage.humans:
            human = decoded(told.content, Human)
            if human is not None and len(human.positions) == len(human.orientations) == len(BONES):
                found.append((told.time_s, human))
        for data in passage.statuses if cue_s is None else ():
            cue = decoded(data, _Cue)
            if cue is not None and cue.running_cue:
                cue_s = cue.stamp_s
                break
    later = sorted(dict(found).items())  # no two of one time
    if len(later) < 2:
        raise RecordError(
            f"{file.path} shows no person: record a run in which a person is calibrated"
        )
    return Seen(
        np.array([time_s for time_s, _ in later]),
        np.array([human.positions for _, human in later]),
        np.array([human.orientations for _, human in later]),
        cue_s,
    )


class _Cue(msgspec.Struct):
    stamp_s: float
    running_cue: str = ""


def _rotations(turns: Floats) -> Floats:
    """Return the rotations (k, 22, 3, 3) of quaternions (k, 22, 4), w first."""
    flat = Rotation.from_quat(turns.reshape(-1, 4), scalar_first=True).as_matrix()
    found: Floats = flat.reshape(*turns.shape[:-1], 3, 3)
    return found
