"""What the puppeteer sends and when, and what a network does to it: by the seed alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture import puppet
from devices.capture.puppet import T_POSE, Faults, Performance, Playing, disturbed
from devices.capture.skeleton import INDEX
from devices.capture.source import PROTOCOLS, Protocol, reader_of
from devices.capture.wire import recording
from devices.errors import DeviceError
from devices.interface import Floats
from tests.devices.capture.person import posture


def performance(seconds: float = 1.0) -> Performance:
    """Return a person who goes from one posture to another, at 30 Hz."""
    count = round(seconds * 30) + 1
    found = [posture(1, 0.5 * i / count) for i in range(count)]
    turns = np.array([turns for _, turns in found]) @ T_POSE
    return Performance(30.0, np.array([points for points, _ in found]), turns)


def read(
    protocol: Protocol, rows: list[tuple[float, bytes]]
) -> list[tuple[float | None, Floats, Floats]]:
    reader = reader_of(protocol)
    return [
        (pose.stamp_s, pose.positions, pose.orientations)
        for at_s, data in rows
        for pose in reader(data, at_s)
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_performance_is_what_a_receiver_reads(protocol: Protocol) -> None:
    shown = performance()
    rows = list(Playing(protocol, rate_hz=60.0, loops=2).planned(shown))
    assert [at_s for at_s, _ in rows] == sorted(at_s for at_s, _ in rows)
    frames = read(protocol, rows)
    assert [stamp_s for stamp_s, _, _ in frames] == pytest.approx(
        [i / 60 for i in range(122)], abs=1e-3
    )
    compared = [i for bone, i in INDEX.items() if bone != "spine_2"]  # Motive has none
    for number in (0, 30, 60, 61, 121):
        _, points, turns = frames[number]
        sample = number % 61 // 2
        np.testing.assert_allclose(points[compared], shown.positions[sample, compared], atol=1e-5)
        expected = shown.orientations[sample, compared] @ np.swapaxes(T_POSE[compared], 1, 2)
        np.testing.assert_allclose(turns[compared], expected, atol=1e-5)


def test_between_samples_a_posture_is_between_its_neighbours() -> None:
    shown = performance()
    points, turns = shown.at(1.0 / 60.0)
    np.testing.assert_allclose(points, shown.positions[:2].mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(
        turns @ np.swapaxes(turns, 1, 2), np.tile(np.eye(3), (22, 1, 1)), atol=1e-9
    )
    np.testing.assert_allclose(shown.at(99.0)[0], shown.positions[-1])


def test_the_t_pose_comes_first_and_leads_into_the_take() -> None:
    shown = performance()
    whole = puppet.with_t_pose(shown, 2.0)
    assert whole.duration_s == pytest.approx(3.0 + shown.duration_s)
    for part in ("upper_arm", "lower_arm", "hand"):
        left, right = INDEX[f"left_{part}"], INDEX[f"right_{part}"]
        assert whole.positions[0, left, 1] > 0.1 > -0.1 > whole.positions[0, right, 1]
    arm = whole.positions[0, INDEX["left_hand"]] - whole.positions[0, INDEX["left_upper_arm"]]
    assert abs(arm[2]) < 0.05 * np.linalg.norm(arm)
    assert (whole.positions[0] == whole.positions[59]).all()
    lengths = np.linalg.norm(np.diff(whole.positions, axis=0), axis=2)
    assert lengths.max() < 0.1  # no bone jumps: 3 m/s


def test_a_repetition_has_no_t_pose() -> None:
    rows = list(Playing("mvn", rate_hz=10.0, loops=3, t_pose_s=1.0).planned(performance()))
    heights = [points[INDEX["left_hand"], 2] for _, points, _ in read("mvn", rows)]
    assert len(heights) == 20 + 3 * 11
    assert heights[20:31] == heights[31:42] == heights[42:]


def test_a_recording_is_sent_as_it_is_from_its_first_stamp_on() -> None:
    data = recording.encode([(7.0, b"a"), (7.5, b"b"), (8.0, b"c")])
    rows = list(Playing("recording", loops=2).planned(data))
    assert rows == [(0.0, b"a"), (0.5, b"b"), (1.0, b"c"), (1.5, b"a"), (2.0, b"b"), (2.5, b"c")]
    assert list(Playing("recording").planned(b"")) == []
    with pytest.raises(DeviceError, match="cut off; record it again"):
        Playing("recording").planned(data[:-1])


ROWS = [(i / 60.0, bytes((i % 256,))) for i in range(2000)]


def test_a_network_without_faults_changes_nothing() -> None:
    assert list(disturbed(ROWS, Faults())) == ROWS


def test_loss_jitter_and_order_are_those_that_were_asked_for() -> None:
    got = list(disturbed(ROWS, Faults(loss=0.05, seed=1)))
    assert 60 < len(ROWS) - len(got) < 140 and set(got) <= set(ROWS)
    got = list(disturbed(ROWS, Faults(jitter_s=0.1, seed=1)))
    assert [data for _, data in got] == [data for _, data in ROWS]  # late, and in order
    delays_s = [at_s - sent_s for (at_s, _), (sent_s, _) in zip(got, ROWS, strict=True)]
    assert 0.0 <= min(delays_s) < 0.02 and 0.08 < max(delays_s) <= 0.1
    got = list(disturbed(ROWS, Faults(reorder=0.01, seed=1)))
    assert sorted(data for _, data in got) == sorted(data for _, data in ROWS)
    overtaken = sum(b < a for (_, a), (_, b) in zip(got, got[1:], strict=False) if b != b"\0")
    assert 8 < overtaken < 40


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_datagrams_leave_in_the_order_of_their_times(
    loss: float, jitter_s: float, reorder: float, seed: int
) -> None:
    faults = Faults(loss, jitter_s, reorder, seed)
    rows = ROWS[:100]
    got = list(disturbed(rows, faults))
    assert got == list(disturbed(rows, faults))
    assert [at_s for at_s, _ in got] == sorted(at_s for at_s, _ in got)
    sent_s = dict((data, at_s) for at_s, data in rows)
    assert all(at_s >= sent_s[data] for at_s, data in got)


def test_a_performance_that_waits_keeps_its_first_posture_until_the_sign() -> None:
    shown = performance()
    asked = iter([False] * 5 + [True] * 1000)
    playing = Playing("mvn", rate_hz=30.0, waits=True)
    rows = list(playing.planned(shown, lambda: next(asked)))
    frames = read("mvn", rows)
    assert [stamp_s for stamp_s, _, _ in frames] == pytest.approx(
        [i / 30 for i in range(36)], abs=1e-3
    )
    for number, (_, points, _) in enumerate(frames):
        expected = shown.positions[max(0, number - 5)]
        np.testing.assert_allclose(points, expected, atol=1e-5)
