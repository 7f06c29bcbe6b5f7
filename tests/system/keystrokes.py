"""The hands of an operator, whose time is estimated by the keystroke-level model.

Card, Moran and Newell, "The keystroke-level model for user performance time with interactive
systems", CACM 23(7), 1980: an experienced user's time is the sum of the operators below and of the
system's own time. The mental operator stands before every deed, which is the slow side.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.system.operating import TRIES, press
from tests.system.screen import Screen, until

KEY_S = 0.28  # K: of a typist of average skill, also for a modifier
POINT_S = 1.1  # P
BUTTON_S = 0.1  # B: down or up
HOME_S = 0.4  # H: from keyboard to mouse or back
MENTAL_S = 1.35  # M
STEP_S = 0.03  # of a real drag
EFFECT_S = 10.0  # after which a deed had none
Place = list[int]


@dataclass
class Operator:
    """Works mouse and keyboard of a screen, and counts.

    Attributes:
        screen: the screen.
        deeds: number of each kind of operator of the model.
        waited_s: the system's own time [s].
    """

    screen: Screen
    deeds: dict[str, int] = field(default_factory=lambda: dict.fromkeys("KPBHM", 0))
    waited_s: float = 0.0
    _at_mouse: bool = False

    @property
    def time_s(self) -> float:
        """The estimated time so far [s]."""
        seconds = dict(K=KEY_S, P=POINT_S, B=BUTTON_S, H=HOME_S, M=MENTAL_S)
        return self.waited_s + sum(count * seconds[kind] for kind, count in self.deeds.items())

    def click(self, place: Place) -> None:
        """Click a place of the screen."""
        self._begin(at_mouse=True)
        self._count(P=1, B=2)
        self.screen.do("mousemove", *map(str, place))
        time.sleep(STEP_S)
        self.screen.do("click", "1")

    def drag(self, *way: Place, pace_s: float = STEP_S) -> None:
        """Drag from the first of some places over the others.

        Args:
            way: places of the screen.
            pace_s: time of each of the twenty steps between two places [s].
        """
        self._begin(at_mouse=True)
        self._count(P=len(way), B=2)
        self.screen.do("mousemove", *map(str, way[0]))
        time.sleep(STEP_S)
        self.screen.do("mousedown", "1")
        for before, after in zip(way, way[1:], strict=False):
            for share in np.linspace(0.05, 1.0, 20):
                place = [round(a + share * (b - a)) for a, b in zip(before, after, strict=True)]
                self.screen.do("mousemove", *map(str, place))
                time.sleep(pace_s)
        self.screen.do("mouseup", "1")

    def press(self, key: str) -> None:
        """Press a key, with its modifiers ("ctrl+s")."""
        self._begin(at_mouse=False)
        self._count(K=len(key.split("+")))
        press(self.screen, key)

    def type(self, text: str) -> None:
        """Type over what is in the field that has the keys."""
        self._begin(at_mouse=False)
        self._count(K=2 + len(text))
        self.screen.key("ctrl+a")
        self.screen.do("type", "--delay", "30", text)

    def until(self, deed: Callable[[], None], holds: Callable[[], bool], what: str) -> None:
        """Do something until it has an effect; only the first time counts.

        A console that hung drops a late press of what moves the robot, and says so.

        Raises:
            AssertionError: it has none.
        """
        for attempt in range(TRIES):
            deeds, at_mouse = dict(self.deeds), self._at_mouse
            deed()
            if attempt:
                self.deeds, self._at_mouse = deeds, at_mouse
            try:
                until(holds, what, EFFECT_S)
                return
            except AssertionError:
                if attempt == TRIES - 1:
                    raise

    def wait(self, seconds: float) -> None:
        """Count a time in which the operator can only wait; the test has waited already."""
        self.waited_s += seconds

    def told(self) -> str:
        """Return the count in one line."""
        counts = " ".join(f"{kind}{count}" for kind, count in self.deeds.items())
        return f"{self.time_s:.0f} s by the keystroke-level model ({counts}, {self.waited_s:.1f} s)"

    def _begin(self, at_mouse: bool) -> None:
        self._count(M=1, H=int(at_mouse is not self._at_mouse))
        self._at_mouse = at_mouse

    def _count(self, **deeds: int) -> None:
        for kind, count in deeds.items():
            self.deeds[kind] += count
