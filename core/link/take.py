"""Messages about takes: from the core to the recorder, the recorder's report, and the status."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from core.link.message import Groups, Inbound, Name, Outbound, PathText
from core.link.statement import Statement
from shows.take import TakeHead

Count: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]
Moment: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1800.0)]
Stage: TypeAlias = Literal["counting", "recording", "saving", "saved", "failed"]


class TakePlan(Inbound, frozen=True, kw_only=True):
    """A take to be recorded.

    Attributes:
        path: path of its file, which does not exist yet.
        limbs: limbs that it is about.
        count_in_s: delay of its beginning [s].
        backing: gesture that plays from its beginning, on all limbs that are not released.
        phrase: phrase of the loaded show that plays from its beginning.
        punch_in_s: time at which its limbs float, so that a person takes over from the backing;
            None: the limbs keep their freedom [s].
        punch_out_s: time at which these limbs are held again, and the take ends; None: it ends on
            request [s].
    """

    path: PathText
    limbs: Groups = ()
    count_in_s: Count = 0.0
    backing: Name | None = None
    phrase: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")] | None = None
    punch_in_s: Moment | None = None
    punch_out_s: Moment | None = None

    def __post_init__(self) -> None:
        """Refuse a punch that ends before it begins.

        Raises:
            ValueError: it does, or a number is not finite.
        """
        super().__post_init__()
        out_s = self.punch_out_s
        if out_s is not None and out_s <= (self.punch_in_s or 0.0):
            raise ValueError("a take must end after its punch-in; move punch_out_s")


class TakeBegin(Outbound, tag=True, frozen=True):
    """Create the file of a take and write the ticks from a time on."""

    path: str
    start_s: float
    head: TakeHead


class TakeMark(Outbound, tag=True, frozen=True):
    """Write a marker at a time of the core's clock."""

    stamp_s: float
    name: str


class TakeEnd(Outbound, tag=True, frozen=True):
    """End the take at a time of the core's clock; one that has not begun is deleted."""

    stamp_s: float
    reason: str


TakeOrder: TypeAlias = TakeBegin | TakeMark | TakeEnd


class TakeReport(Inbound, frozen=True):
    """The state of the recorder, some times a second while it writes and once at the end.

    Attributes:
        path: path of the take.
        state: `writing`, `saved` or `failed`.
        saved_s: length of the take in the file [s].
        size_bytes: size of the file.
        trouble: reason of a failure, one sentence.
    """

    path: PathText
    state: Literal["writing", "saved", "failed"]
    saved_s: float = 0.0
    size_bytes: int = 0
    trouble: Annotated[str, msgspec.Meta(max_length=500)] = ""


class TakeStatus(Outbound, frozen=True):
    """The newest take.

    Attributes:
        path: path of its file.
        stage: `counting` in, `recording`, `saving`, `saved` or `failed`.
        time_s: time since its beginning; negative while counting in [s].
        saved_s: length in the file [s].
        size_bytes: size of the file.
        markers: number of markers.
        ended: reason of its end; None before.
        trouble: reason of a failure, one sentence; what was written before stays valid.
    """

    path: str
    stage: Stage
    time_s: float
    saved_s: float = 0.0
    size_bytes: int = 0
    markers: int = 0
    ended: Statement | None = None
    trouble: str = ""
