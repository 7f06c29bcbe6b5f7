"""The envelope of a command, and the heartbeat of a process."""

from core.link.commands import Command
from core.link.message import Inbound, Sender, Sequence, Stamp


class Envelope(Inbound, frozen=True):
    """A command with its sender.

    Attributes:
        sender: name of the sending process, unique for its lifetime.
        sequence: increases by one with every message of this sender.
        stamp_s: time of sending on the host's monotonic clock [s].
        command: the command.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    command: Command


class Heartbeat(Inbound, frozen=True):
    """The heartbeat of a process, sent every 100 ms.

    Attributes:
        sender: name of the sending process, unique for its lifetime.
        sequence: increases by one with every message of this sender.
        stamp_s: time of sending on the host's monotonic clock [s].
        operator: a person uses this process; without operators the robot is held.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    operator: bool = False
