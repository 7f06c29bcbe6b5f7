"""A show that is ready to play, and the bytes in which the stagehand hands it to the core."""

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
from core.stage.timeline import Continue, CueTimeline, Text, check_cue
from shows.document import Ducking

MAGIC = b"FLSHOW1\n"
MAX_CUES = 2000
MAX_CLIPS = 2000
_LENGTH = struct.Struct("<Q")  # every part is preceded by its length and padded to 8 bytes
_SCHEMA = 1
_PLACE = "prepared show"


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first part: what the others are."""

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


_encoder = msgspec.msgpack.Encoder()
_header_decoder = msgspec.msgpack.Decoder(_Header)
_cue_decoder = msgspec.msgpack.Decoder(CueTimeline)


@dataclass(frozen=True, slots=True)
class PreparedShow:
    """Everything that the player and the motion manager need of a show.

    Attributes:
        name: as the operator knows it.
        path: where it was read, as it was asked for.
        go_guard_s: a GO that follows another within this time is refused [s].
        cues: in the order of the list.
        clips: motions by name, ready to play; also those that only a handset asks for.
        phrases: phrase to the path of its audio file, for the voice.
        warnings: what the operator should read once, one sentence each.
        keep_standby: it was asked for as another version of the loaded show; see `LoadShow`.
        ducking: how music makes room for phrases.
        sender: who asked for it; empty where the core loads it by itself.
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

    @property
    def length_s(self) -> float:
        """Length of all cues played one after the other, waits included [s]."""
        return sum(cue.pre_wait_s + cue.duration_s + cue.post_wait_s for cue in self.cues)

    def playbill(self, stamp_s: float) -> Playbill:
        """Return what the core tells of the show, loaded at a time of the host's clock [s]."""
        cues = tuple(
            Entry(cue.number, cue.name[:MAX_WORDS], cue.refusal[:MAX_WORDS]) for cue in self.cues
        )
        return Playbill(stamp_s, self.name, self.path, cues, self.sender)

    def to_bytes(self) -> bytes:
        """Return the show as one message; `Unpacker` reads it part by part."""
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
            data: what `to_bytes` gave; must outlive the show.
            upper_count: number of joints in the upper body.

        Raises:
            StageError: it is not a prepared show, is truncated, or holds a value out of bounds.
        """
        unpacker = Unpacker(data, upper_count)
        while (show := unpacker.step()) is None:
            pass
        return show


class Unpacker:
    """Decodes a prepared show, at most one cue or clip a step, so that a tick stays short.

    The arrays of the clips are views of the message; nothing is copied.

    Args:
        data: what `PreparedShow.to_bytes` gave; must outlive the show.
        upper_count: number of joints in the upper body.

    Raises:
        StageError: the bytes are no prepared show.
    """

    def __init__(self, data: bytes, upper_count: int) -> None:
        self._data = memoryview(data)
        self._upper_count = upper_count
        self._offset = len(MAGIC)
        self._header: _Header | None = None
        self._cues: list[CueTimeline] = []
        self._clips: dict[str, Clip] = {}
        if data[: len(MAGIC)] != MAGIC:
            raise StageError(_PLACE, "these bytes are no prepared show; load the show again")

    def step(self) -> PreparedShow | None:
        """Decode one part; return the show with its last one.

        Raises:
            StageError: the message is truncated or holds a value out of bounds.
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
            cause = " ".join(str(error).split())  # a damaged name may hold the end of a line
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
        """Check what no single part can tell."""
        if self._offset != len(self._data):
            raise StageError(_PLACE, "holds more than it announces; load the show again")
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
        )


def check_chains(cues: list[CueTimeline]) -> None:
    """Refuse cues that share a number, and chains of cues that would never end.

    Raises:
        StageError: with the cue's number.
    """
    if len({cue.number for cue in cues}) != len(cues):
        raise StageError(_PLACE, "two cues share a number; number them apart")
    ends = [False] * len(cues)  # known to lead to an end
    for first in range(len(cues)):
        place, path = first, set[int]()
        while place >= 0 and not ends[place] and cues[place].follow != Continue.NONE:
            if place in path:
                raise StageError(f"cue {cues[place].number}", "its chain leads back to itself")
            path.add(place)
            place = cues[place].following
        for seen in (first, *path):
            ends[seen] = True
