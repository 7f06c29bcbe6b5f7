"""Every control of the window is reached and left by keys, and Space is GO on all of them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.system import inside, short_show
from tests.system.operating import STOP, press, sent
from tests.system.screen import MARKS, Rehearsal, Screen, until
from tests.system.sharing import Session

pytestmark = MARKS
PANELS = {
    "ctrl+1": "stage",
    "ctrl+2": "gestures_panel",
    "ctrl+3": "by_hand_panel",
    "ctrl+4": "cart",
    "ctrl+5": "live_strip",
    "ctrl+6": "event_log",
}
NO_STOPS = "live_strip"  # it shows, and nothing in it can be worked
ALWAYS = ("top_bar", "cues", "go_bar", "stop_panel")  # as they are read
MOST_STOPS = 150
GUARD_S = 0.4  # beyond the guard of GO


def test_every_panel_is_reached_and_left_by_keys(short: Session) -> None:
    screen, rehearsal = short.screen, short.rehearsal
    rehearsal.see("the core has it", lambda s: s.show == short_show.TITLE, 90.0)
    press(screen, STOP)  # for a robot that is only limp, Space is STAND UP
    rehearsal.see(
        "it is stopped", lambda s: s.mode == "FAULT" and all(p.done for p in s.reset_steps)
    )
    hand = Hand(screen, rehearsal, short.asker)
    start = until(lambda: hand.within("cue_table"), "the cue list has the focus")
    around = [start, *hand.tab(lambda focus: focus["id"] == start["id"])]
    assert len({focus["id"] for focus in around}) == len(around) - 1  # none comes twice
    parts = [part for focus in around for part in focus["within"] if part in ALWAYS]
    order = list(dict.fromkeys(parts))
    first = order.index(ALWAYS[0])
    assert (*order[first:], *order[:first]) == ALWAYS
    assert hand.step("shift+Tab")["id"] == around[-2]["id"]
    for key, panel in PANELS.items():
        press(screen, key)
        hand.try_space(until(partial(hand.within, panel), f"{key} leads to {panel}"))
        hand.tab(partial(is_outside, panel))
        back = hand.step("shift+Tab")
        assert panel in back["within"] or panel == NO_STOPS, f"{key}, Tab, Shift+Tab: {back}"
    print(f"{len(around) - 1} stops of Tab; Space pressed on {', '.join(sorted(hand.kinds))}")
    assert hand.kinds >= {"CueTable", "GestureView", "QLineEdit", "QSlider", "QTableView"}


def is_outside(panel: str, focus: dict[str, Any]) -> bool:
    return panel not in focus["within"]


class Hand:
    """Presses Tab, and looks where that leads.

    Attributes:
        kinds: of controls on which Space was pressed.
    """

    def __init__(self, screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
        self.kinds: set[str] = set()
        self._screen, self._rehearsal, self._asker = screen, rehearsal, asker

    def within(self, panel: str) -> dict[str, Any] | None:
        """Return what has the focus, if it lies in a panel."""
        try:
            focus: dict[str, Any] = self._asker.ask("focus")
        except ConnectionRefusedError:
            return None
        return focus if panel in focus.get("within", ()) else None

    def tab(self, ends: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Press Tab until something holds, and Space on every kind of control; return the way."""
        found: list[dict[str, Any]] = []
        while not found or not ends(found[-1]):
            assert len(found) < MOST_STOPS, [focus["name"] for focus in found]
            found.append(self.step("Tab"))
            self.try_space(found[-1])
        return found

    def try_space(self, focus: dict[str, Any]) -> None:
        """Press Space on what has the focus, if that is the first of its kind."""
        if focus["kind"] not in self.kinds:
            self.kinds.add(focus["kind"])
            self._press_space(focus)

    def step(self, key: str) -> dict[str, Any]:
        """Press a key that leads to another control, and return that."""
        before = self._asker.ask("focus")
        self._screen.key(key)

        def look() -> dict[str, Any] | None:
            focus: dict[str, Any] = self._asker.ask("focus")
            return focus if focus and focus["id"] != before["id"] else None

        focus = until(look, f"{key} leads on from {before}", 10.0)
        assert focus["seen"], f"{key} leads from {before} to where nobody sees it: {focus}"
        return focus

    def _press_space(self, before: dict[str, Any]) -> None:
        """Press Space: it is written where text is, and is GO elsewhere."""
        rehearsal, asker = self._rehearsal, self._asker
        rehearsal.throughout(GUARD_S, "it is stopped", lambda s: s.mode == "FAULT")
        asked = sent(rehearsal, "go")
        self._screen.key("space")
        if before["text"] is not None:
            written = before["text"] + " "
            until(lambda: asker.ask("focus")["text"] == written, f"{written!r} is written")
            self._screen.key("BackSpace")
            until(lambda: asker.ask("focus")["text"] == before["text"], "it is rubbed out")
            assert sent(rehearsal, "go") == asked
        else:
            until(lambda: sent(rehearsal, "go") == asked + 1, f"Space is GO on {before}", 10.0)
        assert asker.ask("focus")["state"] == before["state"]
