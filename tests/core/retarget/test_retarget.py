"""A robot does what a person does, as far as its joints allow; what remains is measured."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import ProfileError
from core.lab.measure.person import person_of, standing
from core.retarget.limbs import find_limbs
from core.retarget.retarget import Retargeted, retarget
from core.retarget.settings import ArmSettings, RetargetSettings
from core.robot.profile_file import load_profile
from devices.interface import Floats
from shows.errors import ShowError
from shows.folders import LIBRARY
from shows.human import INDEX, HumanTake
from shows.motion import Motion, check_motion, load_motion, motion_name
from tests.core.retarget.puppet import limbs_of, with_arm

SETTINGS = RetargetSettings()
ASSETS = Path(__file__).resolve().parents[3] / "assets" / "robots"
GESTURES = {
    "kid_cosmo": (LIBRARY / "gestures", ("wave", "cheer", "hug", "dance", "look_around", "clap")),
    "two_arms": (ASSETS / "two_arms" / "gestures", ("arm_drumming", "arm_hand_over", "arm_wave")),
}


def moved(robot: str) -> set[str]:
    """Return the joints that retargeting finds, of a robot."""
    limbs = limbs_of(robot)
    names = {name for arm in limbs.arms for name in arm.chain.joints}
    return names | set(limbs.head.chain.joints if limbs.head else ())


def say(title: str, result: Retargeted) -> None:
    for limb in result.summary():
        print(title, limb, f"speed limited {result.speed_limited.mean():.2f}")


def check_limits(result: Retargeted, robot: str) -> None:
    check_motion(result.motion, limbs_of(robot).joints)
    assert result.motion.peak_speed().max() <= SETTINGS.speed
    assert result.motion.peak_acceleration().max() <= SETTINGS.acceleration


@pytest.mark.parametrize("robot", GESTURES)
def test_a_person_of_the_robot_s_shape_gives_back_its_angles(robot: str) -> None:
    folder, names = GESTURES[robot]
    limbs = limbs_of(robot)
    for name in names:
        motion = load_motion(folder / f"{name}.json", limbs.joints)
        result = retarget(person_of(motion, limbs), limbs, SETTINGS)
        check_limits(result, robot)
        shared = [joint for joint in motion.joint_names if joint in moved(robot)]
        before = motion.positions[:, [motion.joint_names.index(j) for j in shared]]
        after = result.motion.positions[:, [result.motion.joint_names.index(j) for j in shared]]
        error = np.degrees(np.abs(after - before))
        print(f"{robot} {name}: largest error {error.max():.3f} deg")
        assert error.max() < (1.0 if name != "arm_wave" else 1.5)  # its yaw is open arms up
        assert result.hand_error_m.max() < 5e-4
        assert result.direction_error_deg[..., 0].max() < 0.2
        assert not result.speed_limited.any()


def jumping_jack(rate_hz: float = 60.0, seconds: float = 6.0, bend: float = 0.0) -> HumanTake:
    """Return straight arms that go from the thighs through the T-pose to overhead and back."""
    t = np.arange(round(rate_hz * seconds)) / rate_hz
    angle = np.radians(10.0 + 155.0 * 0.5 * (1.0 - np.cos(2.0 * np.pi * t / 3.0)))
    positions, orientations = standing(len(t))
    for side, way in (("left", 1.0), ("right", -1.0)):
        upper = np.stack((0.1 * np.ones_like(t), way * np.sin(angle), -np.cos(angle)), axis=1)
        fore = upper + bend * np.array([1.0, 0.0, 0.0])
        with_arm(positions, side, unit(upper), unit(fore))
    return HumanTake("Jumping Jack!", rate_hz, positions, orientations)


def unit(vectors: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


@pytest.mark.parametrize("robot", GESTURES)
@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("bend", [0.0, 0.4])
def test_the_t_pose_is_crossed_within_the_limits(robot: str, rate_hz: float, bend: float) -> None:
    result = retarget(jumping_jack(rate_hz, bend=bend), limbs_of(robot), SETTINGS)
    say(f"{robot} jumping jack {rate_hz:g} Hz:", result)
    check_limits(result, robot)
    mean_m = result.hand_error_m.mean(axis=0)
    reach_m = np.array([arm.reach_m for arm in limbs_of(robot).arms])
    assert (mean_m < 0.35 * reach_m).all()
    np.testing.assert_allclose(mean_m[0], mean_m[1], rtol=0.05)


def random_gestures(seed: int, rate_hz: float = 60.0, seconds: float = 8.0) -> HumanTake:
    """Return arms that wander in front of and beside a person."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(rate_hz * seconds)) / rate_hz

    def wander(size: float) -> Floats:
        waves = [
            rng.normal() * np.sin(2.0 * np.pi * rng.uniform(0.05, 0.3) * t + rng.uniform(0.0, 6.3))
            for _ in range(9)
        ]
        path: Floats = size * np.array(waves).reshape(3, 3, -1).sum(axis=1).T
        return path

    positions, orientations = standing(len(t))
    for side, way in (("left", 1.0), ("right", -1.0)):
        upper = unit(wander(0.3) + [0.6, 0.6 * way, -0.4])
        with_arm(positions, side, upper, unit(upper + wander(0.4) + [0.5, -0.1 * way, 0.5]))
    return HumanTake("random", rate_hz, positions, orientations)


@pytest.mark.parametrize("robot", GESTURES)
def test_gestures_that_no_robot_can_do_exactly_stay_near(robot: str) -> None:
    reach_m = limbs_of(robot).arms[0].reach_m
    errors = []
    for seed in range(4):
        result = retarget(random_gestures(seed), limbs_of(robot), SETTINGS)
        check_limits(result, robot)
        say(f"{robot} random {seed}:", result)
        errors.append(result.hand_error_m)
    print(f"{robot}: hand mean {1e3 * np.mean(errors):.0f} mm of {1e3 * reach_m:.0f}")
    assert np.mean(errors) < 0.2 * reach_m


