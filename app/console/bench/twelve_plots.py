"""Twelve live plots of 30 s at every tick: processor time of the thread that draws them.

Started as `python -m app.console.bench.twelve_plots ENDPOINT ROBOT`; prints its figures as JSON.
"""

import json
import sys
import time

from PySide6.QtCore import QTimer

from app.console.bench.bench_console import BenchConsole, await_ready
from app.console.bench.painting import Frames
from app.console.telemetry.layouts import Layout
from app.console.telemetry.panel import TelemetryPanel
from app.console.telemetry.traces import traces_of

PLOTS, SPAN_S = 12, 30.0
WIDTH_PX, HEIGHT_PX = 1900, 700
READY_S = 60.0
MEASURED_S = 20.0


def main(endpoint: str, robot: str) -> int:
    """Measure on the present screen."""
    console = BenchConsole(endpoint, robot)
    application, context = console.application, console.context
    panel = TelemetryPanel(context, lambda name, write: None)
    panel.resize(WIDTH_PX, HEIGHT_PX)
    panel.show()
    context.link.start()
    frames = Frames(application, panel)
    if not await_ready(frames, lambda: context.link.hello is not None, READY_S, "no core answered"):
        return 1
    hello = context.link.hello
    assert hello is not None, "the core has answered"
    positions = [key for key in traces_of(hello) if key.endswith(" position")]
    panel.show_layout(Layout(tuple(positions[:PLOTS]), SPAN_S))
    frames.spin(SPAN_S + 2.0)
    console.collector.spare()
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
    console.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
