"""Which hands a clip means, and which angles a pose gives them."""

from shows.hands import hands_of, pose_angles, pose_faults
from tests.shows.examples import ARMS, FIST, HANDS, joint_table

WHOLE = joint_table()


def test_both_means_every_hand_of_the_robot() -> None:
    assert hands_of("both", WHOLE) == ("left_hand", "right_hand")
    assert hands_of("left", WHOLE) == ("left_hand",)
    assert hands_of("both", joint_table(HANDS[1:])) == ("right_hand",)
    assert hands_of("left", joint_table(HANDS[1:])) == ()
    assert hands_of("both", joint_table(ARMS)) == ()


def test_a_pose_gives_angles_by_role_or_in_the_order_of_the_joints() -> None:
    angles = (0.0, 1.4, 1.5, 1.5, 1.5)
    assert pose_angles(dict(reversed(FIST.items())), "left_hand", WHOLE) == angles
    assert pose_angles(angles, "left_hand", WHOLE) == angles


def test_a_pose_fits_the_joints_and_their_limits() -> None:
    assert list(pose_faults(FIST, "left_hand", WHOLE)) == []
    for pose, words in (
        ((0.0, 0.1), "2 angles for the 5 joints of left_hand"),
        (FIST | {"toe": 0.1}, "names 'toe', but left_hand has only wrist, thumb"),
        (FIST | {"thumb": 2.0}, "left_thumb at 2 rad"),
        ({role: angle for role, angle in FIST.items() if role != "ring"}, "no angle for 'ring'"),
    ):
        (fault,) = pose_faults(pose, "left_hand", WHOLE)
        assert words in fault
