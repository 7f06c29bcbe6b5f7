"""The playbill: the list of cues of the loaded show."""

from core.link.message import Outbound

MAX_WORDS = 200  # characters of a name or a reason, because it is repeated every second


class Entry(Outbound, frozen=True, array_like=True):
    """One cue of the loaded show.

    Attributes:
        number: cue number.
        name: cue name.
        refusal: reason of the preflight's refusal, in one sentence; empty if it passed.
        refusal_s: time of the refused moment in the cue [s].
    """

    number: str
    name: str = ""
    refusal: str = ""
    refusal_s: float = 0.0


class Playbill(Outbound, frozen=True):
    """The loaded show, sent when it is loaded and repeated every second.

    Attributes:
        stamp_s: time of loading, as `Status.show_stamp_s` [s].
        show: its name; empty without a show.
        path: path of its folder or zip, or empty.
        cues: cues in the order of the list.
        sender: sender name of the operator who loaded it; empty for the core itself.
    """

    stamp_s: float
    show: str = ""
    path: str = ""
    cues: tuple[Entry, ...] = ()
    sender: str = ""
