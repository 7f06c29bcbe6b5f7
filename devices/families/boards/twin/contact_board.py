"""Twin of the contact board of a foot."""

from devices.families.boards.twin.board import Board
from devices.families.boards.wire.contacts import ContactFault, Contacts
from devices.families.boards.wire.identity import Board as BoardKind
from devices.interface import Bools, Floats
from devices.twin.timing import TICK_US, is_due

PERIOD_US = 2000
_IDLE, _BY_NEWTON, _FULL = 300, 12.0, 4000  # of the converter


class ContactBoard(Board):
    """Reports which points of a sole touch the ground.

    Attributes:
        forced: values that replace those of sensors, by index.
        unhealthy: bits of broken sensors.
        sensors: number of its sensors.
    """

    BOARD = BoardKind.CONTACTS

    def __init__(self, source: int, contacts: tuple[int, ...], tick_us: int = TICK_US) -> None:
        """Switch the board on.

        Args:
            source: source of its frames.
            contacts: indices of its sensors among the robot's contacts, in the board's order.
            tick_us: tick of the twin [µs].
        """
        super().__init__(source, tick_us)
        self.forced: dict[int, bool] = {}
        self.unhealthy = 0
        self.sensors = len(contacts)
        self._places = contacts
        self._touching = [False] * len(contacts)
        self._forces = [0.0] * len(contacts)

    def feel(self, contacts: Bools, forces: Floats) -> None:
        """Update with all contacts of the robot (c) and the ground's normal forces (c) [N]."""
        touching, newtons = contacts.tolist(), forces.tolist()
        self._touching = [touching[place] for place in self._places]
        self._forces = [newtons[place] for place in self._places]

    def report(self, now_us: int) -> bytes:
        """Return the frame that is due at a time [µs]."""
        if not is_due(now_us, PERIOD_US, self.tick_us):
            return b""
        touching, raw = 0, []
        for i, (touches, force) in enumerate(zip(self._touching, self._forces, strict=True)):
            counts = min(_IDLE + _BY_NEWTON * max(force, 0.0), _FULL)
            if i in self.forced:
                touches, counts = self.forced[i], _FULL if self.forced[i] else _IDLE
            touching |= touches << i
            raw.append(round(counts))
        contacts = Contacts(touching, self.unhealthy, ContactFault(0), self.tick_us, tuple(raw))
        return self.frame(Contacts.KIND, contacts.encode(), now_us)
