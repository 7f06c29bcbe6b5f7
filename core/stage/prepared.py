"""A prepared show, and the bytes in which the stagehand sends it to the core."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.link.playbill import MAX_WORDS, Entry, Playbill
from core.stage.errors import StageError
from core.stage.timeline import Continue, CueTimeline, LiveSegment, Text, check_cue
from shows.document import Ducking
from shows.fields import Volume

MAGIC = b"FLSHOW1\n"
MAX_CUES = 2000
MAX_CLIPS = 2000
_LENGTH = struct.Struct("<Q")  # every part is preceded by its length and padded to 8 bytes
_SCHEMA = 1
_PLACE = "prepared show"


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first part, which describes the others."""

    schema: Annotated[int, Meta(ge=_SCHEMA, le=_SCHEMA)]
    name: Text
    path: Annotated[str, Meta(max_length=4096)]
    go_guard_s: Annotated[float, Meta(ge=0.0, le=60.0)]
    cues: Annotated[int, Meta(ge=0, le=MAX_CUES)]
    clips: Annotated[int, Meta(ge=0, le=MAX_CLIPS)]
    phrases: Annotated[dict[Text, str], Meta(max_length=MAX_CLIPS)]
    ducking: Ducking
    keep_standby: bool
    sender: Annotated[str, Meta(max_length=48)]
    warnings: Annotated[tuple[Text, ...], Meta(max_length=MAX_CUES)]
    voice_volume: Volume


_encoder = msgspec.msgpack.Encoder()
_header_decoder = msgspec.msgpack.Decoder(_Header)
_cue_decoder = msgspec.msgpack.Decoder(CueTimeline)


@dataclass(frozen=True, slots=True)
class PreparedShow:
    """The data of a show for the player and the motion manager.

    Attributes:
        name: name of the show.
        path: path of its folder or zip, as requested.
        go_guard_s: a GO within this time after another is refused [s].
        cues: cues in the order of the list.
        clips: motions by name, ready to play; includes those that only an operator requests, and
            the poses of hands by `pose_name`.
        phrases: phrase to the path of its audio file, for the voice.
        warnings: warnings for the operator, one sentence each.
        keep_standby: it was requested as another version of the loaded show; see `LoadShow`.
        ducking: how music is ducked under phrases.
        sender: sender name of the operator who requested it; empty for the core itself.
        voice_volume: volume of a phrase that an operator requests, 0 to 1.
    """

    name: str
    path: str = ""
    go_guard_s: float = 0.3
    cues: tuple[CueTimeline, ...] = ()
    clips: Mapping[str, Clip] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    keep_standby: bool = False
    ducking: Ducking = Ducking()
    sender: str = ""
    voice_volume: float = 1.0

    @property
    def length_s(self) -> float:
        """Length of all cues in sequence, waits included [s]."""
        return sum(cue.pre_wait_s + cue.duration_s + cue.post_wait_s for cue in self.cues)

    @property
    def follows(self) -> bool:
        """Whether the robot follows a person in it."""
        moments = (moment for cue in self.cues for moment in cue.moments)
        return any(isinstance(one, LiveSegment) and one.order is not None for one in moments)

    def playbill(self, stamp_s: float) -> Playbill:
        """Return the playbill of the show, loaded at a time of the host's clock [s]."""
        cues = tuple(
            Entry(cue.number, cue.name[:MAX_WORDS], cue.refusal[:MAX_WORDS], cue.refusal_s)
            for cue in self.cues
        )
        return Playbill(stamp_s, self.name, self.path, cues, self.sender)

    def to_bytes(self) -> bytes:
        """Return the show as one message; `Unpacker` reads it in parts."""
        header = _Header(
            schema=_SCHEMA,
            name=self.name,
            path=self.path,
            go_guard_s=self.go_guard_s,
            cues=len(self.cues),
            clips=len(self.clips),
            phrases=dict(self.phrases),
            ducking=self.ducking,
            keep_standby=self.keep_standby,
            sender=self.sender,
            warnings=self.warnings,
            voice_volume=self.voice_volume,
        )
        parts = [_encoder.encode(header)]
        parts += [_encoder.encode(cue) for cue in self.cues]
        parts += [clip.to_bytes() for clip in self.clips.values()]
        chunks = [MAGIC]
        for part in parts:
            chunks += [_LENGTH.pack(len(part)), part, bytes(-len(part) % 8)]
        return b"".join(chunks)

    @staticmethod
    def from_bytes(data: bytes, upper_count: int) -> "PreparedShow":
        """Decode a whole message at once.

        Args:
            data: result of `to_bytes`; must outlive the show.
            upper_count: number of joints in the upper body.

        Raises:
            StageError: it is not a prepared show, is truncated, or has a value out of bounds.
        """
        unpacker = Unpacker(data, upper_count)
        while (show := unpacker.step()) is None:
            pass
        return show


