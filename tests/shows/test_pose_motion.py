"""A motion through poses: smooth, at rest where it waits, and within the limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.motion import check_motion
from shows.pose import Pose
from shows.pose_motion import RATE_HZ, Stop, motion_of_poses
from tests.draws import EXAMPLES
from tests.shows.examples import joint_table

JOINTS = joint_table()
NAMED = ("head_yaw", "left_shoulder_pitch", "left_elbow")
LOWER, UPPER = (
    np.array([ends[JOINTS.index[joint]] for joint in NAMED])
    for ends in (JOINTS.lower, JOINTS.upper)
)


def pose(*angles: float) -> Pose:
    return Pose("p", dict(zip(NAMED, angles, strict=True)))


A, B, C = pose(0.0, 0.0, 0.0), pose(0.4, -1.0, 1.0), pose(0.8, -2.0, 0.5)
stops = st.lists(
    st.tuples(
        st.tuples(*[st.floats(0.0, 1.0)] * len(NAMED)),
        st.floats(0.0, 2.0),
        st.sampled_from([0.0, 0.0, 0.3, 1.0]),
    ),
    min_size=2,
    max_size=6,
).map(
    lambda drawn: [
        Stop(pose(*(LOWER + np.array(shares) * (UPPER - LOWER)).tolist()), travel_s, hold_s)
        for shares, travel_s, hold_s in drawn
    ]
)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ([Stop(A, 1.0, 0.0)], "two poses at least"),
        ([Stop(A, 1.0, 0.0), Stop(B, -1.0, 0.0)], "pose 2 .*travel time of -1 s"),
        ([Stop(A, 1.0, float("nan")), Stop(B, 1.0, 0.0)], "pose 1 .*hold time of nan s"),
        ([Stop(A, 1.0, 400.0), Stop(B, 1.0, 400.0)], "lasts 801 s"),
        ([Stop(A, 1.0, 0.0), Stop(pose(0.0, 9.0, 0.0), 1.0, 0.0)], "outside its limits"),
    ],
)
def test_impossible_stops_are_refused(chosen: list[Stop], said: str) -> None:
    with pytest.raises(ShowError, match=said):
        motion_of_poses("m", chosen, JOINTS)


@settings(max_examples=EXAMPLES, deadline=None)
@given(stops)
def test_the_limits_hold_and_every_pose_is_reached(drawn: list[Stop]) -> None:
    made = motion_of_poses("m", drawn, JOINTS)
    check_motion(made.motion, JOINTS)
    time_s = 0.0
    for i, (stop, travel_s) in enumerate(zip(drawn, made.travel_s, strict=True)):
        time_s += travel_s
        row = made.motion.positions[round(time_s * RATE_HZ)]
        assert row == pytest.approx([stop.pose.angles[j] for j in made.motion.joint_names])
        assert i == 0 or travel_s >= stop.travel_s - 1e-9
        time_s += stop.hold_s
    assert (made.motion.positions >= LOWER - 1e-9).all()
    assert (made.motion.positions <= UPPER + 1e-9).all()


def test_velocity_is_zero_where_it_waits_and_natural_where_it_passes() -> None:
    made = motion_of_poses(
        "m", [Stop(A, 0.0, 0.5), Stop(B, 1.0, 0.0), Stop(C, 1.0, 0.5), Stop(A, 1.0, 0.0)], JOINTS
    )
    assert made.travel_s == (0.0, 1.0, 1.0, 1.0) and made.stretched == ()
    keys = made.curves["head_yaw"].keys
    assert [key.time_s for key in keys] == [0.0, 0.5, 1.5, 2.5, 3.0, 4.0]
    assert [key.slope_in for key in keys] == [0.0, 0.0, pytest.approx(0.4), 0.0, 0.0, 0.0]
    assert all(
        key.slope_in == key.slope_out for curve in made.curves.values() for key in curve.keys
    )
    elbow = made.curves["left_elbow"].keys[2]
    assert elbow.slope_in == 0.0  # it turns there, and goes no further
    velocity = np.diff(made.motion.positions, axis=0) * RATE_HZ
    assert np.abs(np.diff(velocity, axis=0)).max() < 0.2  # no step
    assert (velocity[:50] == 0.0).all() and (velocity[251:299] == 0.0).all()


def test_a_way_that_is_too_fast_takes_longer_and_the_others_stay() -> None:
    far = pose(0.0, -3.3, 1.0)
    made = motion_of_poses("m", [Stop(A, 0.0, 0.5), Stop(far, 0.1, 0.5), Stop(A, 3.0, 0.0)], JOINTS)
    assert made.stretched == (1,) and made.travel_s[2] == 3.0
    assert 0.2 < made.travel_s[1] < 0.5


def test_a_joint_without_an_angle_keeps_the_last_one_or_waits_for_the_first() -> None:
    yaw, elbow = Pose("y", {"head_yaw": 0.5}), Pose("e", {"left_elbow": 1.0})
    made = motion_of_poses(
        "m", [Stop(yaw, 0.0, 0.2), Stop(elbow, 1.0, 0.2), Stop(yaw, 1.0, 0.2)], JOINTS
    )
    assert set(made.motion.joint_names) == {"head_yaw", "left_elbow"}
    assert np.ptp(made.motion.positions, axis=0).max() == 0.0
