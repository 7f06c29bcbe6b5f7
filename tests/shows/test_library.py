"""The gestures and the sample show are playable, in character, and made by their scripts."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import mujoco
import numpy as np
import pytest
import soundfile

from app.console.timeline.posture import walked
from assets.gestures import duel
from assets.gestures.build import motions as built_motions
from assets.gestures.score import GROUPS, JOINT_NAMES, Score, monotone
from assets.sounds import beat
from assets.sounds.build import RATE_HZ, SHOWS
from core.robot.joint_table import known_robot
from core.robot.profile import REST
from core.robot.profile_file import load_profile
from shows.body_limb import COORDINATES
from shows.document import Cue, GestureClip, HandClip, HeadClip, JumpClip, VoiceClip, WalkClip
from shows.folders import GESTURES, LIBRARY
from shows.joints import Floats, JointTable
from shows.motion import Motion, load_motion, mirror_motion
from shows.storage import LoadedShow, load_show

ROOT = Path(__file__).resolve().parents[2]
ROBOT = ROOT / "assets" / "robots" / "kid_cosmo"
MEET_COSMO = ROOT / "shows" / "library" / "meet_cosmo"
FILES = sorted(GESTURES.glob("*.json"))
EXPECTED = {
    *("wave", "thumbs_up", "cheer", "bow", "shrug", "point_left", "point_right", "clap", "salute"),
    *("hands_on_hips", "think", "hug", "dance", "photo_pose", "look_around", "nod", "shake_head"),
    "blow_kiss",
}

SPEED = {"arm": 4.5, "head": 3.0, "hand": 6.0}
"""Largest speed of a gesture [rad/s], far below what the actuators could do."""
ACCELERATION = {"arm": 40.0, "head": 40.0, "hand": 80.0}
"""Largest acceleration of a gesture [rad/s²]."""
MARGIN = np.radians(2.0)


def kind(joint: str) -> str:
    """Return "head", "arm" or "hand"."""
    return next(group for group, joints in GROUPS.items() if joint in joints).rpartition("_")[2]


@pytest.fixture(scope="module")
def joints() -> JointTable:
    model = mujoco.MjModel.from_xml_path(str(ROBOT / "robot.xml"))
    lower, upper = np.array([model.joint(name).range for name in JOINT_NAMES]).T
    table = known_robot("kid_cosmo")
    assert table is not None
    np.testing.assert_allclose(table.lower[[table.index[name] for name in JOINT_NAMES]], lower)
    np.testing.assert_allclose(table.upper[[table.index[name] for name in JOINT_NAMES]], upper)
    return table


@pytest.fixture(scope="module")
def gestures(joints: JointTable) -> dict[str, Motion]:
    return {path.stem: load_motion(path, joints) for path in FILES}


@pytest.fixture(scope="module")
def meet_cosmo(joints: JointTable) -> LoadedShow:
    return load_show(MEET_COSMO, joints)


every_gesture = pytest.mark.parametrize("name", [path.stem for path in FILES])


def test_the_library_has_the_gestures_that_are_asked_for() -> None:
    assert {path.stem for path in FILES} >= EXPECTED


def test_the_library_is_what_its_script_makes(gestures: dict[str, Motion]) -> None:
    made = {motion.name: motion for motion in built_motions()}
    assert made.keys() == gestures.keys()
    for name, motion in made.items():
        kept = gestures[name]
        np.testing.assert_allclose(kept.positions, motion.positions, rtol=0, atol=1e-6)
        assert (kept.title, kept.tags, kept.markers, kept.thumbnail_s, kept.rate_hz) == (
            (motion.title, motion.tags, motion.markers, motion.thumbnail_s, motion.rate_hz)
        )
        assert kept.needs == motion.needs


def test_the_motions_of_the_duel_are_what_their_script_makes(joints: JointTable) -> None:
    made = {motion.name: motion for motion in duel.motions()}
    kept = {path.stem: load_motion(path, joints) for path in duel.MOTIONS.glob("*.json")}
    assert made.keys() == kept.keys()
    for name, motion in made.items():
        np.testing.assert_allclose(kept[name].positions, motion.positions, rtol=0, atol=1e-6)
        assert kept[name].joint_names == motion.joint_names


@every_gesture
def test_a_gesture_starts_and_ends_still_in_the_rest_posture(
    name: str, gestures: dict[str, Motion]
) -> None:
    profile = load_profile("kid_cosmo")
    rest = dict(zip(profile.joint_names, profile.posture(REST), strict=True))
    rest |= dict.fromkeys(COORDINATES, 0.0)
    motion = gestures[name]
    expected = [rest[joint] for joint in motion.joint_names]
    for row in (0, 1, -2, -1):
        np.testing.assert_allclose(motion.positions[row], expected, rtol=0, atol=2e-3)


@every_gesture
def test_a_gesture_keeps_away_from_the_limits(
    name: str, gestures: dict[str, Motion], joints: JointTable
) -> None:
    motion = gestures[name]
    for joint, column in zip(motion.joint_names, motion.positions.T, strict=True):
        i = joints.index[joint]
        if joint in COORDINATES:  # before the limits bend it
            assert 0.8 * joints.lower[i] <= column.min()
            assert column.max() <= (0.9 if joint == "body_pitch" else 0.8) * joints.upper[i], joint
            continue
        open_finger = joints.lower[i] == 0.0  # may open wholly
        assert column.min() >= joints.lower[i] + (0.0 if open_finger else MARGIN), joint
        assert column.max() <= joints.upper[i] - MARGIN, joint


@every_gesture
def test_a_gesture_is_gentle_and_smooth(name: str, gestures: dict[str, Motion]) -> None:
    motion = gestures[name]
    velocity = np.diff(motion.positions, axis=0) * motion.rate_hz
    acceleration = np.diff(velocity, axis=0) * motion.rate_hz
    step = np.diff(acceleration, axis=0)
    for i, joint in enumerate(motion.joint_names):
        if joint in COORDINATES:  # loading tests its limits, which are lower
            continue
        limb = kind(joint)
        assert np.abs(velocity[:, i]).max() <= SPEED[limb], joint
        assert np.abs(acceleration[:, i]).max() <= ACCELERATION[limb], joint
        # No jump of the acceleration: from one sample to the next at most half of its bound.
        assert np.abs(step[:, i]).max() <= 0.5 * ACCELERATION[limb], joint


@every_gesture
def test_a_gesture_has_a_fitting_length(name: str, gestures: dict[str, Motion]) -> None:
    least_s, most_s = (8.0, 12.0) if name == "dance" else (1.5, 5.0)
    assert least_s <= gestures[name].duration_s <= most_s


@every_gesture
def test_head_and_both_hands_take_part_and_the_sides_differ(
    name: str, gestures: dict[str, Motion]
) -> None:
    motion = gestures[name]
    column = dict(zip(motion.joint_names, motion.positions.T, strict=True))
    for group, members in GROUPS.items():
        assert max(np.ptp(column[joint]) for joint in members) > np.radians(3.0), group
    sides = [np.stack([column[j] for j in GROUPS[f"{side}_arm"]]) for side in ("left", "right")]
    assert np.abs(sides[0] - sides[1]).max() > np.radians(3.0)


def figure() -> mujoco.MjModel:
    """Return the robot with the bodies that must not meet: torso, pack, head, ears and arms."""
    spec = mujoco.MjSpec.from_file(str(ROBOT / "robot.xml"))
    kinds = mujoco.mjtGeom

    Numbers = tuple[float, ...]

    def add(body: str, name: str, type_: int, size: Numbers, at: Numbers) -> None:
        spot = {"pos": list(at)} if len(at) == 3 else {"fromto": list(at)}
        size = (*size, 0.0, 0.0)[:3]
        spec.body(body).add_geom(name=name, type=type_, size=list(size), mass=0.0, **spot)

    # The torso's shell: a superellipsoid of power 2.7, 26 cm deep and 34 cm wide.
    turn = np.linspace(-np.pi, np.pi, 37)[:-1]
    across, up = np.meshgrid(turn, np.linspace(-0.5, 0.5, 15) * np.pi)

    def bent(c: Floats) -> Floats:
        return np.asarray(np.sign(c) * np.abs(c) ** (2.0 / 2.7))

    shell = np.stack(
        [
            0.130 * bent(np.cos(up)) * bent(np.cos(across)) + 0.004,
            0.168 * bent(np.cos(up)) * bent(np.sin(across)),
            0.218 * bent(np.sin(up)) + 0.195,
        ],
        axis=-1,
    )
    spec.add_mesh(name="shell", uservert=shell.reshape(-1).tolist())
    spec.body("torso").add_geom(name="torso", type=kinds.mjGEOM_MESH, meshname="shell", mass=0.0)
    add("torso", "pack", kinds.mjGEOM_BOX, (0.035, 0.085, 0.095), (-0.128, 0.0, 0.235))
    add("head", "head", kinds.mjGEOM_SPHERE, (0.21,), (0.0, 0.0, 0.19))
    antenna = (-0.02, 0.222, 0.2, -0.078, 0.264, 0.352)
    add("head", "antenna", kinds.mjGEOM_CAPSULE, (0.014,), antenna)
    for side, y in (("left", 1.0), ("right", -1.0)):
        ear = (-0.005, 0.17 * y, 0.18, -0.005, 0.241 * y, 0.18)
        add("head", f"{side}_ear", kinds.mjGEOM_CYLINDER, (0.062,), ear)
        for body, radius, top, end in (
            ("upper_arm", 0.030, -0.12, -0.20),
            ("forearm", 0.040, 0.0, -0.15),
            ("hand", 0.045, -0.03, -0.10),
        ):
            at = (0.0, 0.0, top, 0.0, 0.0, end)
            add(f"{side}_{body}", f"{side} {body}", kinds.mjGEOM_CAPSULE, (radius,), at)
    return spec.compile()


@pytest.fixture(scope="module")
def body() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = figure()
    return model, mujoco.MjData(model)


def pairs() -> Iterator[tuple[str, str]]:
    """Yield the pairs of bodies that are kept apart."""
    limbs = ("upper_arm", "forearm", "hand")
    for side, limb in product(("left", "right"), limbs):
        for other in ("torso", "pack", "head", "left_ear", "right_ear", "antenna"):
            yield f"{side} {limb}", other
    for left, right in product(limbs[1:], limbs[1:]):
        yield f"left {left}", f"right {right}"


@pytest.mark.parametrize("mirror", [False, True], ids=["as_made", "mirrored"])
@every_gesture
def test_arms_pass_a_centimetre_clear(
    name: str,
    mirror: bool,
    gestures: dict[str, Motion],
    joints: JointTable,
    body: tuple[mujoco.MjModel, mujoco.MjData],
) -> None:
    model, data = body
    motion = mirror_motion(gestures[name], joints) if mirror else gestures[name]
    own = [i for i, joint in enumerate(motion.joint_names) if joint not in COORDINATES]
    place = [model.joint(motion.joint_names[i]).qposadr[0] for i in own]
    for row, posture in enumerate(motion.positions[:, own]):
        data.qpos[place] = posture
        mujoco.mj_kinematics(model, data)
        for one, other in pairs():
            ids = model.geom(one).id, model.geom(other).id
            gap = mujoco.mj_geomDistance(model, data, *ids, 0.05, None)
            palms = name in ("clap", "hug") and {one, other} == {"left hand", "right hand"}
            assert gap >= (0.0 if palms else 0.01), (
                f"{one} is {gap * 100:.1f} cm from {other} at {row / motion.rate_hz:.2f} s"
            )


def test_keys_that_do_not_ascend_are_refused() -> None:
    score = Score("odd", "Odd").key(1.0, head=(5, 0))
    with pytest.raises(ValueError, match=r"odd: the keys of head_pitch do not ascend"):
        score.key(0.5, head=(0, 0))


def test_curves_between_keys_stay_between_them() -> None:
    keys = [(0.0, 0.0), (0.2, 10.0), (1.0, 10.0), (1.1, -5.0), (2.0, -20.0)]
    times_s = np.linspace(-0.5, 2.5, 3001)
    curve = monotone(keys, times_s)
    assert curve.min() == -20.0 and curve.max() == 10.0
    assert np.ptp(curve[(times_s >= 0.2) & (times_s <= 1.0)]) < 1e-9
    falling = curve[(times_s >= 1.0) & (times_s <= 2.0)]
    assert (np.diff(falling) <= 1e-9).all()
    assert (curve[times_s < 0.0] == 0.0).all() and (curve[times_s > 2.0] == -20.0).all()


def test_a_side_leads_and_the_far_joints_follow() -> None:
    score = Score("raise", "Raise", lead="right", trail_s=0.1, breath=0.0)
    arm = (-60, -40, 60)
    score.key(1.0, right_arm=arm, left_arm=arm, right_hand=(40, 60, 60, 60, 60))
    positions = score.positions()
    half = {}
    for joint, column in zip(JOINT_NAMES, positions.T, strict=True):
        if np.ptp(column) > 0.0:
            way = (column - column[0]) / (column[-1] - column[0])
            half[joint] = np.interp(0.5, way, np.arange(len(way)) / 50.0)
    right = [half[f"right_{joint}"] for joint in ("shoulder_pitch", "elbow", "wrist", "ring")]
    assert right == sorted(right) and right[-1] > right[0] + 0.05
    behind_s = half["left_shoulder_pitch"] - half["right_shoulder_pitch"]
    assert behind_s == pytest.approx(0.05, abs=0.01)


def timeline(loaded: LoadedShow) -> list[tuple[Cue, float, float]]:
    """Return each cue with its start and end, when the first one gets GO and the rest follow."""
    starts, clock_s = [], 0.0
    for cue in loaded.show.cues:
        clock_s += cue.pre_wait_s
        end_s = clock_s + loaded.duration_s(cue.number)
        starts.append((cue, clock_s, end_s))
        clock_s = cue.post_wait_s + (clock_s if cue.continue_mode == "auto_continue" else end_s)
    return starts


def test_the_sample_show_loads_without_warnings(meet_cosmo: LoadedShow) -> None:
    assert meet_cosmo.show.name == "Meet Cosmo"
    assert meet_cosmo.warnings == ()


def test_the_sample_show_plays_through_from_a_single_go(meet_cosmo: LoadedShow) -> None:
    *chained, last = meet_cosmo.show.cues
    assert all(cue.continue_mode != "none" and cue.next is None for cue in chained)
    assert last.continue_mode == "none"
    assert all(cue.armed and cue.name and cue.colour != "none" for cue in meet_cosmo.show.cues)


def test_the_sample_show_lasts_about_two_minutes(meet_cosmo: LoadedShow) -> None:
    assert 110.0 <= max(end for _, _, end in timeline(meet_cosmo)) <= 140.0


def test_the_sample_show_uses_many_gestures_and_every_kind_of_track(
    meet_cosmo: LoadedShow,
) -> None:
    clips = [clip for cue in meet_cosmo.show.cues for clip in cue.clips()]
    assert len({clip.motion for clip in clips if isinstance(clip, GestureClip)}) >= 14
    for wanted in (HeadClip, HandClip, WalkClip):
        assert any(isinstance(clip, wanted) for clip in clips), wanted.__name__
    assert len(meet_cosmo.audio) >= 10


def test_it_walks_forward_sideways_and_turns_while_gesturing(meet_cosmo: LoadedShow) -> None:
    cues = meet_cosmo.show.cues
    walks = [(cue, c) for cue in cues for c in cue.clips() if isinstance(c, WalkClip)]
    steady = [c.length_s - c.blend_in_s - c.blend_out_s for _, c in walks]
    assert any(0.12 <= c.vx <= 0.16 and s >= 8.0 for (_, c), s in zip(walks, steady, strict=True))
    assert any(c.vy != 0.0 for _, c in walks)
    assert {np.sign(c.yaw_rate) for _, c in walks} >= {-1.0, 1.0}
    for cue, walk in walks:
        assert min(walk.blend_in_s, walk.blend_out_s) >= 0.5, cue.number
        played = [c for c in cue.clips() if isinstance(c, GestureClip)]
        assert played, f"cue {cue.number} walks without a gesture"
        assert all("walking" in meet_cosmo.motions[c.motion].tags for c in played), cue.number


def test_it_stands_for_a_while_after_every_walk(meet_cosmo: LoadedShow) -> None:
    starts = timeline(meet_cosmo)
    walks = [
        (start_s + c.start_s, start_s + c.start_s + c.length_s)
        for cue, start_s, _ in starts
        for c in cue.clips()
        if isinstance(c, WalkClip)
    ]
    assert all(b[0] - a[1] >= 1.5 for a, b in zip(walks, walks[1:], strict=False))
    for _, stopped_s in walks:
        following = min(start_s for _, start_s, _ in starts if start_s > stopped_s - 1e-6)
        assert following - stopped_s >= 1.5


def test_the_photo_is_taken_of_a_pose_that_stands_still(meet_cosmo: LoadedShow) -> None:
    clips = [clip for cue in meet_cosmo.show.cues for clip in cue.clips()]
    (clip,) = [c for c in clips if isinstance(c, GestureClip) and c.freeze_at_s is not None]
    motion = meet_cosmo.motions[clip.motion]
    assert clip.freeze_at_s is not None and clip.freeze_s >= 2.0
    # Whether the transition into the motion counts or not, the pose has settled.
    for entered_s in (0.0, clip.blend_in_s or 0.0):
        row = round((clip.freeze_at_s - entered_s) * motion.rate_hz)
        speed = np.abs(motion.positions[row + 1] - motion.positions[row]) * motion.rate_hz
        assert speed.max() < 0.02


@pytest.mark.parametrize(
    ("name", "robot", "music"),
    [
        ("meet_cosmo", "kid_cosmo", set()),
        ("arms_at_work", "two_arms", set()),
        ("meet_hopkin", "small_biped", {"beat"}),
        ("duel", "kid_cosmo", set()),
    ],
)
def test_the_phrases_of_a_show_are_those_of_the_script_and_ready_to_play(
    name: str, robot: str, music: set[str]
) -> None:
    joints = known_robot(robot)
    assert joints is not None
    show = load_show(LIBRARY / name, joints)
    paths = sorted((LIBRARY / name / "audio").glob("*"))
    phrases = SHOWS[name].keys()
    assert {path.name for path in paths} == {f"{phrase}.flac" for phrase in phrases | music}
    assert {path.stem for path in paths} == show.audio.keys()
    clips = [clip for cue in show.show.cues for clip in cue.clips()]
    assert {clip.phrase for clip in clips if isinstance(clip, VoiceClip)} == show.audio.keys()
    assert sum(path.stat().st_size for path in paths) < 3e6
    for path in paths:
        if path.stem in music:
            continue
        sound, rate_hz = soundfile.read(path)
        assert sound.ndim == 1 and rate_hz == RATE_HZ, path.name
        assert 0.5 <= np.abs(sound).max() <= 0.9, path.name
        edge = round(0.15 * rate_hz)
        for end in (sound[:edge], sound[-edge:]):
            assert np.abs(end).max() > 0.003, f"{path.name} has silence at an end"


def test_the_runner_jumps_to_the_beat_and_stays_within_a_metre() -> None:
    joints = known_robot("small_biped")
    assert joints is not None and joints.gaits.jump is not None
    show = load_show(LIBRARY / "meet_hopkin", joints).show
    music, rate_hz = soundfile.read(LIBRARY / "meet_hopkin" / "audio" / "beat.flac")
    assert rate_hz == beat.RATE_HZ and np.abs(music - beat.beat()).max() < 1e-4
    cue = next(cue for cue in show.cues if cue.tempo is not None)
    assert cue.tempo is not None and cue.tempo.bpm == beat.BPM
    (jump,) = (clip for clip in cue.clips() if isinstance(clip, JumpClip))
    lands_s = jump.start_s + joints.gaits.jump.push_s + jump.flight_s
    beat_s = 60.0 / cue.tempo.bpm
    assert lands_s / beat_s == pytest.approx(round(lands_s / beat_s), abs=0.01)
    assert jump.period_s == pytest.approx(beat_s)
    place = np.zeros(3)
    for cue in show.cues:
        x, y, turn = walked(cue, 100.0)
        c, s = np.cos(place[2]), np.sin(place[2])
        place += c * x - s * y, s * x + c * y, turn
        assert np.abs(place[:2]).max() < 0.8
