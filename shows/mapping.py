"""A show of one robot on another: which limbs and tracks could be mapped, and which could not."""

from collections.abc import Iterable
from dataclasses import dataclass

from shows.document import GestureClip, JumpClip, Show, WalkClip
from shows.errors import ShowError
from shows.joints import JointTable


@dataclass(frozen=True, slots=True)
class LimbMapping:
    """The limbs of one robot beside those of another.

    Attributes:
        joints: for each limb that both robots have, its joints on the first and on the second
            robot, paired by role. Limbs correspond if they have the same kind and side; of several
            such limbs, the first corresponds to the first, and so on.
        partial: limbs with joints whose roles the other robot's limb does not have.
        missing: limbs of the first robot that the second robot does not have.
        tracks: kinds of the show's tracks that the second robot can play.
        lost_tracks: kinds of the show's tracks that it cannot play.
    """

    joints: dict[str, tuple[tuple[str, str], ...]]
    partial: tuple[str, ...]
    missing: tuple[str, ...]
    tracks: tuple[str, ...]
    lost_tracks: tuple[str, ...]


def map_show(show: Show, made_for: JointTable, joints: JointTable) -> LimbMapping:
    """Return how a show could be mapped.

    Args:
        show: the show.
        made_for: joints of the robot that the show was made for.
        joints: joints of the robot that it shall be mapped to.
    """
    paired: dict[str, tuple[tuple[str, str], ...]] = {}
    partial: list[str] = []
    missing: list[str] = []
    places: dict[tuple[str, str], list[str]] = {}
    for limb in joints.moved_limbs:
        places.setdefault((limb.kind, limb.side), []).append(limb.name)
    for limb in made_for.moved_limbs:
        others = places.get((limb.kind, limb.side), [])
        roles = {joints.role_of[j]: j for j in joints.joints_of[others[0]]} if others else {}
        mine = [(made_for.role_of[joint], joint) for joint in made_for.joints_of[limb.name]]
        pairs = tuple((joint, roles[role]) for role, joint in mine if role in roles)
        if not pairs:
            missing.append(limb.name)
            continue
        others.pop(0)
        paired[limb.name] = pairs
        if len(pairs) < len(mine):
            partial.append(limb.name)
    kinds = dict.fromkeys(track.kind for cue in show.cues for track in cue.tracks)
    lost = [kind for kind in kinds if not _can_play(kind, show, paired, made_for, joints)]
    return LimbMapping(
        joints=paired,
        partial=tuple(partial),
        missing=tuple(missing),
        tracks=tuple(kind for kind in kinds if kind not in lost),
        lost_tracks=tuple(lost),
    )


def wrong_robot(
    show: Show, joints: JointTable, made_for: JointTable | None, file: str, place: str
) -> ShowError:
    """Return the refusal of a show that was made for another robot.

    Args:
        show: the show.
        joints: joints of the robot that shall play it.
        made_for: joints of the robot that it was made for; None if they are not known here.
        file: name of the show's file in the error.
        place: where the file names the robot.
    """
    reason = f"the show was made for {show.robot}, not for {joints.robot}"
    if made_for is not None:
        mapping = map_show(show, made_for, joints)
        limbs = [
            f"{limb} (in part)" if limb in mapping.partial else limb for limb in mapping.joints
        ]
        reason += (
            f"; {joints.robot} has a counterpart for {_list(limbs)}, but not for "
            f"{_list(mapping.missing)}, and can play the tracks {_list(mapping.tracks)}, but not "
            f"{_list(mapping.lost_tracks)}"
        )
    return ShowError(file, place, reason, f"choose --robot {show.robot} or another show")


def _can_play(
    kind: str,
    show: Show,
    paired: dict[str, tuple[tuple[str, str], ...]],
    made_for: JointTable,
    joints: JointTable,
) -> bool:
    """Return whether a robot has the parts that a kind of track needs."""
    if kind == "walk":
        legs = any(limb.kind == "leg" for limb in joints.limbs)
        return legs and not any(map(joints.gaits.refusal, _gaits(show)))
    if kind == "body":
        return joints.body is not None
    if kind == "sway":
        return joints.sway is not None
    if kind == "head":
        return joints.gaze is not None
    if kind == "live":
        return bool(joints.following_limbs)
    hands = {limb.name for limb in made_for.moved_limbs if limb.kind == "hand"}
    if kind == "hands":
        return bool(hands & paired.keys())
    if kind == "gesture":
        named = [
            set(clip.groups)
            for cue in show.cues
            for clip in cue.clips()
            if isinstance(clip, GestureClip) and clip.groups is not None
        ]
        return bool(paired) and all(limbs & paired.keys() for limbs in named)
    return True


def _gaits(show: Show) -> set[str]:
    """Return the gaits of a show besides walking."""
    clips = [clip for cue in show.cues for clip in cue.clips()]
    runs = any(isinstance(clip, WalkClip) and clip.gait == "run" for clip in clips)
    jumps = any(isinstance(clip, JumpClip) for clip in clips)
    return {gait for gait, used in (("run", runs), ("jump", jumps)) if used}


def _list(names: Iterable[str]) -> str:
    """Return names as one enumeration."""
    return ", ".join(names) or "none"
