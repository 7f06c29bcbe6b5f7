"""From a take to a motion, and to walk clips."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.motion import Marker
from shows.take import Take, TakeHead
from shows.take_motion import ALIKE, STEP_S, STILL, motion_of_take, walk_of_take
from tests.shows.examples import joint_table

TABLE = joint_table()
ARM = tuple(joint for joint in TABLE.names if TABLE.limb_of.get(joint) == "left_arm")


def take(time_s: np.ndarray, **changes: object) -> Take:
    """Return a take in which every joint follows a line, each with its own slope."""
    slopes = 0.01 * np.arange(len(TABLE.names))
    head = TakeHead(robot=TABLE.robot, body="sim", joint_names=TABLE.names, limbs=("left_arm",))
    values = {"velocity": np.zeros((len(time_s), 3)), "markers": (Marker(0.5, "up"),)} | changes
    return Take("pull", head, time_s, np.outer(time_s, slopes), **values)  # type: ignore[arg-type]


def test_it_has_the_joints_of_its_limbs_at_even_times() -> None:
    times = np.arange(0.0, 2.0, 0.005)
    times = np.delete(times, np.arange(100, 140))  # samples that were lost are bridged
    motion = motion_of_take(take(times), TABLE)
    assert motion.joint_names == ARM and motion.rate_hz == 200.0 and motion.source == "recorded"
    assert motion.duration_s == pytest.approx(times[-1])
    slopes = [0.01 * TABLE.names.index(name) for name in ARM]
    even = np.arange(len(motion.positions)) / 200.0
    assert motion.positions == pytest.approx(np.outer(even, slopes))
    assert motion.markers == (Marker(0.5, "up"),)


def test_refusals_name_the_reason() -> None:
    times = np.arange(0.0, 1.0, 0.005)
    with pytest.raises(ShowError, match="no limb"):
        motion_of_take(take(times), TABLE, ("tail",))
    with pytest.raises(ShowError, match="fewer than two"):
        motion_of_take(take(times[:1]), TABLE)
    with pytest.raises(ShowError, match="lasts 700"):
        motion_of_take(take(np.arange(0.0, 700.5, 0.5)), TABLE)
    other = TakeHead(robot="other", body="sim", joint_names=TABLE.names)
    with pytest.raises(ShowError, match="recorded with other"):
        motion_of_take(Take("x", other, times, np.zeros((200, 1)), np.zeros((200, 3))), TABLE)


def test_walking_becomes_clips_of_constant_velocity() -> None:
    times = np.arange(0.0, 6.0, 0.005)
    velocity = np.zeros((len(times), 3))
    velocity[(times >= 1.0) & (times < 3.0), 0] = 0.2
    velocity[(times >= 3.0) & (times < 4.5), 2] = 0.3
    clips = walk_of_take(take(times, velocity=velocity))
    long = [clip for clip in clips if clip.length_s > 1.0]
    assert [(round(c.vx, 1), round(c.yaw_rate, 1)) for c in long] == [(0.2, 0.0), (0.0, 0.3)]
    assert [c.start_s for c in long] == pytest.approx([1.0, 3.0], abs=0.3)
    covered = sum(clip.length_s for clip in clips)
    assert covered == pytest.approx(3.5, abs=0.4)
    assert walk_of_take(take(times)) == ()


@given(st.integers(0, 2**32 - 1))
def test_a_clip_begins_where_the_velocity_differs_from_the_mean_since_the_last(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 1500))
    times = 0.01 * np.arange(count)
    steps = rng.choice([0.0, 0.0, 0.1, -0.2], (count // 70 + 1, 3))
    velocity = np.repeat(steps, 70, axis=0)[:count] + rng.normal(0.0, 0.01, (count, 3))
    expected, start = [], 0
    for row in range(1, count + 1):
        mean = velocity[start:row].mean(axis=0)
        last = row == count
        if last or (
            np.abs(velocity[row] - mean).max() >= ALIKE and times[row] >= times[start] + STEP_S
        ):
            if np.abs(mean).max() >= STILL and (not last or row - start > 1):
                expected.append(round(float(times[start]), 3))
            start = row
    clips = walk_of_take(take(times, velocity=velocity))
    assert [clip.start_s for clip in clips] == expected


class Counted(np.ndarray):
    """An array that counts the numbers that are taken from it."""

    taken = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        Counted.taken += np.size(found)
        return found


def test_the_time_grows_with_the_length_of_the_take_alone() -> None:
    times = np.arange(0.0, 20.0, 0.005)
    velocity = np.zeros((len(times), 3)).view(Counted)
    Counted.taken = 0
    assert walk_of_take(take(times, velocity=velocity)) == ()
    assert velocity.size <= Counted.taken <= 4 * velocity.size
