"""Calibration by a T-pose: whatever a source's bones look like, the posture is the person's."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.takes.build import FOLDER
from assets.takes.person import take
from assets.takes.scenes import punch, t_pose, wave
from core.link import wording
from core.link.catalogue import partner as why
from core.link.statement import Sentence, Statement
from core.partner.calibration import HOLD_S, Calibration, calibrated
from devices.capture.errors import CaptureError, Refusal
from devices.capture.puppet import T_POSE, Faults, Performance, Playing, disturbed
from devices.capture.rotation import rotations
from devices.capture.source import PROTOCOLS, Protocol, reader_of
from devices.interface import Floats, PoseFrame
from shows.bvh_human import load_bvh
from shows.human import BONES, INDEX, HumanTake, chain_height
from tests.draws import share

ROBOT_M = 1.0
ARMS = {"left": 90.0, "right": -90.0}


def as_source(
    take: HumanTake, bones: Floats, yaw: float = 0.0, shift: Floats | None = None
) -> list[PoseFrame]:
    """Return a take as a source sends it, whose bones stand anyhow, in a world of its own."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    points = take.positions @ turn.T + (np.zeros(3) if shift is None else shift)
    turns = turn @ take.orientations @ bones
    return [
        PoseFrame(i / take.rate_hz, i / take.rate_hz, points[i], turns[i])
        for i in range(len(points))
    ]


def standing(**arms: tuple[float, float, float]) -> HumanTake:
    """Return a person in the T-pose over 2 s, or with arms at other angles."""
    angles = {f"{side}_upper_arm": ((0.0, (roll, 0.0, 0.0)),) for side, roll in ARMS.items()}
    return take("t", HOLD_S, angles | {bone: ((0.0, turn),) for bone, turn in arms.items()})


def calibration(frames: list[PoseFrame]) -> Calibration:
    found = calibrated(frames, ROBOT_M)
    assert isinstance(found, Calibration), wording.sentence(found)
    return found


quaternions = st.lists(st.floats(-1.0, 1.0), min_size=88, max_size=88).map(
    lambda values: np.array(values).reshape(22, 4) + [2.0, 0.0, 0.0, 0.0]
)


@settings(max_examples=share(40))
@given(quaternions, st.floats(-3.1, 3.1), st.floats(-5.0, 5.0))
def test_any_source_becomes_the_person(q: Floats, yaw: float, shift: float) -> None:
    bones = rotations(q / np.linalg.norm(q, axis=1, keepdims=True))
    away = np.array([shift, -shift, 0.3])
    found = calibration(as_source(standing(), bones, yaw, away))
    assert np.cos(found.heading - yaw) == pytest.approx(1.0)
    for shown in (wave(), punch()):
        truth = shown.normalised()
        frames = as_source(shown, bones, yaw, away)
        for i in (0, 40, 70):
            person = found.applied(frames[i])
            np.testing.assert_allclose(person.positions, truth.positions[i], atol=1e-9)
            np.testing.assert_allclose(person.orientations, truth.orientations[i], atol=1e-6)


def test_lengths_floor_and_scale() -> None:
    found = calibration(as_source(standing(), T_POSE))
    lengths = dict(zip(BONES, found.lengths.tolist(), strict=True))
    assert lengths["left_lower_arm"] == pytest.approx(0.29) and lengths["hips"] == 0.0
    assert found.scale == pytest.approx(ROBOT_M / chain_height(lengths))
    assert found.origin == pytest.approx((0.0, 0.0, 0.0))