def test_the_result_is_the_same_at_the_motion_s_place_and_size() -> None:
    limbs = limbs_of("kid_cosmo")
    take = random_gestures(3)
    far = 0.9 * take.positions @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]) + 3.0
    turned = HumanTake(take.name, take.rate_hz, far, take.orientations)
    first, second = (retarget(t, limbs, SETTINGS) for t in (take, turned))
    of_arms = {name for arm in limbs.arms for name in arm.chain.joints}
    arms = [i for i, name in enumerate(first.motion.joint_names) if name in of_arms]
    np.testing.assert_allclose(
        first.motion.positions[:, arms], second.motion.positions[:, arms], atol=1e-4
    )


def test_a_mirrored_person_moves_the_other_side() -> None:
    limbs = limbs_of("kid_cosmo")
    take = random_gestures(5)
    plain = retarget(take, limbs, SETTINGS).motion
    swapped = retarget(take, limbs, RetargetSettings(mirror=True)).motion
    names = plain.joint_names
    for name in names:
        other = limbs.joints.mirror[name]
        if other != name:
            np.testing.assert_allclose(
                plain.positions[:, names.index(name)],
                swapped.positions[:, names.index(other)],
                atol=1e-6,
            )


def test_the_head_turns_and_stops_at_its_limits() -> None:
    limbs = limbs_of("kid_cosmo")
    t = np.linspace(0.0, 3.0, 180)
    yaw, pitch = 0.8 * np.sin(2.0 * t), 0.9 * np.sin(1.3 * t)
    positions, orientations = standing(len(t))
    c, s, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    zero = np.zeros_like(c)
    rows = [[c * cp, -s, c * sp], [s * cp, c, s * sp], [-sp, zero, cp]]
    orientations[:, INDEX["head"]] = np.moveaxis(np.array(rows), -1, 0)
    result = retarget(HumanTake("look", 60.0, positions, orientations), limbs, SETTINGS)
    check_limits(result, "kid_cosmo")
    gaze = limbs.joints.gaze
    assert gaze is not None
    names = result.motion.joint_names
    turned = result.motion.positions[:, names.index(gaze.yaw)]
    nodded = result.motion.positions[:, names.index(gaze.pitch)]
    assert np.corrcoef(turned, yaw)[0, 1] > 0.98
    assert nodded.max() == pytest.approx(np.radians(30.0), abs=0.02)
    near = np.abs(pitch) < 0.4
    assert result.direction_error_deg[near, -1, 0].max() < 8.0
    assert result.segments[-1] == ("forward", "upward")


def test_the_shapes_fit_the_robot() -> None:
    limbs = limbs_of("kid_cosmo")
    result = retarget(random_gestures(1), limbs, SETTINGS)
    k = len(result.motion.positions)
    assert result.limbs == ("left_arm", "right_arm", "head")
    assert result.direction_error_deg.shape == (k, 3, 2)
    assert result.hand_error_m.shape == (k, 2)
    assert result.speed_limited.shape == (k,)
    summary = result.summary()
    assert summary[0].hand_p90_m is not None
    assert summary[2].hand_mean_m is None
    assert result.motion.name == "random"
    assert result.motion.source == "imported"
    assert motion_name("Jumping Jack!") == "jumping_jack"
    assert motion_name("02_05") == "take_02_05"
    assert motion_name("") == "take"


def test_named_points_replace_those_that_are_found() -> None:
    profile = load_profile("kid_cosmo")
    found = limbs_of("kid_cosmo").arms[0]
    arm = ArmSettings(
        limb="left_arm",
        human="right",
        shoulder=found.chain.joints[1],
        elbow=found.chain.joints[2],
        hand="left_hand",
    )
    named = find_limbs(profile, RetargetSettings(arms=(arm,))).arms[0]
    assert named.human == "right"
    assert named.chain.joints == found.chain.joints
    np.testing.assert_allclose(named.shoulder, found.shoulder)
    np.testing.assert_allclose(named.hand_point, found.hand_point, atol=1e-9)


@pytest.mark.parametrize(
    ("arm", "word"),
    [
        (ArmSettings(limb="tail"), "no arm is called 'tail'"),
        (ArmSettings(limb="left_arm", elbow="left_knee"), "no joint of 'left_arm'"),
        (ArmSettings(limb="left_arm", shoulder="x"), "no joint of 'left_arm'"),
        (ArmSettings(limb="left_arm", hand="left_paw"), "no joint, body or site 'left_paw'"),
    ],
)
def test_settings_that_do_not_fit_the_robot_are_refused(arm: ArmSettings, word: str) -> None:
    with pytest.raises(ProfileError, match=word):
        find_limbs(load_profile("kid_cosmo"), RetargetSettings(arms=(arm,)))


def test_a_person_without_an_arm_is_refused() -> None:
    take = random_gestures(0)
    positions = take.positions.copy()
    positions[:, INDEX["left_hand"]] = positions[:, INDEX["left_lower_arm"]]
    with pytest.raises(ShowError, match="left arm has no length"):
        retarget(
            HumanTake("stump", 60.0, positions, take.orientations),
            limbs_of("kid_cosmo"),
            SETTINGS,
        )


def test_a_motion_of_one_pose_stays_there() -> None:
    positions, orientations = standing(40)
    result = retarget(
        HumanTake("still", 50.0, positions, orientations), limbs_of("two_arms"), SETTINGS
    )
    assert isinstance(result.motion, Motion)
    assert np.ptp(result.motion.positions, axis=0).max() < 1e-3
