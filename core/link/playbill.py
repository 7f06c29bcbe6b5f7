"""The playbill: what the core tells of the show that it has loaded, to whoever connects."""

from core.link.message import Outbound

MAX_WORDS = 200  # characters of a name or a reason: it is repeated every second


class Entry(Outbound, frozen=True, array_like=True):
    """One cue of the loaded show.

    Attributes:
        number, name: as the operator knows it.
        refusal: why preflight refuses it, in one sentence; empty when it passed.
    """

    number: str
    name: str = ""
    refusal: str = ""


class Playbill(Outbound, frozen=True):
    """The loaded show, told at once when it is loaded and repeated every second.

    Attributes:
        stamp_s: when it was loaded, as `Status.show_stamp_s` [s].
        show: its name; empty without a show.
        path: where it was read, or empty.
        cues: in the order of the list.
        sender: who asked for it, as it is named in an envelope; empty where the core loaded it by
            itself.
    """

    stamp_s: float
    show: str = ""
    path: str = ""
    cues: tuple[Entry, ...] = ()
    sender: str = ""
