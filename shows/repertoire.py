"""A repertoire: the motions of a person that a robot knows, their takes, and its answers.

A repertoire is a folder of a show, `repertoires/NAME`, with `repertoire.json` and the takes as BVH
files in `takes`, as `shows.bvh_human.save_bvh` writes them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from shows.bvh import encode_bvh
from shows.bvh_human import bvh_of, read_bvh
from shows.errors import ShowError
from shows.fields import Name
from shows.files import commit, discard, read_capped, stage
from shows.human import HumanTake
from shows.json_places import place_of
from shows.jsonfile import decode

FILE: Final = "repertoire.json"
TAKES: Final = "takes"
FOLDER: Final = "repertoires"
"""Folder of a show's repertoires."""

LEAST_TAKES: Final = 4
"""Takes that a motion needs: fewer do not tell a motion from its manner."""
MOST_TAKES: Final = 24
MOST_MOTIONS: Final = 48
MOST_INTERACTIONS: Final = 48
MOST_BEATS: Final = 24
MOST_TAKE_S: Final = 30.0
MAX_TAKE_BYTES: Final = 8 * 2**20
MAX_BYTES: Final = 2**20
_ROUNDING_S: Final = 0.01


class KnownMotion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A motion of a person that the robot knows.

    Attributes:
        name: snake case.
        takes: names of its takes' files, without their ending.
        answer: clip with which the robot answers; None: it does not answer.
        idle: what the person does between the motions; it has no answer.
    """

    name: Name
    takes: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_TAKES)]
    answer: Name | None = None
    idle: bool = False


class Beat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A motion of the person and the robot's answer to it, in one interaction.

    Attributes:
        motion: name of the motion.
        answer: name of the clip.
    """

    motion: Name
    answer: Name


class Interaction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sequence of motions and answers, as a greeting is one.

    Attributes:
        name: snake case.
        beats: in their order.
    """

    name: Name
    beats: Annotated[tuple[Beat, ...], msgspec.Meta(min_length=1, max_length=MOST_BEATS)]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    schema: Literal[1]
    motions: Annotated[tuple[KnownMotion, ...], msgspec.Meta(max_length=MOST_MOTIONS)] = ()
    interactions: Annotated[
        tuple[Interaction, ...], msgspec.Meta(max_length=MOST_INTERACTIONS)
    ] = ()


@dataclass(frozen=True, eq=False)
class Repertoire:
    """What a robot knows of one person.

    Attributes:
        motions: the motions, in the order of their symbols.
        interactions: what follows on what; a motion outside them has its own answer.
        takes: the takes of all motions, by name.

    Raises:
        ShowError: the parts do not fit each other.
    """

    motions: tuple[KnownMotion, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    takes: Mapping[str, HumanTake] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Check the parts."""
        for place, reason, advice in _faults(self.motions, self.interactions):
            raise ShowError(FILE, place.removeprefix("$."), reason, advice)
        for motion in self.motions:
            for name in motion.takes:
                if name not in self.takes:
                    raise ShowError(FILE, motion.name, f"has no take {name}", "record it again")
                duration_s = self.takes[name].duration_s
                if duration_s > MOST_TAKE_S + _ROUNDING_S:
                    reason = f"lasts {duration_s:.0f} s, longer than {MOST_TAKE_S:.0f} s"
                    raise ShowError(f"{name}.bvh", "", reason, "shorten it")

    def answers(self) -> tuple[str, ...]:
        """Return the names of all clips with which the robot may answer, sorted."""
        found = {motion.answer for motion in self.motions if motion.answer is not None}
        found |= {beat.answer for one in self.interactions for beat in one.beats}
        return tuple(sorted(found))


def load_repertoire(folder: Path) -> Repertoire:
    """Return the repertoire of a folder, completely read and checked.

    Raises:
        ShowError: the first fault, with the file, its place, the reason and what to do.
    """
    label = f"{folder.name}/{FILE}"
    data = read_capped(folder / FILE, MAX_BYTES, label)
    raw = decode(data, _File, label)
    for place, reason, advice in _faults(raw.motions, raw.interactions):
        raise ShowError(label, place_of(data, place), reason, advice)
    takes = {
        name: load_take(folder / TAKES / f"{name}.bvh")
        for motion in raw.motions
        for name in motion.takes
    }
    return Repertoire(raw.motions, raw.interactions, takes)


def load_take(path: Path) -> HumanTake:
    """Return a take of a repertoire.

    Raises:
        ShowError: the file cannot be read, or is no take of a person in centimetres.
    """
    label = f"{path.parent.name}/{path.name}"
    # As it is written: a unit that is guessed would take a child for an adult.
    return read_bvh(read_capped(path, MAX_TAKE_BYTES, label), label, "centimetre", "y").take


def save_repertoire(repertoire: Repertoire, folder: Path) -> None:
    """Save a repertoire with its takes, atomically; a take that has a file keeps it.

    Every file is written and synced under a temporary name before the first is renamed, and
    `repertoire.json` is renamed last.

    Raises:
        ShowError: the disk refused it; the old files remain.
    """
    document = _File(schema=1, motions=repertoire.motions, interactions=repertoire.interactions)
    text = msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
    decode(text, _File, FILE)
    staged: list[tuple[Path, Path]] = []
    try:
        for motion in repertoire.motions:
            for name in motion.takes:
                path = folder / TAKES / f"{name}.bvh"
                if not path.exists():
                    staged.append(stage(path, encode_bvh(bvh_of(repertoire.takes[name]))))
        staged.append(stage(folder / FILE, text))
    except ShowError:
        discard(staged)
        raise
    commit(staged)


def _faults(
    motions: tuple[KnownMotion, ...], interactions: tuple[Interaction, ...]
) -> Iterator[tuple[str, str, str]]:
    """Yield place, reason and advice of what does not fit."""
    names = Counter(motion.name for motion in motions)
    takes = Counter(name for motion in motions for name in motion.takes)
    idle = [motion.name for motion in motions if motion.idle]
    for i, motion in enumerate(motions):
        place = f"$.motions[{i}]"
        if names[motion.name] > 1:
            yield f"{place}.name", f"two motions are named {motion.name!r}", "rename one"
        if motion.idle and motion.answer:
            yield f"{place}.answer", "the idle motion has an answer", "leave the answer out"
        if motion.idle and len(idle) > 1:
            yield f"{place}.idle", f"{len(idle)} motions are idle ones", "keep one"
        if len(motion.takes) < LEAST_TAKES:
            reason = f"{motion.name!r} has {len(motion.takes)} of {LEAST_TAKES} takes"
            yield f"{place}.takes", reason, "record more"
        for name in motion.takes:
            if takes[name] > 1:
                yield f"{place}.takes", f"the take {name!r} is named twice", "keep one"
    called = Counter(one.name for one in interactions)
    for i, one in enumerate(interactions):
        if called[one.name] > 1:
            reason = f"two interactions are named {one.name!r}"
            yield f"$.interactions[{i}].name", reason, "rename one"
        for j, beat in enumerate(one.beats):
            place = f"$.interactions[{i}].beats[{j}].motion"
            if beat.motion not in names or beat.motion in idle:
                what = "is the idle one" if beat.motion in idle else "is not known"
                yield place, f"the motion {beat.motion!r} {what}", "name one of the motions"
