"""Photograph runs and jumps on the timeline: `python assets/pictures/gaits.py OUT`.

The console is the real one, with the core and the show of the robot that runs; the screen is a
virtual one.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from console import START_S, Photographer  # noqa: E402
from sessions import photograph, rise  # noqa: E402

ROBOT, SHOW = "small_biped", "meet_hopkin"
PICTURES = (  # name, cue, track and clip that is selected, time of the playhead [s]
    ("run", "2", (0, 0), 2.0),
    ("jumps", "3", (0, 0), 3.0),
    ("turn", "4", (0, 1), 7.0),
)


class GaitPhotographer(Photographer):
    """Goes through the cues that run and jump."""

    def work(self) -> None:
        """Go through the cues."""
        from shows.folders import GESTURES

        window = self.window
        rise(self)
        window.desk.open(GESTURES.parent / SHOW)
        timeline = window.timeline
        self.until("open the show", lambda: self.context.document.show.robot == ROBOT, START_S)
        self.press("Ctrl+7")
        for name, number, place, time_s in PICTURES:
            window.cues.table.select_numbers([number])
            self.wait(0.5)
            timeline.editor.select(frozenset({place}))
            timeline.scrub(time_s)
            self.wait(1.5)
            self.photograph(name, "timeline")


if __name__ == "__main__":
    if "--robot" not in sys.argv:
        sys.argv += ["--robot", ROBOT]
    sys.exit(photograph(Path(__file__), GaitPhotographer, {}))
