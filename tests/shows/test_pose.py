"""A pose: its file, its limits, its mirror image."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.pose import Pose, check_pose, encode_pose, load_pose, mirror_pose, mirrored_angles
from tests.draws import EXAMPLES
from tests.shows.examples import joint_table

JOINTS = joint_table()
ARMS = {"left_elbow": 0.5, "right_elbow": 0.1, "head_yaw": 0.3, "head_pitch": -0.2}
HERO = Pose("hero", ARMS, "Hero", "recorded", ("größer",))
angles = st.dictionaries(
    st.sampled_from([joint for joint in JOINTS.names if joint in JOINTS.limb_of]),
    st.floats(0.0, 1.0),
    min_size=1,
).map(
    lambda shares: {
        joint: float(
            JOINTS.lower[JOINTS.index[joint]]
            + share * (JOINTS.upper - JOINTS.lower)[JOINTS.index[joint]]
        )
        for joint, share in shares.items()
    }
)


def written(folder: Path, text: str, name: str = "hero") -> Path:
    path = folder / f"{name}.json"
    path.write_text(text)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ShowError) as caught:
        load_pose(path, JOINTS)
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("0.5", "9.5"), "line 10, angles, left_elbow: left_elbow at 9.5 rad is outside"),
        (('"left_elbow"', '"left_nose"'), "no joint 'left_nose'"),
        (('"left_elbow"', '"left_knee"'), "belongs to a leg"),
        (('"name": "hero"', '"name": "zero"'), "line 3, name: the pose is named 'zero'"),
        (('"tags"', '"tag"'), "line 6"),
        (("0.5", "NaN"), "NaN is not a number"),
        (("0.5", '"much"'), "line 9, angles: must be a number"),
        (('"recorded"', '"dreamed"'), "line 5"),
        (('"head_yaw"', '"left_elbow"'), "given twice"),
    ],
)
def test_a_broken_file_is_refused_with_place_and_reason(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    text = encode_pose(HERO).decode()
    assert text.count(change[0]) == 1
    assert said in refusal(written(tmp_path, text.replace(*change)))


def test_half_a_file_and_an_empty_pose_are_refused(tmp_path: Path) -> None:
    assert "ends too early" in refusal(written(tmp_path, encode_pose(HERO).decode()[:60]))
    assert "line 3" in refusal(written(tmp_path, '{"schema": 1,\n"name": "hero",\n"angles": {}}'))
    with pytest.raises(ShowError, match="names no joint"):
        Pose("hero", {})
    with pytest.raises(ShowError, match="not a finite number"):
        Pose("hero", {"left_elbow": float("nan")})
    with pytest.raises(ShowError, match="UTF-8"):
        encode_pose(Pose("hero", ARMS, "\ud800"))


def test_an_angle_beyond_its_limit_names_joint_and_limits() -> None:
    with pytest.raises(ShowError, match="left_elbow at 2.5 rad is outside its limits -0.436"):
        check_pose(Pose("hero", {"left_elbow": 2.5}), JOINTS)


@settings(max_examples=EXAMPLES)
@given(angles)
def test_a_file_keeps_a_pose_and_mirroring_twice_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, drawn: dict[str, float]
) -> None:
    pose = Pose("drawn", drawn, "Drawn", "imported", ("a",))
    path = tmp_path_factory.mktemp("poses") / "drawn.json"
    path.write_bytes(encode_pose(pose))
    found = load_pose(path, JOINTS)
    assert (found.name, found.title, found.source, found.tags) == (
        pose.name, pose.title, pose.source, pose.tags
    )  # fmt: skip
    assert dict(found.angles) == pytest.approx(dict(pose.angles), abs=1e-6)
    twice = mirror_pose(mirror_pose(pose, JOINTS), JOINTS)
    assert dict(twice.angles) == pytest.approx(dict(pose.angles))


def test_a_mirror_exchanges_sides_and_turns_the_head() -> None:
    assert dict(mirror_pose(HERO, JOINTS).angles) == {
        "right_elbow": 0.5, "left_elbow": 0.1, "head_yaw": -0.3, "head_pitch": -0.2
    }  # fmt: skip
    assert mirrored_angles(ARMS, ("left_elbow", "left_wrist"), JOINTS) == {"right_elbow": 0.5}
    with pytest.raises(ShowError, match="has no counterpart"):
        mirror_pose(Pose("leg", {"left_knee": -0.1}), JOINTS)


def test_a_pose_stands_still_as_a_motion() -> None:
    still = HERO.still
    assert still is HERO.still and still.joint_names == tuple(ARMS)
    assert (still.positions == list(ARMS.values())).all()