def pose_name(hand: str, pose: str) -> str:
    """Return the name of the clip of a hand's pose; no motion has such a name."""
    return f"{hand}:{pose}"


def is_pose(name: str) -> bool:
    """Return whether a clip of this name is a hand's pose."""
    return ":" in name


class Unpacker:
    """Decodes a prepared show, at most one cue or clip in a step, so that a tick stays short.

    The arrays of the clips are views of the message; nothing is copied.

    Args:
        data: result of `PreparedShow.to_bytes`; must outlive the show.
        upper_count: number of joints in the upper body.

    Raises:
        StageError: the bytes are not a prepared show.
    """

    def __init__(self, data: bytes, upper_count: int) -> None:
        self._data = memoryview(data)
        self._upper_count = upper_count
        self._offset = len(MAGIC)
        self._header: _Header | None = None
        self._cues: list[CueTimeline] = []
        self._clips: dict[str, Clip] = {}
        if data[: len(MAGIC)] != MAGIC:
            raise StageError(_PLACE, "these bytes are not a prepared show; load the show again")

    def step(self) -> PreparedShow | None:
        """Decode one part; return the show after its last part, else None.

        Raises:
            StageError: the message is truncated or has a value out of bounds.
        """
        header = self._header
        try:
            if header is None:
                header = self._header = _header_decoder.decode(self._part())
            elif len(self._cues) < header.cues:
                cue = _cue_decoder.decode(self._part())
                check_cue(cue, header.cues)
                self._cues.append(cue)
            else:
                clip = Clip.from_bytes(self._part(), self._upper_count)
                self._clips[clip.name] = clip
        except (msgspec.MsgspecError, UnicodeDecodeError, BehaveError) as error:
            cause = " ".join(str(error).split())  # a damaged name may contain a line break
            raise StageError(_PLACE, f"cannot be decoded ({cause}); load the show again") from error
        if len(self._cues) < header.cues or len(self._clips) < header.clips:
            return None
        return self._finish(header)

    def _part(self) -> memoryview:
        """Return the next part's bytes."""
        start = self._offset + _LENGTH.size
        if start > len(self._data):
            raise StageError(_PLACE, "is truncated; load the show again")
        (length,) = _LENGTH.unpack_from(self._data, self._offset)
        if length > len(self._data) - start:
            raise StageError(_PLACE, "is truncated; load the show again")
        self._offset = start + length + (-length % 8)
        return self._data[start : start + length]

    def _finish(self, header: _Header) -> PreparedShow:
        """Check conditions that concern several parts."""
        if self._offset != len(self._data):
            raise StageError(_PLACE, "is longer than its header states; load the show again")
        check_chains(self._cues)
        return PreparedShow(
            name=header.name,
            path=header.path,
            go_guard_s=header.go_guard_s,
            cues=tuple(self._cues),
            clips=self._clips,
            phrases=header.phrases,
            ducking=header.ducking,
            keep_standby=header.keep_standby,
            sender=header.sender,
            warnings=header.warnings,
            voice_volume=header.voice_volume,
        )


def check_chains(cues: list[CueTimeline]) -> None:
    """Refuse cues that share a number, and chains of cues without an end.

    Raises:
        StageError: with the cue's number.
    """
    if len({cue.number for cue in cues}) != len(cues):
        raise StageError(_PLACE, "two cues share a number; give each its own")
    ends = [False] * len(cues)  # the chain is known to end
    for first in range(len(cues)):
        index, path = first, set[int]()
        while index >= 0 and not ends[index] and cues[index].follow != Continue.NONE:
            if index in path:
                raise StageError(f"cue {cues[index].number}", "its chain leads back to itself")
            path.add(index)
            index = cues[index].following
        for seen in (first, *path):
            ends[seen] = True
