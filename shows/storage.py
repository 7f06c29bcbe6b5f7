"""Loading a show with everything that it needs, wholly checked, and saving it atomically."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from shows import archive
from shows.audio import ENDINGS, MAX_AUDIO_BYTES, AudioInfo, audio_info
from shows.check import Checker
from shows.check_clips import Stock
from shows.document import GestureClip, Show, VoiceClip
from shows.errors import ShowError
from shows.files import commit, discard, read_capped, stage
from shows.folders import user_folder
from shows.joints import JointTable
from shows.jsonfile import decode
from shows.motion import Motion, encode_motion, load_motion

GESTURES = Path(__file__).parent / "library" / "gestures"
MAX_SHOW_BYTES = 8 * 2**20
MAX_MOTIONS = 1000


@dataclass(frozen=True, eq=False)
class LoadedShow:
    """A show that has passed every check, with what it needs to be played.

    Attributes:
        show: the document.
        motions: the show's own motions and those it borrows from the library, by name.
        audio: the phrases that it speaks, by name.
        warnings: what an operator should know; none of it keeps the show from running.
        folder: where its files lie (of a zip: where it was unpacked).
    """

    show: Show
    motions: dict[str, Motion]
    audio: dict[str, AudioInfo]
    warnings: tuple[str, ...]
    folder: Path

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
    source: Path, joints: JointTable, gestures: Path = GESTURES, cache: Path | None = None
) -> LoadedShow:
    """Return the show of a folder or a zip file, wholly read and checked.

    A motion is looked for in the show's own `motions/` first, then among the gestures.

    Args:
        source: the show's folder, its `show.json`, or one zip with the same inside.
        joints: the joints and limits of the robot that will play it.
        gestures: the folder of motions that every show may name.
        cache: where a zip is unpacked; by default in the user's cache folder.

    Raises:
        ShowError: the first fault, with file, place, reason and advice.
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
    motions, warnings = _own_motions(show, folder, source.name, joints)
    for name in sorted(_motion_names(show) - motions.keys()):
        path = gestures / f"{name}.json"
        if path.is_file():
            motions[name] = load_motion(path, joints, f"{gestures.name}/{path.name}")
    audio = {}
    for phrase in sorted(_phrases(show)):
        sound = find_audio(folder, phrase)
        if sound is not None:
            audio[phrase] = audio_info(sound, f"{source.name}/audio/{sound.name}")
    stock = Stock(show.settings, motions, audio, joints)
    checker = Checker(show, stock, label, data)
    for fault in checker.faults():
        raise fault
    return LoadedShow(show, motions, audio, (*warnings, *checker.warnings()), folder)


def save_show(
    show: Show, destination: Path, motions: Iterable[Motion], audio: Mapping[str, Path]
) -> None:
    """Save a show as a folder, or as one zip where the name ends in `.zip`, atomically.

    Every file is written and synced beside its place before the first is renamed, and
    `show.json` is renamed last: each file is the old or the new one, never neither, and a zip
    is so as a whole. Files of the folder that are not named stay as they are.

    Args:
        show: the document; unfinished shows may be saved, too.
        destination: the folder or the zip file.
        motions: the motions to keep in it.
        audio: phrase to the sound file to keep in it; its ending is kept.

    Raises:
        ShowError: the show could not be read back, or the disk refused; the old files remain.
    """
    files = {f"motions/{motion.name}.json": encode_motion(motion) for motion in motions}
    for phrase, path in audio.items():
        if path.suffix not in ENDINGS:
            raise ShowError(path.name, "", "is no FLAC or WAV file", "export it as FLAC")
        files[f"audio/{phrase}{path.suffix}"] = read_capped(path, MAX_AUDIO_BYTES, path.name)
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
    """Return the text of `show.json`, indented for people; values at their default are left out.

    Raises:
        ShowError: a value is one that reading would refuse.
    """
    try:
        document = {"schema": show.schema, **msgspec.to_builtins(show)}
        data = msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
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
    """Return where unpacked shows live."""
    return user_folder("XDG_CACHE_HOME", ".cache") / "shows"


def _own_motions(
    show: Show, folder: Path, name: str, joints: JointTable
) -> tuple[dict[str, Motion], list[str]]:
    """Load the show's motions; a bad one that no cue names is left out with a warning."""
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


def _motion_names(show: Show) -> set[str]:
    clips = (clip for cue in show.cues for clip in cue.clips())
    return {clip.motion for clip in clips if isinstance(clip, GestureClip)}


def _phrases(show: Show) -> set[str]:
    clips = (clip for cue in show.cues for clip in cue.clips())
    return {clip.phrase for clip in clips if isinstance(clip, VoiceClip)}


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether a file already holds these bytes."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
