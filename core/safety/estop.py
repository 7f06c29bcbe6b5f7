"""The latch that the last branch before the actuators asks. It waits on nothing."""

from collections.abc import MutableSequence


class StopLatch:
    """Remembers a pressed STOP and an opened E-stop chain until both are reset.

    The software offers STOP, which damps; only the hardware chain is an E-stop, which takes
    all torque and which this class merely watches. No queue, solver, log or exception lies
    between a press and the latch. Presses are counted in one byte that may be shared memory:
    a reset answers the presses that were seen, so that one which comes in the same moment
    stays, whoever wrote it.

    Args:
        presses: at least one writable byte; other processes press by increasing the first.
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
        """Something must keep the robot from moving."""
        return self.pressed or self.chain_opened

    def press(self) -> None:
        """Latch STOP."""
        self._presses[0] = (int(self._presses[0]) + 1) & 0xFF
        self.pressed = True

    def watch(self, chain_closed: bool) -> bool:
        """Take in the chain and the shared byte, once a tick; returns `latched`."""
        self._seen = self._presses[0]
        if self._seen != self._answered:
            self.pressed = True
        if not chain_closed:
            self.chain_opened = True
        return self.pressed or self.chain_opened

    def reset(self, chain_closed: bool) -> bool:
        """Release the latch, unless the chain is open or STOP was pressed since the last watch.

        Only the mode machine, which knows whether the robot is still, may ask for this.
        """
        if not chain_closed:
            self.chain_opened = True
            return False
        self._answered = self._seen
        self.pressed = int(self._presses[0]) != self._answered
        self.chain_opened = False
        return not self.pressed
