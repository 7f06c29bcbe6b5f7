"""Twelve live plots of 30 s at every tick: processor time of the thread that draws them.

Started as `python -m app.console.bench.twelve_plots ENDPOINT ROBOT`; prints its figures as JSON.
"""

import json
import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.console.application import SWITCH_S
from app.console.bench.painting import Frames
from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore, config_folder
from app.console.telemetry.layouts import Layout
from app.console.telemetry.panel import TelemetryPanel
from app.console.telemetry.traces import traces_of
from app.console.toolkit import theme
from app.console.toolkit.collector import Collector
from app.console.toolkit.singletons import keep_singletons

PLOTS, SPAN_S = 12, 30.0
WIDTH_PX, HEIGHT_PX = 1900, 700
READY_S = 60.0
MEASURED_S = 20.0


def main(endpoint: str, robot: str) -> int:
    """Measure on the present screen."""
    keep_singletons()
    sys.setswitchinterval(SWITCH_S)
    application = QApplication(["footlight"])
    theme.dress(application)
    collector = Collector(application)
    preferences = PreferencesStore(config_folder() / "preferences.json")
    context = Context(CoreLink(endpoint, robot), Document(), EditLock(), Notices(), preferences)
    panel = TelemetryPanel(context, lambda name, write: None)
    panel.resize(WIDTH_PX, HEIGHT_PX)
    panel.show()
    context.link.start()
    frames = Frames(application, panel)
    give_up_s = time.monotonic() + READY_S
    while context.link.hello is None:
        frames.spin(0.1)
        if time.monotonic() > give_up_s:
            print("no core answered", file=sys.stderr)
            return 1
    positions = [key for key in traces_of(context.link.hello) if key.endswith(" position")]
    panel.show_layout(Layout(tuple(positions[:PLOTS]), SPAN_S))
    frames.spin(SPAN_S + 2.0)
    collector.spare()
    drawn = panel.frames
    begun_s, worked_s = time.monotonic(), time.thread_time()
    QTimer.singleShot(round(1e3 * MEASURED_S), application.quit)
    application.exec()
    passed_s = time.monotonic() - begun_s
    found = {
        "plots": len(panel.plots),
        "lines": sum(len(plot.trace.lines) for plot in panel.plots),
        "share": (time.thread_time() - worked_s) / passed_s,
        "frames_per_s": (panel.frames - drawn) / passed_s,
    }
    print(json.dumps(found))
    panel.close()
    context.link.close()
    preferences.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
