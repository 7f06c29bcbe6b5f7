"""Overdubs: the whole motion of a take that was recorded over another one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from shows.errors import ShowError
from shows.joints import Floats, JointTable
from shows.motion import Marker, Motion
from shows.process.layer import layer
from shows.process.sampling import sample_times, sampler
from shows.process.slow import slow_to_limits
from shows.process.smooth import smooth
from shows.process.trim import trim
from shows.process.walls import BEYOND_RAD
from shows.take import ENDING, Take, read_take
from shows.take_motion import motion_of_take
from shows.take_sound import sound_path

DEEPEST = 16  # takes over takes; one that is nested deeper stands alone
SPEED_SHARE = 0.95  # of the limits: a curve is faster between its samples than at them
NOISE_HZ = 8.0  # bandwidth of a take that is too rough to be slowed as it is
PUNCH_FADE_S = 0.3  # from the backing to the recorded motion, and back

Find: TypeAlias = Callable[[str], Take | None]
"""Returns the take of a name, or None if it is gone or cannot be read."""


def takes_of(folder: Path) -> Find:
    """Return a function that reads the takes of a folder by their names."""

    def find(name: str) -> Take | None:
        try:
            return read_take(folder / f"{Path(name).name}{ENDING}")
        except ShowError:
            return None

    return find


def sound_of(path: Path, take: Take) -> Path | None:
    """Return the sound of a take, or that of the takes that it was recorded over; None without one.

    Args:
        path: file of the take.
        take: the take.
    """
    find = takes_of(path.parent)
    for _ in range(DEEPEST):
        if sound_path(path).is_file():
            return sound_path(path)
        earlier = find(take.head.backing_take) if take.head.backing_take else None
        if earlier is None:
            return None
        path, take = path.with_name(f"{earlier.name}{ENDING}"), earlier
    return None


def read_whole(path: Path, joints: JointTable) -> tuple[Motion, Path | None]:
    """Return the whole motion of a take's file, and the file of its sound or None.

    Raises:
        ShowError: as `read_take` and `motion_of_take`.
    """
    take = read_take(path)
    return whole_motion(take, joints, takes_of(path.parent)), sound_of(path, take)


def whole_motion(take: Take, joints: JointTable, find: Find, depth: int = 0) -> Motion:
    """Return the motion of a take together with that of the take it was recorded over.

    The limbs that the take is about move as recorded in it; the others move as in the earlier
    take. If that one is gone, or a gesture played meanwhile, they move as this take recorded them.
    The motion lasts as long as the longer one; the joints of the shorter one keep their last
    position. Of a punch, only the part between its two times replaces the earlier take.

    Args:
        take: the take.
        joints: joints of the robot.
        find: returns the earlier take.
        depth: number of takes above this one.

    Raises:
        ShowError: as `motion_of_take`.
    """
    head = take.head
    if not head.backing_limbs:
        return motion_of_take(take, joints)
    earlier = find(head.backing_take) if head.backing_take and depth < DEEPEST else None
    if earlier is not None:
        try:
            below = playable_motion(whole_motion(earlier, joints, find, depth + 1), joints)
        except ShowError:
            earlier = None  # it has been replaced by one that does not fit
    if earlier is None:
        limbs = {*head.limbs, *head.backing_limbs}
        return motion_of_take(take, joints, sorted(limbs))
    return _over(_about(below, head.backing_limbs, joints), motion_of_take(take, joints), take)


def playable_motion(motion: Motion, joints: JointTable) -> Motion:
    """Return a recorded motion that the robot can play: within its limits, slowed where needed.

    Raises:
        ShowError: a position is far outside its limits, or the motion cannot be slowed enough.
    """
    columns = [joints.index[name] for name in motion.joint_names]
    lower, upper = joints.lower[columns], joints.upper[columns]
    beyond = np.maximum(motion.positions - upper, lower - motion.positions)
    if beyond.max() > BEYOND_RAD:
        row, column = np.unravel_index(int(beyond.argmax()), beyond.shape)
        place = f"{motion.joint_names[column]} at {row / motion.rate_hz:.2f} s"
        reason = f"is {beyond.max():.2f} rad beyond its limit"
        raise ShowError(motion.name, place, reason, "choose a take of this robot")
    inside = replace(motion, positions=np.clip(motion.positions, lower, upper))
    assert joints.acceleration_limit is not None
    slower = replace(
        joints,
        velocity_limit=SPEED_SHARE * joints.velocity_limit,
        acceleration_limit=SPEED_SHARE * joints.acceleration_limit,
    )
    try:
        return slow_to_limits(inside, slower)
    except ShowError:
        calm = smooth(inside, min(NOISE_HZ, 0.4 * inside.rate_hz))
        calm = replace(calm, positions=np.clip(calm.positions, lower, upper))
        return slow_to_limits(calm, slower)


def _about(motion: Motion, limbs: Sequence[str], joints: JointTable) -> Motion:
    """Return a motion's part that moves some limbs; all of it if it moves none of them."""
    columns = [i for i, name in enumerate(motion.joint_names) if joints.limb_of[name] in limbs]
    if not columns:
        return motion
    names = tuple(motion.joint_names[i] for i in columns)
    return replace(motion, joint_names=names, positions=motion.positions[:, columns])


def _over(below: Motion, recorded: Motion, take: Take) -> Motion:
    """Lay the recorded motion over the motion below it."""
    punch_s = take.head.punch_s
    if punch_s is not None:
        begin_s = min(punch_s[0], recorded.duration_s)
        end_s = min(punch_s[1], recorded.duration_s)
        if end_s - begin_s > 1.0 / recorded.rate_hz:
            fade_s = min(PUNCH_FADE_S, 0.5 * (end_s - begin_s))
            length_s = max(below.duration_s, end_s)
            part = trim(recorded, begin_s, end_s)
            fade_in_s = 0.0 if begin_s == 0.0 else fade_s
            laid = layer(
                _lengthened(below, recorded.rate_hz, length_s),
                part,
                start_s=begin_s,
                fade_in_s=fade_in_s,
                fade_out_s=fade_s,
            )
            return _named(laid, below, recorded)
    length_s = max(below.duration_s, recorded.duration_s)
    base = _lengthened(below, recorded.rate_hz, length_s)
    above = _lengthened(recorded, recorded.rate_hz, length_s)
    kept = [i for i, name in enumerate(base.joint_names) if name not in above.joint_names]
    names = (*(base.joint_names[i] for i in kept), *above.joint_names)
    positions = np.column_stack([base.positions[:, kept], above.positions])
    return _named(replace(base, joint_names=names, positions=positions), below, recorded)


def _lengthened(motion: Motion, rate_hz: float, length_s: float) -> Motion:
    """Return a motion at a rate that lasts a time; its last position is kept."""
    times_s = sample_times(round(length_s * rate_hz) + 1, rate_hz)
    positions: Floats = sampler(motion)(times_s)
    return replace(motion, rate_hz=rate_hz, positions=positions)


def _named(motion: Motion, below: Motion, recorded: Motion) -> Motion:
    """Return a motion with the name of the take, and the markers of both."""
    end_s = motion.duration_s
    found = {(marker.time_s, marker.name) for marker in (*below.markers, *recorded.markers)}
    markers = tuple(Marker(min(time_s, end_s), name) for time_s, name in sorted(found))
    return replace(motion, name=recorded.name, markers=markers, source="recorded", title="")
