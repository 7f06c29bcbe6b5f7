"""The picture of a person and of the robot that follows: its rate, and how old the person is in it.

Started as `python -m app.console.bench.duel_picture ENDPOINT ROBOT`, while a person is followed;
prints its figures as JSON.
"""

import json
import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage, QPaintEvent

from app.console.bench.bench_console import BenchConsole, await_ready
from app.console.bench.lateness import spread
from app.console.bench.painting import Frames
from app.console.context.core_link import CoreLink
from app.console.stage.picture import Picture
from app.console.stage.view import StagePanel
from app.picture.camera import Preset
from app.picture.protocol import Shot

WIDTH_PX, HEIGHT_PX = 1180, 640  # of the panel in a window of 1920×1080
READY_S = 90.0
SETTLED_S, MEASURED_S = 3.0, 30.0


class Watch:
    """Notes which moment of the person each painted picture shows."""

    def __init__(self, link: CoreLink) -> None:
        self._link = link
        self._ordered_s = self._shown_s = 0.0
        self.ages_s: list[float] = []
        self.pictures = 0
        self._around()

    def _around(self) -> None:
        """Look at what a panel orders, shows and paints."""
        order, show, paint = StagePanel._shot, Picture.show_frame, Picture.paintEvent
        watch = self

        def shot(self: StagePanel) -> Shot:
            found = order(self)
            human = watch._link.human
            watch._ordered_s = human.stamp_s if found.human and human is not None else 0.0
            return found

        def show_frame(self: Picture, image: QImage) -> None:
            watch._shown_s, watch.pictures = watch._ordered_s, watch.pictures + 1
            show(self, image)

        def paint_event(self: Picture, event: QPaintEvent) -> None:
            paint(self, event)
            if watch._shown_s:
                watch.ages_s.append(time.monotonic() - watch._shown_s)
                watch._shown_s = 0.0

        for owner, name, other in (
            (StagePanel, "_shot", shot),
            (Picture, "show_frame", show_frame),
            (Picture, "paintEvent", paint_event),
        ):
            setattr(owner, name, other)

    def forget(self) -> None:
        """Count from now on."""
        self.ages_s, self.pictures = [], 0


def main(endpoint: str, robot: str) -> int:
    """Measure on the present screen."""
    console = BenchConsole(endpoint, robot)
    application, context = console.application, console.context
    panel = StagePanel(context)
    watch = Watch(context.link)
    panel.resize(WIDTH_PX, HEIGHT_PX)
    panel.steering.choose(Preset.PAIR)
    panel.show()
    context.link.start()
    frames = Frames(application, panel)
    if not await_ready(
        frames,
        lambda: bool(watch.ages_s) and _follows(context.link),
        READY_S,
        "nobody was followed",
    ):
        return 1
    frames.spin(SETTLED_S)
    console.collector.spare()
    watch.forget()
    begun_s = time.monotonic()
    QTimer.singleShot(round(1e3 * MEASURED_S), application.quit)
    application.exec()
    found = {
        "frames_per_s": watch.pictures / (time.monotonic() - begun_s),
        "with_person": len(watch.ages_s) / max(watch.pictures, 1),
        "age_ms": spread(watch.ages_s),
    }
    print(json.dumps(found))
    panel.close_view()
    panel.close()
    console.close()
    return 0


def _follows(link: CoreLink) -> bool:
    return link.status is not None and link.status.follow.presence == "followed"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
