"""Messages about takes: from the core to the recorder, the recorder's report, and the status."""

from pathlib import PurePath
from typing import Annotated, Literal, TypeAlias

import msgspec

from core.link.message import (
    DeviceName,
    Groups,
    Inbound,
    Name,
    Outbound,
    PathText,
    Sequence,
)
from core.link.statement import Statement
from shows.take import ENDING, MAX_TAKE_S, TakeHead

Count: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]
Moment: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=MAX_TAKE_S)]
Trouble: TypeAlias = Annotated[str, msgspec.Meta(max_length=500)]
Decibels: TypeAlias = Annotated[float, msgspec.Meta(ge=-200.0, le=20.0)]
Stage: TypeAlias = Literal["preparing", "counting", "recording", "saving", "saved", "failed"]
MAX_DEVICES = 64


class TakePlan(Inbound, frozen=True, kw_only=True):
    """A take to be recorded.

    Attributes:
        path: absolute path of its file `NAME.take`, which does not exist yet.
        limbs: limbs that it is about.
        count_in_s: delay of its beginning [s].
        backing: gesture that plays from its beginning, on all limbs that are not released.
        backing_take: path of an earlier take that plays instead, with its sound; or empty.
        phrase: phrase of the loaded show that plays from its beginning.
        microphone: name of the microphone that is recorded beside it; empty: the system's default;
            None: no sound is recorded.
        punch_in_s: time at which its limbs float, so that a person takes over from the backing;
            None: the limbs keep their freedom [s].
        punch_out_s: time at which these limbs are held again, and the take ends; None: it ends on
            request [s].
    """

    path: PathText
    limbs: Groups = ()
    count_in_s: Count = 0.0
    backing: Name | None = None
    backing_take: PathText = ""
    phrase: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")] | None = None
    microphone: DeviceName | None = None
    punch_in_s: Moment | None = None
    punch_out_s: Moment | None = None

    @property
    def backed(self) -> bool:
        """A gesture or an earlier take plays meanwhile."""
        return self.backing is not None or bool(self.backing_take)

    @property
    def moves(self) -> bool:
        """Its beginning moves a limb, or releases one."""
        return self.backed or self.punch_in_s is not None

    def __post_init__(self) -> None:
        """Refuse a path that is no take's, a punch that ends before it begins, and two backings.

        Raises:
            ValueError: the plan has one of them, or a number is not finite.
        """
        super().__post_init__()
        _check_path(self.path)
        if self.backing is not None and self.backing_take:
            raise ValueError("a gesture and a take cannot both play meanwhile; choose one")
        out_s = self.punch_out_s
        if out_s is not None and out_s <= (self.punch_in_s or 0.0):
            raise ValueError("a take must end after its punch-in; move punch_out_s")


def _check_path(path: str) -> None:
    """Refuse a path that is not absolute and normal, or does not end as a take's.

    Raises:
        ValueError: with the reason.
    """
    place = PurePath(path)
    if "\0" in path or not place.is_absolute() or ".." in place.parts:
        raise ValueError(f"{path!r} is not an absolute path without '..'; give the whole path")
    if place.suffix != ENDING:
        raise ValueError(f"{place.name!r} does not end in {ENDING}; name the file NAME{ENDING}")


class TakeBegin(Outbound, tag=True, frozen=True):
    """Create the file of a take, which begins later.

    Attributes:
        path: path of the file.
        start_s: time of its beginning on the core's clock [s].
        microphone: as in the plan.
    """

    path: str
    start_s: float
    microphone: str | None = None


class TakeZero(Outbound, tag=True, frozen=True):
    """The take has begun: write its description, and the ticks from this moment on.

    Attributes:
        stamp_s: time of its beginning on the core's clock [s].
        head: its description at this moment.
        host_s: the time of its beginning on the host's monotonic clock; the loop fills it in [s].
    """

    stamp_s: float
    head: TakeHead
    host_s: float = 0.0


class TakeMark(Outbound, tag=True, frozen=True):
    """Write a marker at a time of the core's clock."""

    stamp_s: float
    name: str


class TakeEnd(Outbound, tag=True, frozen=True):
    """End the take at a time of the core's clock; one that has not begun is deleted."""

    stamp_s: float
    reason: str


TakeOrder: TypeAlias = TakeBegin | TakeZero | TakeMark | TakeEnd


class BackingRequest(Outbound, frozen=True):
    """A request of the core to the stagehand to prepare an earlier take for playing.

    Attributes:
        number: increases with every request; the answer repeats it.
        path: path of the take.
    """

    number: int
    path: str


class BackingRefused(Inbound, frozen=True):
    """The stagehand could not prepare a take; the reason is one sentence."""

    number: Sequence
    reason: Trouble


class MicrophoneWish(Inbound, frozen=True):
    """A console wants the recorder to listen, or to list the microphones; repeated while it does.

    Attributes:
        device: name of the microphone; empty: the system's default; None: only list them.
    """

    device: DeviceName | None = None


class MicrophoneReport(Inbound, frozen=True):
    """The state of the microphone, some times a second while a console wants it or a take has it.

    Attributes:
        open: the recorder hears it.
        device: name of the chosen one; empty: the system's default.
        devices: names of those that were present when the recorder looked last.
        peak_db: largest magnitude since the last report, relative to full scale [dB].
        rms_db: root of the mean square since the last report, likewise [dB].
        clipped: a sample since the last report was at full scale.
        trouble: reason why nothing is heard, one sentence; empty if it is heard.
    """

    open: bool = False
    device: DeviceName = ""
    devices: Annotated[tuple[DeviceName, ...], msgspec.Meta(max_length=MAX_DEVICES)] = ()
    peak_db: Decibels = -200.0
    rms_db: Decibels = -200.0
    clipped: bool = False
    trouble: Trouble = ""


class TakeReport(Inbound, frozen=True):
    """The state of the recorder, some times a second while it writes and once at the end.

    Attributes:
        path: path of the take.
        state: `writing`, `saved` or `failed`.
        saved_s: length of the take in the file [s].
        size_bytes: size of the file.
        trouble: reason of a failure, one sentence.
        sound_s: length of the sound in its file [s]; None: none is recorded.
        sound_trouble: reason why the sound is missing or incomplete, one sentence; the motion is
            recorded all the same.
    """

    path: PathText
    state: Literal["writing", "saved", "failed"]
    saved_s: float = 0.0
    size_bytes: int = 0
    trouble: Trouble = ""
    sound_s: float | None = None
    sound_trouble: Trouble = ""


class TakeStatus(Outbound, frozen=True):
    """The newest take.

    Attributes:
        path: path of its file.
        stage: `preparing` its backing, `counting` in, `recording`, `saving`, `saved` or `failed`.
        time_s: time since its beginning; negative while counting in [s].
        saved_s: length in the file [s].
        size_bytes: size of the file.
        markers: number of markers.
        ended: reason of its end; None before.
        trouble: reason of a failure, one sentence; the samples written before it stay valid.
        sound_s: length of its sound in the file [s]; None: none is recorded.
        sound_trouble: reason why the sound is missing or incomplete, one sentence.
    """

    path: str
    stage: Stage
    time_s: float
    saved_s: float = 0.0
    size_bytes: int = 0
    markers: int = 0
    ended: Statement | None = None
    trouble: str = ""
    sound_s: float | None = None
    sound_trouble: str = ""
