"""The ticks in which the loop does its periodic work."""

SLOW_S = 0.01  # period of the checks that need not run in every tick
STATUS_S, STATUS_AT_S = 0.02, 0.003  # period and offset of the status: 50 Hz
SCENE_S, SCENE_AT_S = 0.1, (0.005, 0.037, 0.071)  # three scenes in each period: 30 Hz
HELLO_S, HELLO_AT_S, PLAYBILL_AT_S = 1.0, 0.007, 0.507


class Schedule:
    """Decides which periodic work is due in a tick.

    At 1 kHz the status, the scenes, hello and playbill have odd ticks of their own, and the slow
    checks and the estimator's covariance have even ones. A tick with several of these would be
    the longest of all.

    Args:
        tick_s: period of the loop [s].

    Attributes:
        slow_every: period of the slow checks [ticks].
    """

    def __init__(self, tick_s: float) -> None:
        self.slow_every = self._count(SLOW_S, tick_s)
        self._status_every = self._count(STATUS_S, tick_s)
        self._status_at = round(STATUS_AT_S / tick_s) % self._status_every
        self._scene_every = self._count(SCENE_S, tick_s)
        self._scene_at = frozenset(self._free(round(at_s / tick_s)) for at_s in SCENE_AT_S)
        self._hello_every = self._count(HELLO_S, tick_s)
        self._hello_at = round(HELLO_AT_S / tick_s)
        self._playbill_at = round(PLAYBILL_AT_S / tick_s)

    @staticmethod
    def _count(period_s: float, tick_s: float) -> int:
        return max(1, round(period_s / tick_s))

    def _free(self, tick: int) -> int:
        """Return the first tick, from a given one on, in which no status is due."""
        while self._status_every > 1 and self.status(tick):
            tick += 1
        return tick % self._scene_every

    def slow(self, tick: int) -> bool:
        """The slow checks are due."""
        return tick % self.slow_every == 0

    def status(self, tick: int) -> bool:
        """A status is due."""
        return tick % self._status_every == self._status_at

    def scene(self, tick: int) -> bool:
        """A scene is due."""
        return tick % self._scene_every in self._scene_at

    def hello(self, tick: int) -> bool:
        """The facts about the core are due."""
        return tick % self._hello_every == self._hello_at

    def playbill(self, tick: int) -> bool:
        """The loaded show is due."""
        return tick % self._hello_every == self._playbill_at
