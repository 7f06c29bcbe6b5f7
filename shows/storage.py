"""Loading a show with all its files, completely checked, and saving it atomically."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import msgspec

from shows import archive
from shows.audio import ENDINGS, MAX_AUDIO_BYTES, AudioInfo, audio_info
from shows.check import Checker
from shows.check_clips import Stock
from shows.document import GestureClip, LiveClip, Show, VoiceClip
from shows.errors import ShowError
from shows.fields import PHRASE
from shows.files import commit, discard, read_capped, stage
from shows.folders import gesture_folders, user_folder
from shows.gestures import bodiless, find_gesture
from shows.joints import JointTable
from shows.json_places import place_of
from shows.jsonfile import decode
from shows.mapping import wrong_robot
from shows.motion import Motion, encode_motion, load_motion
from shows.pose import Pose, encode_pose, load_pose
from shows.repertoire import MAX_TAKE_BYTES
from shows.repertoire_files import repertoire_answers, repertoire_names
from shows.uses import use_of

Robots: TypeAlias = Callable[[str], JointTable | None]
"""Returns the joints of a robot by its name; None if it is not known."""

MAX_SHOW_BYTES = 8 * 2**20
MAX_MOTIONS = 1000
MAX_POSES = 1000
MAX_PHRASES = 1000
MOST_FAULTS = 20  # that are looked for


@dataclass(frozen=True, eq=False)
class LoadedShow:
    """A show with its motions and sounds; it has passed every check, unless it is unfinished.

    Attributes:
        show: the document.
        motions: the show's own motions and those of the library that it uses, by name.
        audio: its sounds by phrase.
        warnings: sentences for the operator; the show can run nevertheless.
        folder: the folder of its files; for a zip, the folder where it was unpacked.
        poses: its poses, by name.
        answers: names of the motions with which each repertoire answers, by its name.
    """

    show: Show
    motions: dict[str, Motion]
    audio: dict[str, AudioInfo]
    warnings: tuple[str, ...]
    folder: Path
    poses: dict[str, Pose] = field(default_factory=dict)
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def duration_s(self, number: str) -> float:
        """Return how long a cue's timeline lasts, waits not included [s].

        Raises:
            KeyError: no cue has that number.
        """
        return self.show.cue(number).duration_s(
            {name: motion.duration_s for name, motion in self.motions.items()},
            {name: sound.duration_s for name, sound in self.audio.items()},
        )


def load_show(
    source: Path,
    joints: JointTable,
    gestures: Sequence[Path] | None = None,
    cache: Path | None = None,
    robots: Robots = lambda name: None,
    unfinished: bool = False,
) -> LoadedShow:
    """Return the show of a folder or a zip file, completely read and checked.

    A motion is looked for in the show's own `motions/` first, then among the robot's gestures.

    Args:
        source: the show's folder, its `show.json`, or a zip file of the folder.
        joints: the joints and limits of the robot that will play it.
        gestures: the folders of gestures; by default those of the robot (see
            `shows.folders.gesture_folders`).
        cache: the folder where a zip is unpacked; by default in the user's cache folder.
        robots: other robots, to report how their shows could be mapped to this one.
        unfinished: a show that no robot may play yet is loaded to be edited: the faults of its
            content are warnings.

    Raises:
        ShowError: the first fault, with file, place, reason and advice, and the others of its file.
    """
    source = Path(os.path.abspath(source))
    if source.name == "show.json":
        source = source.parent
    folder = source
    if not source.exists():
        raise ShowError(source.name, "", "does not exist", "check the name and the folder")
    if not source.is_dir():
        folder = archive.unpack(source, source.name, cache or default_cache())
    label = f"{source.name}/show.json"
    data = read_capped(folder / "show.json", MAX_SHOW_BYTES, label)
    show = decode(data, Show, label)
    if show.robot and show.robot != joints.robot:
        made_for = robots(show.robot)
        raise wrong_robot(show, joints, made_for, label, place_of(data, "$.robot"))
    motions, warnings = _own_motions(show, folder, source.name, joints)
    folders = gesture_folders(joints.robot) if gestures is None else gestures
    for name in sorted(_motion_names(show) - motions.keys()):
        path = find_gesture(name, folders)
        if path is not None:
            motions[name] = load_motion(path, joints, f"{path.parent.name}/{path.name}")
    poses, left_out = _own_poses(folder, source.name, joints)
    warnings += left_out
    warnings += bodiless(motions, joints.robot)
    audio, left_out = _own_audio(show, folder, source.name)
    warnings += left_out
    answers, left_out = _own_answers(show, folder, source.name)
    warnings += left_out
    stock = Stock(show.settings, motions, audio, joints, answers)
    checker = Checker(show, stock, label, data)
    found = list(islice(checker.faults(), MOST_FAULTS))
    if found and not unfinished:
        raise found[0].with_others(found[1:])
    if found:
        warnings = [*warnings, *(f"{fault}; until then no robot plays the show" for fault in found)]
    else:
        warnings = [*warnings, *checker.warnings()]
    return LoadedShow(show, motions, audio, tuple(warnings), folder, poses, answers)


def save_show(
    show: Show,
    destination: Path,
    motions: Iterable[Motion],
    audio: Mapping[str, Path],
    poses: Iterable[Pose] = (),
    repertoires: Mapping[str, Path] | None = None,
) -> None:
    """Save a show as a folder, or as one zip where the name ends in `.zip`, atomically.

    Every file is written and synced under a temporary name before the first is renamed, and
    `show.json` is renamed last: each file is either the old or the new one. Other files of the
    folder stay as they are.

    Args:
        show: the document; it may be unfinished.
        destination: the folder or the zip file.
        motions: the show's own motions.
        audio: the sound file of each phrase; its ending is kept.
        poses: the show's poses.
        repertoires: the files of the show's repertoires, by their names in its folder.

    Raises:
        ShowError: reading would refuse the show, or the disk refused it; the old files remain.
    """
    files = {f"motions/{motion.name}.json": encode_motion(motion) for motion in motions}
    files |= {f"poses/{pose.name}.json": encode_pose(pose) for pose in poses}
    for phrase, path in audio.items():
        if path.suffix not in ENDINGS:
            raise ShowError(path.name, "", "is not a FLAC or WAV file", "export it as FLAC")
        files[f"audio/{phrase}{path.suffix}"] = read_capped(path, MAX_AUDIO_BYTES, path.name)
    for name, path in (repertoires or {}).items():
        files[name] = read_capped(path, MAX_TAKE_BYTES, name)
    files["show.json"] = encode_show(show)
    if destination.suffix == ".zip":
        commit([stage(destination, archive.pack(files))])
        return
    staged: list[tuple[Path, Path]] = []
    try:
        for name, data in files.items():
            path = destination / name
            if not _holds(path, data):
                staged.append(stage(path, data))
    except ShowError:
        discard(staged)
        raise
    commit(staged)


def encode_show(show: Show) -> bytes:
    """Return the text of `show.json`, indented; default values are left out.

    Raises:
        ShowError: reading would refuse a value.
    """
    try:
        data = msgspec.json.format(msgspec.json.encode(show.document()), indent=1) + b"\n"
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise ShowError("show.json", "", f"cannot be saved ({error})", "correct it") from error
    decode(data, Show, "show.json")
    if len(data) > MAX_SHOW_BYTES:
        raise ShowError("show.json", "", "is too large to be saved", "split the show")
    return data


def find_audio(folder: Path, phrase: str) -> Path | None:
    """Return the file of a phrase in a show's folder, or None; FLAC goes before WAV."""
    paths = (folder / "audio" / f"{phrase}{ending}" for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def default_cache() -> Path:
    """Return the folder of unpacked shows."""
    return user_folder("XDG_CACHE_HOME", ".cache") / "shows"


def _own_motions(
    show: Show, folder: Path, name: str, joints: JointTable
) -> tuple[dict[str, Motion], list[str]]:
    """Load the show's motions; a faulty one that no cue uses is left out with a warning."""
    motions, warnings = {}, []
    paths = sorted((folder / "motions").glob("*.json"))
    if len(paths) > MAX_MOTIONS:
        raise ShowError(
            f"{name}/motions", "", f"holds more than {MAX_MOTIONS} motions", "remove some"
        )
    named = _motion_names(show)
    for path in paths:
        try:
            motions[path.stem] = load_motion(path, joints, f"{name}/motions/{path.name}")
        except ShowError as error:
            if path.stem in named:
                raise
            warnings.append(f"{error} (no cue uses it: left out)")
    return motions, warnings


def _own_poses(folder: Path, name: str, joints: JointTable) -> tuple[dict[str, Pose], list[str]]:
    """Load the show's poses; a faulty one is left out with a warning, for no cue uses it."""
    poses, warnings = {}, []
    paths = sorted((folder / "poses").glob("*.json"))
    if len(paths) > MAX_POSES:
        raise ShowError(f"{name}/poses", "", f"holds more than {MAX_POSES} poses", "remove some")
    for path in paths:
        try:
            poses[path.stem] = load_pose(path, joints, f"{name}/poses/{path.name}")
        except ShowError as error:
            warnings.append(f"{error} (the pose is left out)")
    return poses, warnings


def _own_audio(show: Show, folder: Path, name: str) -> tuple[dict[str, AudioInfo], list[str]]:
    """Load the show's phrases; a faulty one that no cue uses is left out with a warning."""
    audio, warnings = {}, []
    named = _phrases(show)
    paths = [path for path in (folder / "audio").glob("*") if path.suffix in ENDINGS]
    if len(paths) > MAX_PHRASES:
        raise ShowError(f"{name}/audio", "", f"holds more than {MAX_PHRASES} sounds", "remove some")
    others = {path.stem for path in paths if re.search(PHRASE, path.stem)}
    for phrase in sorted(named | others):
        sound = find_audio(folder, phrase)
        if sound is None:
            continue
        try:
            audio[phrase] = audio_info(sound, f"{name}/audio/{sound.name}")
        except ShowError as error:
            if phrase in named:
                raise
            warnings.append(f"{error} (nothing names it: left out)")
    return audio, warnings


def _own_answers(
    show: Show, folder: Path, name: str
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Load the answers of the show's repertoires; a faulty one that no cue uses is left out."""
    answers, warnings = {}, []
    clips = (clip for cue in show.cues for clip in cue.clips())
    named = {clip.repertoire for clip in clips if isinstance(clip, LiveClip)}
    for repertoire in repertoire_names(folder):
        try:
            answers[repertoire] = repertoire_answers(folder, repertoire, name)
        except ShowError as error:
            if repertoire in named:
                raise
            warnings.append(f"{error} (no cue uses it: left out)")
    return answers, warnings


def _motion_names(show: Show) -> set[str]:
    clips = (clip for cue in show.cues for clip in cue.clips())
    return {clip.motion for clip in clips if isinstance(clip, GestureClip)}


def _phrases(show: Show) -> set[str]:
    clips = (clip for cue in show.cues for clip in cue.clips())
    spoken = {clip.phrase for clip in clips if isinstance(clip, VoiceClip)}
    uses = (use_of(trigger.use) for trigger in show.triggers)
    return spoken | {use.phrase for use in uses if use is not None and use.phrase}


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether a file already holds these bytes."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
