"""Times at which the body took the first command that a GO or a STOP changed; see `Answer`."""

import math

from core.link.commands import Go, Stop
from core.link.envelope import Envelope
from core.link.status import Answer
from core.tick.performer import Actuation, Performer


class Answers:
    """Waits until a GO or a STOP has reached the body.

    Attributes:
        newest: the last answer; None before the first.
        waiting: a GO or a STOP has not been answered.
    """

    def __init__(self) -> None:
        self.newest: Answer | None = None
        self.waiting = False
        self._stop: Envelope | None = None
        self._go: Envelope | None = None
        self._heard_s = -math.inf

    def hear(self, envelope: Envelope, now_s: float) -> None:
        """Note a command of an operator.

        Args:
            envelope: a command with its sender.
            now_s: time of the tick that receives it [s].
        """
        if isinstance(envelope.command, Stop):
            self._stop = self._stop or envelope
        elif isinstance(envelope.command, Go):
            self._go, self._heard_s = envelope, now_s
        else:
            return
        self.waiting = True

    def acted(self, performer: Performer, verdict: Actuation, host_s: float) -> None:
        """Note the actuation of a tick; call it while `waiting`.

        Args:
            performer: its state after the tick.
            verdict: actuation of the tick.
            host_s: host's monotonic time after the actuation [s].
        """
        stage = performer.stage
        if verdict is not Actuation.WRITE:
            self._go = None
            if self._stop is not None:
                self._answer(self._stop, host_s, stopped=True)
        elif self._go is not None:
            if performer.player.last_go_s < self._heard_s or not performer.player.plays:
                self._go = None  # refused, or ended before any motion
            elif stage.limbs or stage.head_held or stage.walking:
                self._answer(self._go, host_s, stopped=False)
                self._go = None
        self._stop = None  # the tick that receives it damps, or the core has failed
        self.waiting = self._go is not None

    def _answer(self, envelope: Envelope, host_s: float, stopped: bool) -> None:
        self.newest = Answer(envelope.sender, envelope.sequence, envelope.stamp_s, host_s, stopped)