def test_the_shipped_t_pose_is_one_and_noise_of_5_mm_does_no_harm() -> None:
    whole = t_pose()
    frames = as_source(whole, np.tile(np.eye(3), (22, 1, 1)))[45:115]
    draw = np.random.default_rng(2)
    noisy = [
        replace(frame, positions=frame.positions + draw.normal(0.0, 0.005, (22, 3)))
        for frame in frames
    ]
    found = calibration(noisy)
    person = found.applied(as_source(whole, np.tile(np.eye(3), (22, 1, 1)))[0])
    error = np.swapaxes(whole.orientations[0], 1, 2) @ person.orientations
    cosines = np.clip((np.trace(error, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0)
    angle = np.degrees(np.arccos(cosines))
    assert angle.max() < 1.0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_take_is_calibrated_and_followed_through_a_bad_network(protocol: Protocol) -> None:
    shown = load_bvh(FOLDER / "wave.bvh").take
    content = Performance(shown.rate_hz, shown.positions, shown.orientations)
    faults = Faults(loss=0.05, jitter_s=0.02, reorder=0.01, seed=3)
    reader = reader_of(protocol)
    sent: list[PoseFrame] = []
    for at_s, datagram in disturbed(Playing(protocol, t_pose_s=2.4).planned(content), faults):
        try:
            poses = reader(datagram, at_s)
        except CaptureError as error:
            assert error.reason == Refusal.LATE
            continue
        for pose in poses:
            stamp_s = at_s if pose.stamp_s is None else pose.stamp_s
            if not sent or stamp_s > sent[-1].stamp_s:
                sent.append(PoseFrame(stamp_s, at_s, pose.positions, pose.orientations))
    found = calibration([frame for frame in sent if 0.2 <= frame.stamp_s <= 2.2])
    assert found.scale * shown.height_m == pytest.approx(ROBOT_M, abs=0.02)
    errors, turns = [], []
    bones = [i for bone, i in INDEX.items() if bone != "spine_2"]  # Motive has none
    for frame in sent:
        place = (frame.stamp_s - 3.4) * shown.rate_hz
        if 0.0 <= place <= len(shown.positions) - 1:
            person, sample = found.applied(frame), round(place)
            off = np.abs(person.positions - shown.positions[sample])[bones].max()
            turned = np.abs(person.orientations - shown.orientations[sample])[bones].max()
            errors.append(off)
            turns.append(turned)
    assert len(errors) > 200
    assert np.median(errors) < 0.02 and np.median(turns) < 0.06


def frames() -> list[PoseFrame]:
    return as_source(standing(), T_POSE)


def moved(frame: PoseFrame, bone: str, by: Floats) -> PoseFrame:
    points = frame.positions.copy()
    points[INDEX[bone]] += by
    return replace(frame, positions=points)


def refused(found: list[PoseFrame]) -> Statement:
    answer = calibrated(found, ROBOT_M)
    assert isinstance(answer, Statement)
    text = wording.sentence(answer)
    assert "{" not in text and "\n" not in text
    return answer


@pytest.mark.parametrize(
    ("arms", "reason", "fields"),
    [
        ({"left_upper_arm": (60.0, 0.0, 0.0)}, why.ARM_NOT_LEVEL, {"side": "left"}),
        (
            {"right_upper_arm": (-90.0, 0.0, -40.0), "right_lower_arm": (0.0, -40.0, 0.0)},
            why.ARM_NOT_STRAIGHT,
            {"side": "right"},
        ),
        ({"left_upper_arm": (0.0, -90.0, 0.0)}, why.ARM_NOT_LEVEL, {"side": "left"}),
        (
            {"left_upper_arm": (-90.0, 0.0, 0.0), "right_upper_arm": (90.0, 0.0, 0.0)},
            why.ARM_NOT_LEVEL,
            {},
        ),
        ({"spine_1": (0.0, 40.0, 0.0)}, why.PERSON_NOT_UPRIGHT, {}),
    ],
)
def test_another_posture_is_refused(
    arms: dict[str, tuple[float, float, float]], reason: Sentence, fields: dict[str, str]
) -> None:
    answer = refused(as_source(standing(**arms), T_POSE))
    assert answer.code == reason.code
    assert fields.items() <= answer.fields.items()


def test_missing_input_is_refused() -> None:
    whole = frames()
    assert refused([]).code == refused(whole[:1]).code == why.CAPTURE_MISSING.code
    assert refused(whole[:40]).code == why.CAPTURE_MISSING.code
    assert refused(whole[:20] + whole[30:]).code == why.CAPTURE_GAP.code


def test_a_person_who_moves_or_is_no_person_is_refused() -> None:
    whole = frames()
    waved = [*whole[:30], moved(whole[30], "left_hand", np.array([0.0, 0.0, 0.08])), *whole[31:]]
    answer = refused(waved)
    assert answer.code == why.PERSON_MOVED.code and answer.fields["bone"] == "left_hand"
    large = [replace(frame, positions=100.0 * frame.positions) for frame in whole]
    assert refused(large).code == why.CAPTURE_SIZE.code
    assert (
        refused([replace(f, positions=np.zeros((22, 3))) for f in whole]).code
        == why.CAPTURE_SIZE.code
    )
