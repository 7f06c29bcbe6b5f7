"""What a technician is told and asked."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from core.robot.model import joint_axes
from core.service.commission.dialogue import look, scan, take_signs, take_zeros, ways_of
from devices.errors import DeviceError
from tests.core.rig import profile

JOINTS = ("left_knee", "left_ankle")
WAYS = dict.fromkeys(JOINTS, "its far end goes forward")


class Row:
    """A row of a scan."""

    def __init__(self, text: str, well: bool) -> None:
        self.text, self.well = text, well

    def __str__(self) -> str:
        return self.text


class Stand:
    """A unit whose answers a test makes up.

    Attributes:
        angles: of the joints [rad].
        taken: what was taken, in order.
    """

    def __init__(self) -> None:
        self.angles = dict.fromkeys(JOINTS, 0.0)
        self.rows = [Row("id 4", True), Row("id 9", False)]
        self.taken: list[str] = []

    def lines(self, names: Sequence[str] = ()) -> Sequence[str]:
        return ("left_leg",)

    def joints(self, names: Sequence[str] = ()) -> Sequence[str]:
        return JOINTS

    def scan(self, line: str) -> Sequence[Row]:
        return self.rows

    def give_id(self, joint: str, old: int | None, new: int | None) -> tuple[int, int]:
        return 1, 4

    def position_rad(self, joint: str) -> float:
        return 0.5

    def settle(self) -> None:
        self.taken.append("settled")

    def take_sign(self, joint: str, before_rad: float) -> int:
        if joint == "left_ankle":
            raise DeviceError("left leg bus", "left_ankle was turned by 0.0°; turn that joint")
        self.taken.append(joint)
        return -1

    def take_zeros(
        self, joints: Sequence[str], posture: Mapping[str, float]
    ) -> Mapping[str, float]:
        return {"left_knee": math.nan, "left_ankle": math.radians(0.25)}

    def angle_rad(self, joint: str) -> float:
        return self.angles[joint]


@pytest.fixture
def said() -> list[str]:
    return []


def test_one_stranger_is_enough_for_a_scan_to_be_wrong(said: list[str]) -> None:
    stand = Stand()
    assert not scan(stand, (), said.append)
    assert said == ["id 4", "id 9", "1 wrong"]
    stand.rows.pop()
    assert scan(stand, (), said.append)
    assert said[-1] == "all 1 answer, and no others"


def test_a_sign_is_kept_before_the_next_joint_is_asked_for(said: list[str]) -> None:
    stand, kept = Stand(), []

    def keep() -> None:
        kept.append(list(stand.taken))

    def ask(text: str) -> bool:
        said.append(text)
        return True

    with pytest.raises(DeviceError, match="left_ankle was turned"):
        take_signs(stand, (), WAYS, said.append, ask, keep)
    assert len(kept) == 1 and kept[0] == ["settled", "settled", "left_knee"]
    assert "so that its far end goes forward" in said[1] and said[2] == "left_knee: sign -1"


def test_without_a_terminal_no_sign_is_measured(said: list[str]) -> None:
    stand = Stand()
    answers = iter([True, False])

    def ask(text: str) -> bool:
        return next(answers)

    assert not take_signs(stand, (), WAYS, said.append, ask, lambda: pytest.fail("kept"))
    assert "left_knee" not in stand.taken and said == []


def test_zeros_tell_how_far_they_are_from_those_before(said: list[str]) -> None:
    posture = {"left_knee": math.radians(-90.0), "left_ankle": 0.0}
    assert take_zeros(Stand(), (), posture, said.append)
    assert said[0].split(maxsplit=1)[1] == "stands at   -90.0°, its first zero"
    assert said[1].endswith("+0.25° from the zero before")


@pytest.mark.parametrize(("angle", "words"), [(0.3, "OUTSIDE"), (math.nan, "no sign or no zero")])
def test_a_joint_outside_its_limits_or_without_a_zero_is_reported(
    said: list[str], angle: float, words: str
) -> None:
    stand = Stand()
    limits = dict.fromkeys(JOINTS, (-0.2, 0.2))
    assert look(stand, (), limits, said.append)
    assert not any(words in line for line in said)
    stand.angles["left_knee"] = angle
    assert not look(stand, (), limits, said.append)
    assert words in said[-2] and words not in said[-1]


def test_the_direction_of_a_joint_follows_the_model() -> None:
    """By hand: a shank that bends forward, an upper arm that swings back."""
    ways = ways_of(joint_axes(profile()))
    assert ways["left_knee"] == "its far end goes forward"
    assert ways["left_shoulder_pitch"] == "its far end goes backward"
    assert ways["left_hip_1"] == "its far end goes to its right"
    assert ways["right_hip_1"] == "its far end goes to its left"
    assert ways["head_yaw"].endswith("whose thumb points up")


def test_every_direction_is_the_motion_of_the_link() -> None:
    down = np.array([0.0, 0.0, -0.3])
    axes = {
        "pitch": (np.array([0.0, 1.0, 0.0]), down),
        "roll": (np.array([1.0, 0.0, 0.0]), down),
        "lift": (np.array([0.0, 1.0, 0.0]), np.array([-0.3, 0.0, 0.0])),
        "spin": (np.array([0.0, 0.0, -1.0]), down),
    }
    assert ways_of(axes) == {
        "pitch": "its far end goes backward",
        "roll": "its far end goes to its left",
        "lift": "its far end goes up",
        "spin": "it turns like the fingers of a right hand whose thumb points down",
    }
