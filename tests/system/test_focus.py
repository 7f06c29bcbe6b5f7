"""Every control of the window is reached and left by keys, and Space is GO on all of them."""

from pathlib import Path
from typing import Any

from tests.system import inside, short_show
from tests.system.operating import press, sent
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS
PANELS = {
    "ctrl+1": "stage",
    "ctrl+2": "gestures_panel",
    "ctrl+3": "by_hand_panel",
    "ctrl+4": "cart",
    "ctrl+5": "live_strip",
    "ctrl+6": "event_log",
}
ALWAYS = {"top_bar", "cues", "go_bar", "stop_panel"}
MOST_STOPS = 200
GUARD_S = 0.5  # beyond the guard of GO


def test_every_panel_is_reached_and_left_by_keys(
    screen: Screen, asker: inside.Asker, tmp_path: Path
) -> None:
    show = short_show.save(tmp_path)
    with Rehearsal(screen, tmp_path, str(show), module=inside.MODULE) as rehearsal:
        rehearsal.listen()
        rehearsal.see("the core has it", lambda s: s.show == short_show.TITLE, 90.0)
        until(lambda: "cue_table" in within(asker), "the cue list has the focus")
        start = asker.ask("focus")["id"]
        for key, panel in PANELS.items():
            press(screen, key)
            until(lambda panel=panel: panel in within(asker), f"{key} leads to {panel}")
        seen: set[str] = set()
        kinds: set[str] = set()
        for _ in range(MOST_STOPS):
            focus = asker.ask("focus")
            seen.update(focus["within"])
            if focus["kind"] not in kinds:
                kinds.add(focus["kind"])
                press_space(screen, rehearsal, asker)
            step(screen, asker, "Tab")
            if PANELS["ctrl+6"] in within(asker) and seen > ALWAYS:
                break
        assert seen >= ALWAYS, seen
        print(sorted(kinds), start)


def press_space(screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
    """Press Space on what has the focus: it is written where text is, and is GO elsewhere."""
    rehearsal.throughout(GUARD_S, "it is limp", lambda s: s.mode == "DAMPED")
    before, asked = asker.ask("focus"), sent(rehearsal, "GO")
    screen.key("space")
    if before["text"] is not None:
        until(lambda: asker.ask("focus")["text"] == before["text"] + " ", "Space is written")
        screen.key("BackSpace")
        until(lambda: asker.ask("focus")["text"] == before["text"], "it is rubbed out")
        assert sent(rehearsal, "GO") == asked
    else:
        until(lambda: sent(rehearsal, "GO") == asked + 1, f"Space is GO on {before}", 10.0)
    assert asker.ask("focus") == before


def step(screen: Screen, asker: inside.Asker, key: str) -> dict[str, Any]:
    """Press a key that leads to another control, and return that."""
    before = asker.ask("focus")
    screen.key(key)
    until(lambda: asker.ask("focus").get("id") not in (None, before["id"]), f"on from {before}")
    found: dict[str, Any] = asker.ask("focus")
    print(found["kind"], found["name"], found["within"][:3])
    return found


def within(asker: inside.Asker) -> list[str]:
    """Return the names of what has the focus, and of all that it lies in."""
    try:
        found: list[str] = asker.ask("focus").get("within", [])
    except ConnectionRefusedError:
        return []
    return found
