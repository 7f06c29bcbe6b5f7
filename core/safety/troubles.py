"""The troubles that the devices report, and the events of their beginning and end."""

import math
from collections.abc import Callable

from core.link.catalogue.safety import DEVICE_RECOVERED, DEVICE_REPORTED
from core.link.statement import Severity, Statement
from devices.interface import Trouble

REPEAT_S = 5.0  # shortest time between two events of the same trouble


class TroubleBook:
    """Emits one event when a trouble begins and one when it ends.

    Args:
        say: takes actor, statement and severity of an event.

    Attributes:
        troubles: the present troubles, grave ones first.
    """

    def __init__(self, say: Callable[[str, Statement, Severity | None], None]) -> None:
        self.troubles: tuple[Trouble, ...] = ()
        self._say = say
        self._reported_s: dict[Trouble, float] = {}
        self._open: set[Trouble] = set()  # begin was reported, end was not

    def update(self, now_s: float, found: tuple[Trouble, ...]) -> None:
        """Take the troubles at a time [s] and emit events."""
        if not (found or self.troubles or self._open):
            return
        found = tuple(sorted(found, key=lambda trouble: not trouble.grave))
        if found == self.troubles and len(self._open) == len(set(found)):
            return
        self.troubles = found
        for trouble in found:
            if trouble in self._open:
                continue
            if now_s - self._reported_s.get(trouble, -math.inf) >= REPEAT_S:
                self._reported_s[trouble] = now_s
                self._open.add(trouble)
                severity: Severity = "error" if trouble.grave else "warning"
                self._say(trouble.device, DEVICE_REPORTED(text=trouble.text), severity)
        for trouble in tuple(self._open):
            if trouble not in found:
                self._open.remove(trouble)
                self._say(trouble.device, DEVICE_RECOVERED(text=trouble.text), None)
        self._reported_s = {
            trouble: reported_s
            for trouble, reported_s in self._reported_s.items()
            if trouble in found or now_s - reported_s < REPEAT_S
        }
