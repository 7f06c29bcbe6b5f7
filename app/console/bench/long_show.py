"""A cue of 500 clips in a show of two hours, edited in the console's window: time of each frame.

Started as `python -m app.console.bench.long_show ENDPOINT ROBOT`; prints what it measured as JSON.
"""

import json
import sys
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.console.bench.bench_console import BenchConsole, await_ready
from app.console.bench.lateness import spread
from app.console.bench.painting import Frames
from app.console.context.document import Document
from app.console.timeline.material import all_places
from app.console.window.window import Window
from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    HeadClip,
    HeadTrack,
    LightClip,
    LightTrack,
    Show,
    Track,
    WalkClip,
    WalkTrack,
)

CUES, CUE_S, CLIPS = 240, 30.0, 500
FRAMES = 80  # of each deed
READY_S = 60.0
EDITED = "1"


def long_show(motion: str, motion_s: float) -> Show:
    """Return a show of two hours whose first cue has 500 clips on ten tracks."""
    rest = tuple(
        Cue(
            number=str(i + 2),
            name=f"Scene {i + 2}",
            safe_points_s=(0.0, 10.0, 20.0),
            tracks=(
                GestureTrack(
                    clips=tuple(GestureClip(start_s=6.0 * k, motion=motion) for k in range(4))
                ),
                HeadTrack(clips=(HeadClip(start_s=1.0, length_s=CUE_S - 1.0, yaw=0.2),)),
            ),
        )
        for i in range(CUES - 1)
    )
    each = CLIPS // 10
    apart_s = motion_s + 0.2
    tracks: list[Track] = [
        GestureTrack(
            name=f"Gestures {n + 1}",
            clips=tuple(GestureClip(start_s=apart_s * k, motion=motion) for k in range(each)),
        )
        for n in range(5)
    ]
    tracks += [
        HeadTrack(clips=tuple(HeadClip(start_s=apart_s * k, length_s=2.0) for k in range(each)))
        for _ in range(2)
    ]
    walks = tuple(WalkClip(start_s=apart_s * k, length_s=2.0, vx=0.1) for k in range(each))
    tracks += [WalkTrack(clips=walks)]
    lights = tuple(LightClip(start_s=apart_s * k, event=f"state {k}") for k in range(each))
    tracks += [LightTrack(clips=lights) for _ in range(2)]
    first = Cue(number=EDITED, name="The long one", tracks=tuple(tracks))
    return Show(name="Two hours", cues=(first, *rest))


def wheel(widget: QWidget, at: QPoint, steps: int, keys: Qt.KeyboardModifier) -> None:
    """Turn the wheel over a widget."""
    event = QWheelEvent(
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def edit(frames: Frames, window: Window, document: Document) -> None:
    """Drag, zoom, scroll and type, and take the time of every frame."""
    timeline = window.timeline
    canvas, editor, view = timeline.canvas, timeline.editor, timeline.view
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    middle = QPoint(canvas.width() // 2, canvas.height() // 2)
    cue = editor.cue
    assert cue is not None
    for what, places in (("drag one", frozenset({(0, 0)})), ("drag all", all_places(cue))):
        view.fit_cue(editor)
        frames.spin(0.5)
        editor.select(places)
        lanes = canvas.lanes
        assert lanes is not None
        at = lanes.rect((0, 0), cue.tracks[0].clips[0]).center().toPoint()
        QTest.mousePress(canvas, left, plain, at)
        for step in range(FRAMES):
            frames.take(what, partial(QTest.mouseMove, canvas, at + QPoint(3 * step, 0)))
        end = at + QPoint(3 * FRAMES, 0)
        release = partial(QTest.mouseRelease, canvas, left, plain, end)
        frames.take(f"{what}: release", release)
        frames.spin(1.0)
        frames.take(f"{what}: undo", document.undo.undo)
        frames.spin(1.0)
    for step in range(FRAMES):
        steps = 1 if step < FRAMES // 2 else -1
        frames.take("zoom", partial(wheel, canvas, middle, steps, control))
    for step in range(FRAMES):
        steps = -1 if step < FRAMES // 2 else 1
        frames.take("scroll in time", partial(wheel, canvas, middle, steps, shift))
        frames.take("scroll the tracks", partial(wheel, canvas, middle, steps, plain))
    for step in range(FRAMES):
        frames.take("scrub", partial(timeline.scrub, 0.5 * step))


def main(endpoint: str, robot: str) -> int:
    """Measure on the present screen."""
    console = BenchConsole(endpoint, robot)
    application, context = console.application, console.context
    window = Window(context, None)
    context.link.start()
    window.begin()
    window.unpaced()
    frames = Frames(application, window)
    library = window.gestures.library
    if not await_ready(
        frames,
        lambda: library.ready and bool(library.entries()),
        READY_S,
        "the gestures were not read",
    ):
        return 1
    motion = min(library.entries(), key=lambda entry: entry.motion.duration_s).motion
    show = long_show(motion.name, motion.duration_s)
    context.document.open(show, None, {motion.name: motion}, {}, None, [motion])
    window.docks.bring("timeline")
    window.cues.table.select_numbers([EDITED])
    frames.spin(3.0)
    console.collector.spare()
    edit(frames, window, context.document)
    found = {what: spread(times) for what, times in frames.times_s.items()}
    size = [window.width(), window.height()]
    print(json.dumps({"frames": found, "size_px": size}))
    window.leave()
    console.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
