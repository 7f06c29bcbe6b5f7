"""The robot pulled at with the mouse, in the whole window, on the real rehearsal."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from app.console.stage import drag
from tests.system import inside
from tests.system.operating import press, stand, undisturbed
from tests.system.screen import MARKS, Rehearsal, Screen, until
from tests.system.sharing import Session

pytestmark = MARKS
STAGE = "ctrl+1"
WAY_PX = 10  # sideways; the robot shall lean, not fall
LEAST_N = 4.0  # of such a pull
STILL = 15  # pictures without a force
LEFT = "1"  # the mouse's button


def test_a_drag_on_the_body_pushes_until_it_ends(
    sample: Session, other_program: Callable[[Screen], AbstractContextManager[str]]
) -> None:
    screen, rehearsal, asker = sample.screen, sample.rehearsal, sample.asker
    until(lambda: "meet_cosmo" in screen.title(), "the console has opened the show")
    with other_program(screen) as other:
        stand(screen, rehearsal)
        falls = rehearsal.see("it stands", lambda s: True).falls
        press(screen, STAGE)
        hand = Hand(screen, rehearsal, asker)

        def let_go() -> None:
            hand.press()
            hand.drag()
            hand.release()

        def leave() -> None:
            """The pointer goes out of the window, and the button is let go there."""
            hand.press()
            place = hand.body[0] + WAY_PX // 2, hand.body[1] - 30
            screen.do("windowmove", other, *map(str, place))
            hand.drag()
            below = hand.window()

            def raised() -> bool:
                screen.do("windowraise", other)
                return hand.window() != below

            until(raised, "the other window lies below the pointer")
            hand.release()

        def lose() -> None:
            """Another program comes to the front while the button is down."""
            hand.press()
            hand.drag()
            screen.do("windowactivate", "--sync", other)
            hand.see_the_end()
            hand.release()

        for way in (let_go, leave, lose):
            undisturbed(rehearsal, way)
            rehearsal.see("it stands", lambda s: s.mode == "READY")
        assert rehearsal.see("it is heard", lambda s: True).falls == falls


class Hand:
    """A mouse on the body.

    Attributes:
        body: where it was pressed, on the screen [pixels].
    """

    def __init__(self, screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
        self._screen, self._rehearsal, self._asker = screen, rehearsal, asker
        self.body = self._find()

    def press(self) -> None:
        """Press on the body."""
        until(self._screen.focus, "the console's window has the keys")
        self.body = self._find()
        self._move(0)
        self._screen.do("mousedown", LEFT)

    def drag(self) -> None:
        """Drag until the core says that the body is pulled at."""
        for way in range(0, WAY_PX + 1, 2):
            self._move(way)
        until(lambda: force_n(self._rehearsal) > LEAST_N, "the core has a force")

    def window(self) -> str:
        """Return the number of the window below the pointer."""
        return self._screen.do("getmouselocation").rpartition("window:")[2]

    def release(self) -> None:
        """Let go, and see the force end."""
        self._screen.do("mouseup", LEFT)
        self.see_the_end()

    def see_the_end(self) -> None:
        """See that there is no force any more: a gap between two pushes is no end."""
        still = 0

        def look() -> bool:
            nonlocal still
            still = 0 if force_n(self._rehearsal) else still + 1
            return still > STILL

        until(look, "the force has ended", 10.0)

    def _find(self) -> tuple[int, int]:
        """Return a place on the body: alarms may have moved the picture."""
        left, top, width, height = until(lambda: self._asker.ask("view"), "the picture is there")
        return left + width // 2, top + height // 3

    def _move(self, way: int) -> None:
        self._screen.do("mousemove", str(self.body[0] + way), str(self.body[1]))


def force_n(rehearsal: Rehearsal) -> float:
    """Return the force of the newest picture [N]."""
    scene = until(rehearsal.scene, "a picture comes")
    force = float(np.linalg.norm(scene.external_force))
    assert force <= drag.MOST_N + 1e-3
    return force
