"""Overdubs: the motion of a take together with the take it was recorded over."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from shows.errors import ShowError
from shows.joints import Floats, JointTable
from shows.limbs import Limb
from shows.motion import Marker, check_motion
from shows.overdub import playable_motion, whole_motion
from shows.take import RATE_HZ, Take, TakeHead
from shows.take_motion import motion_of_take

LIMBS = (
    Limb(name="head", title="Head", kind="head"),
    Limb(name="arm", title="Arm", kind="arm", side="left"),
    Limb(name="hand", title="Hand", kind="hand", side="left"),
)
NAMES = ("nod", "lift", "bend", "grip")
JOINTS = JointTable(
    robot="robby",
    names=NAMES,
    limbs=LIMBS,
    joint_limbs=("head", "arm", "arm", "hand"),
    roles=("pitch", "pitch", "bend", "bend"),
    lower=np.full(4, -1.5),
    upper=np.full(4, 1.5),
    velocity_limit=np.full(4, 5.0),
)


def wave(seconds: float, rate_hz: float = 0.4, size: float = 1.0) -> Floats:
    """Return positions of all joints (k, 4) [rad], each with its own phase."""
    times_s = np.arange(round(seconds * RATE_HZ) + 1) / RATE_HZ
    return size * np.sin(2.0 * np.pi * rate_hz * times_s[:, None] + np.arange(4))


def take(name: str, limbs: tuple[str, ...], positions: Floats, **head: object) -> Take:
    plain = TakeHead(
        robot="robby", body="sim", joint_names=NAMES, limb_names=("head", "arm", "hand"),
        limbs=limbs,
    )  # fmt: skip
    description = msgspec.structs.replace(plain, **head)
    count = len(positions)
    times_s = np.arange(count) / RATE_HZ
    mark = (Marker(0.5, name),)
    return Take(name, description, times_s, positions, np.zeros((count, 3)), mark, "ended")


def column(motion: object, joint: str) -> Floats:
    return motion.positions[:, motion.joint_names.index(joint)]  # type: ignore[attr-defined, no-any-return]


EARLIER = take("first", ("arm",), wave(3.0))


def over(seconds: float, **head: object) -> Take:
    """Return a take of the head over the first one."""
    found = {"backing_take": "first", "backing_limbs": ("arm",), **head}
    return take("second", ("head",), wave(seconds, 0.7, 0.5), **found)


def test_a_take_that_stands_alone_is_its_own_motion() -> None:
    found = whole_motion(EARLIER, JOINTS, lambda name: None)
    assert found.joint_names == ("lift", "bend") and len(found.positions) == 601


@pytest.mark.parametrize("seconds", [2.0, 3.0, 4.0])
def test_old_limbs_come_from_the_earlier_take_and_new_ones_from_the_new(seconds: float) -> None:
    new = over(seconds)
    found = whole_motion(new, JOINTS, {"first": EARLIER}.get)
    assert set(found.joint_names) == {"nod", "lift", "bend"} and found.name == "second"
    assert found.duration_s == pytest.approx(max(seconds, 3.0))
    old, count = EARLIER.positions, len(new.positions)
    assert column(found, "lift")[:601] == pytest.approx(old[:, 1], abs=1e-9)
    assert column(found, "nod")[:count] == pytest.approx(new.positions[:, 0], abs=1e-9)
    assert np.ptp(column(found, "lift")[600:]) == 0.0  # its last position is kept
    assert np.ptp(column(found, "nod")[count - 1 :]) == 0.0
    assert {marker.name for marker in found.markers} == {"first", "second"}


def test_the_limb_that_is_recorded_again_replaces_the_old_one() -> None:
    again = take("again", ("arm",), wave(3.0, 0.2), backing_take="first", backing_limbs=("arm",))
    found = whole_motion(again, JOINTS, {"first": EARLIER}.get)
    assert column(found, "bend") == pytest.approx(again.positions[:, 2])


def test_takes_over_takes_hold_them_all_and_a_circle_ends() -> None:
    second = over(3.0)
    limbs = ("head", "arm")
    third = take("third", ("hand",), wave(3.0), backing_take="second", backing_limbs=limbs)
    found = whole_motion(third, JOINTS, {"first": EARLIER, "second": second}.get)
    assert column(found, "lift") == pytest.approx(EARLIER.positions[:, 1], abs=1e-9)
    assert column(found, "nod") == pytest.approx(second.positions[:, 0], abs=1e-9)
    assert column(found, "grip") == pytest.approx(third.positions[:, 3], abs=1e-9)
    circle = over(3.0, backing_take="second")
    assert whole_motion(circle, JOINTS, {"second": circle}.get).duration_s == 3.0


@pytest.mark.parametrize("other", [None, replace(EARLIER, head=TakeHead(
    robot="other", body="sim", joint_names=NAMES, limbs=("arm",)))])  # fmt: skip
def test_an_earlier_take_that_is_gone_is_as_this_one_recorded_it(other: Take | None) -> None:
    new = over(2.0)
    found = whole_motion(new, JOINTS, lambda name: other)
    assert column(found, "lift") == pytest.approx(new.positions[:, 1])
    gesture = take("g", ("head",), wave(2.0), backing="bow", backing_limbs=("arm",))
    assert set(whole_motion(gesture, JOINTS, lambda name: None).joint_names) == {
        "nod",
        "lift",
        "bend",
    }


def test_of_a_punch_only_its_span_replaces_the_earlier_take_without_a_step() -> None:
    again = take(
        "again", ("arm",), wave(2.0, 0.2), backing_take="first", backing_limbs=("arm",),
        punch_s=(1.0, 2.0),
    )  # fmt: skip
    found = whole_motion(again, JOINTS, {"first": EARLIER}.get)
    lift = column(found, "lift")
    assert found.duration_s == 3.0
    assert lift[:200] == pytest.approx(EARLIER.positions[:200, 1], abs=1e-9)
    assert lift[401:] == pytest.approx(EARLIER.positions[401:, 1], abs=1e-9)
    assert lift[270:330] == pytest.approx(again.positions[270:330, 1], abs=1e-9)
    assert np.abs(np.diff(lift)).max() < 0.05


def test_a_motion_within_the_limits_is_played_as_it_is() -> None:
    raw = motion_of_take(EARLIER, JOINTS)
    assert playable_motion(raw, JOINTS).positions == pytest.approx(raw.positions)


def test_a_motion_that_is_too_fast_is_slowed_and_fits_the_layer_above() -> None:
    quick = take("first", ("arm",), wave(1.5, 1.4))
    played = playable_motion(motion_of_take(quick, JOINTS), JOINTS)
    check_motion(played, JOINTS)
    assert played.duration_s > 1.6
    found = whole_motion(over(3.0), JOINTS, {"first": quick}.get)
    count = len(played.positions)
    assert column(found, "lift")[:count] == pytest.approx(column(played, "lift"), abs=1e-9)


def test_noise_that_is_faster_than_the_limits_is_smoothed() -> None:
    noise = np.random.default_rng(1).normal(0.0, 0.02, (601, 4))
    rough = motion_of_take(take("first", ("arm",), wave(3.0) + noise), JOINTS)
    check_motion(playable_motion(rough, JOINTS), JOINTS)


def test_a_joint_a_little_beyond_its_limit_is_held_there_and_one_far_beyond_is_refused() -> None:
    near = motion_of_take(take("first", ("arm",), wave(3.0, 0.2, 1.55)), JOINTS)
    check_motion(playable_motion(near, JOINTS), JOINTS)
    far = motion_of_take(take("first", ("arm",), wave(3.0, 0.2, 1.8)), JOINTS)
    with pytest.raises(ShowError, match=r"lift at .* 0\.30 rad beyond"):
        playable_motion(far, JOINTS)
