"""The bench of the window of runs: how soon it opens, and how long a frame of it takes."""

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.console.bench.lateness import spread
from app.console.bench.painting import Frames
from app.runs.window import RunWindow

FRAMES = 150  # of each deed
SPANS_S = (2.0, 10.0, 60.0, 600.0)  # that are shown while the playhead is moved
PATIENCE_S = 120.0
BARS = {"open_s": 3.0, "frame_ms": 150.0, "memory_mb": 1500.0}


def measure(started_s: float, window: RunWindow) -> None:
    """Measure a window that has just been shown, print the result as JSON, and close it.

    Args:
        started_s: start of the program on the host's monotonic clock [s].
        window: the window.
    """
    QTimer.singleShot(0, window, partial(_measure, started_s, window))


def _measure(started_s: float, window: RunWindow) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    frames = Frames(application, window)
    _until(frames, lambda: window.stage.drawing)
    found: dict[str, object] = {"open_s": time.monotonic() - started_s}
    _scrub(frames, window, "while it is read")
    _until(frames, lambda: window.run.digest.done)
    found["read_s"] = time.monotonic() - started_s
    for span_s in SPANS_S:
        window.playback.show(0.0, span_s)
        frames.spin(0.3)
        _scrub(frames, window, f"scrub, {span_s:g} s shown")
    window.playback.show_all()
    frames.spin(0.3)
    _scrub(frames, window, "scrub, all shown")
    for step in range(FRAMES):
        frames.take("zoom", partial(window.playback.zoom, 0.9 if step < FRAMES // 2 else 1.0 / 0.9))
    found["frames"] = {what: spread(times) for what, times in frames.times_s.items()}
    found["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    found["length_s"] = window.run.end_s - window.run.start_s
    found["size_px"] = [window.width(), window.height()]
    print(json.dumps(found))
    sys.stdout.flush()
    window.close()


def _scrub(frames: Frames, window: RunWindow, what: str) -> None:
    """Drag the playhead over the run: to the right by small steps, with some jumps."""
    playback, chance = window.playback, random.Random(1)
    length_s = playback.end_s - playback.start_s
    time_s = playback.start_s
    for step in range(FRAMES):
        time_s = chance.random() * length_s if step % 5 == 0 else time_s + 0.02 * playback.span_s
        frames.take(what, partial(playback.go, playback.start_s + time_s))


def _until(frames: Frames, come: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not come() and time.monotonic() < end_s:
        frames.spin(0.02)


def rows_of(found: dict[str, object]) -> list[tuple[str, float, float, bool]]:
    """Return name, value, bar and whether it holds, for each figure with a bar."""
    frames = found["frames"]
    assert isinstance(frames, dict)
    rows = [
        (name, float(str(found[name])), bar) for name, bar in BARS.items() if name != "frame_ms"
    ]
    rows += [
        (f"frame, {what} [ms]", each["max"], BARS["frame_ms"]) for what, each in frames.items()
    ]
    return [(name, value, bar, value <= bar) for name, value, bar in rows]
