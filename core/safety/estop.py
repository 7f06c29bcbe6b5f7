"""The latch of STOP and of the E-stop chain. The loop reads it before it commands the body."""

from collections.abc import MutableSequence


class StopLatch:
    """Holds a pressed STOP and an opened E-stop chain until both are reset.

    The software offers STOP, which damps the joints. Only the hardware chain is an E-stop: it
    removes all torque, and this class only monitors it. No queue, solver, log or exception lies
    between a press and the latch. Presses are counted in one byte, which may be in shared memory.
    A reset acknowledges only the presses that `watch` has read, so a press at the same moment,
    from any process, stays latched.

    Args:
        presses: at least one writable byte; other processes press STOP by increasing the first.
    """

    __slots__ = ("_answered", "_seen", "_presses", "chain_opened", "pressed")

    def __init__(self, presses: MutableSequence[int] | memoryview | None = None) -> None:
        self._presses = bytearray(1) if presses is None else presses
        self._answered = int(self._presses[0])
        self._seen = self._answered
        self.pressed = False
        self.chain_opened = False

    @property
    def latched(self) -> bool:
        """The robot must not move."""
        return self.pressed or self.chain_opened

    def press(self) -> None:
        """Latch STOP."""
        self._presses[0] = (int(self._presses[0]) + 1) & 0xFF
        self.pressed = True

    def watch(self, chain_closed: bool) -> bool:
        """Read the state of the chain and the shared byte, once a tick; return `latched`."""
        self._seen = self._presses[0]
        if self._seen != self._answered:
            self.pressed = True
        if not chain_closed:
            self.chain_opened = True
        return self.pressed or self.chain_opened

    def reset(self, chain_closed: bool) -> bool:
        """Release the latch, unless the chain is open or STOP was pressed since the last watch.

        Only the mode machine calls this, because it knows whether the robot is still.
        """
        if not chain_closed:
            self.chain_opened = True
            return False
        self._answered = self._seen
        self.pressed = int(self._presses[0]) != self._answered
        self.chain_opened = False
        return not self.pressed
