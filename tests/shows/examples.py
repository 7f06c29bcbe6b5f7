"""A robot's joints, a motion, a sound and a small show with every kind of track."""

import wave
from pathlib import Path

import numpy as np

from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    HeadClip,
    HeadTrack,
    LightClip,
    LightTrack,
    NetworkClip,
    NetworkTrack,
    Settings,
    Show,
    VoiceClip,
    VoiceTrack,
    WalkBounds,
    WalkClip,
    WalkTrack,
)
from shows.joints import BodyRange, Gaze, JointTable, SwayRange
from shows.limbs import Limb, LimbSide
from shows.motion import Marker, Motion
from shows.storage import save_show

SIDES: tuple[LimbSide, LimbSide] = ("left", "right")
ROLES: dict[str, dict[str, tuple[int, int]]] = {
    "head": {"pitch": (-30, 30), "yaw": (-90, 90)},
    "arm": {"shoulder_pitch": (-190, 90), "shoulder_roll": (-85, 35), "elbow": (-25, 115)},
    "hand": {"wrist": (-180, 180)} | dict.fromkeys(("thumb", "index", "middle", "ring"), (0, 90)),
    "leg": {"knee": (-90, 0)},
}
HEAD = Limb(name="head", title="Head", kind="head")
ARMS = tuple(Limb(name=f"{side}_arm", title="Arm", kind="arm", side=side) for side in SIDES)
HANDS = tuple(Limb(name=f"{side}_hand", title="Hand", kind="hand", side=side) for side in SIDES)
LEG = Limb(name="left_leg", title="Leg", kind="leg", side="left")
FIST = {"wrist": 0.0, "thumb": 1.4, "index": 1.5, "middle": 1.5, "ring": 1.5}
OPEN = dict.fromkeys(FIST, 0.0)


def joint_table(limbs: tuple[Limb, ...] = (HEAD, *ARMS, *HANDS, LEG)) -> JointTable:
    """Return the joints of some limbs; by default 18 of five limbs and a knee."""
    rows = [(limb, role, ends) for limb in limbs for role, ends in ROLES[limb.kind].items()]
    lower, upper = np.radians(np.array([ends for *_, ends in rows], dtype=float)).T
    names = [f"{'head' if limb.side == 'centre' else limb.side}_{role}" for limb, role, _ in rows]
    return JointTable(
        robot="tester",
        names=tuple(names),
        limbs=limbs,
        joint_limbs=tuple(limb.name for limb, *_ in rows),
        roles=tuple(role for _, role, _ in rows),
        lower=lower,
        upper=upper,
        velocity_limit=np.full(len(rows), 20.9),
        gaze=Gaze("head_yaw", "head_pitch") if HEAD in limbs else None,
        body=BodyRange(0.05, 0.1, 0.2, 0.3) if LEG in limbs else None,
        sway=SwayRange(0.05, 0.03, 0.08, 0.25) if LEG in limbs else None,
        hand_poses={"open": OPEN, "fist": FIST} if set(HANDS) & set(limbs) else {},
    )


def wave_motion(name: str = "wave", seconds: float = 2.0, rate_hz: float = 50.0) -> Motion:
    """Return a gentle motion of the head's yaw and the right arm."""
    t = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    swing = 0.5 - 0.5 * np.cos(2.0 * np.pi * t / seconds)
    return Motion(
        name=name,
        title="Wave",
        joint_names=("head_yaw", "right_shoulder_pitch", "right_elbow"),
        rate_hz=rate_hz,
        positions=np.column_stack([-0.3 * swing, -2.0 * swing, 1.2 * swing]),
        markers=(Marker(time_s=seconds / 4.0, name="up"),),
        source="keyed",
        thumbnail_s=seconds / 2.0,
        tags=("greeting", "größer"),
    )


def write_wav(path: Path, seconds: float = 0.5, rate_hz: int = 8000) -> None:
    """Write a silent sound."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate_hz)
        sound.writeframes(bytes(2 * round(seconds * rate_hz)))


def small_show() -> Show:
    """Return a show with every kind of track."""
    settings = Settings(
        walk=WalkBounds(forward=0.2),
        hand_poses={"point": FIST | {"index": 0.0}},
    )
    first = Cue(
        number="1",
        name="Hello",
        continue_mode="auto_follow",
        post_wait_s=0.5,
        hotkey="F1",
        exit_stance="standing",
        safe_points_s=(0.0, 2.5),
        tracks=(
            GestureTrack(
                clips=(
                    GestureClip(motion="wave", freeze_at_s=1.0, freeze_s=0.5),
                    GestureClip(start_s=3.0, motion="wave", groups=("left_arm",), mirror=True),
                )
            ),
            HeadTrack(clips=(HeadClip(start_s=2.6, length_s=1.0, yaw=0.4, pitch=-0.2),)),
            HandsTrack(
                clips=(
                    HandClip(length_s=1.0, hand="left", pose="point"),
                    HandClip(length_s=1.0, hand="right", pose=(0.0, 0.1, 0.2, 0.3, 0.4)),
                )
            ),
        ),
    )
    second = Cue(
        number="2.5",
        name="Walk",
        entry_stance="standing",
        next="1",
        tracks=(
            WalkTrack(clips=(WalkClip(length_s=2.0, vx=0.1, vy=-0.05, yaw_rate=0.2),)),
            VoiceTrack(clips=(VoiceClip(start_s=0.25, phrase="hello", volume=0.8),)),
            LightTrack(clips=(LightClip(start_s=1.0, event="warm"),)),
            NetworkTrack(clips=(NetworkClip(event="/go"),)),
        ),
    )
    return Show(
        name="Small show",
        robot="tester",
        notes="Grüße\nan alle",
        settings=settings,
        cues=(first, second),
    )


def save_small_show(folder: Path, show: Show | None = None) -> Path:
    """Save the show with its motion and its sound; return where."""
    sound = folder.parent / "sounds" / "hello.wav"
    write_wav(sound)
    save_show(show or small_show(), folder, [wave_motion()], {"hello": sound})
    return folder
