"""Photograph the console at work: `python assets/pictures/console.py OUT [--publish]`.

The console is the real one, operated by its keys and by the mouse; the core is the real one, with
the simulated robot; the screen is a virtual one (Xvfb, openbox, ImageMagick). OUT gets a folder
for each size of screen. `--publish` also renews the manual's pictures and the README's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MANUAL = ROOT / "app" / "manual" / "pictures"
SIZES = ("1920x1080", "1280x800")
CORE_S, START_S, STEP_S = 240.0, 60.0, 30.0
COLOURS, README_COLOURS = 96, 200
NEEDED = ("Xvfb", "openbox", "import", "convert")
MARGIN = 6  # around a panel [px]
CONTROLLER_LAYOUT = "Layout of the controller"  # accessible name of the button that shows it
PUBLISHED = {  # picture of the manual: size of the screen, picture
    "window": ("1280x800", "cue_running"),
    "top_bar": ("1280x800", "cue_running.top_bar"),
    "lost": ("1280x800", "lost.top_bar"),
    "cue_list": ("1920x1080", "cue_running.cues"),
    "inspector": ("1920x1080", "inspector.cues"),
    "go_bar": ("1920x1080", "cue_running.go_bar"),
    "go_disregarded": ("1920x1080", "go_disregarded.go_bar"),
    "cart": ("1920x1080", "cart.cart"),
    "show_lock": ("1280x800", "show_lock.top_bar"),
    "gestures": ("1920x1080", "gesture_playing.gestures"),
    "by_hand": ("1920x1080", "walk_by_hand.by_hand"),
    "body": ("1920x1080", "body_by_hand.by_hand"),
    "controller": ("1280x800", "controller.controller_picture"),
    "stage": ("1920x1080", "walk_by_hand.stage"),
    "push": ("1920x1080", "push.stage"),
    "live": ("1920x1080", "walk_by_hand.live"),
    "timeline": ("1920x1080", "timeline.timeline"),
    "telemetry": ("1920x1080", "telemetry.telemetry"),
    "event_log": ("1920x1080", "event_log.log"),
    "stop": ("1280x800", "ready.stop_panel"),
    "stopped": ("1280x800", "stopped.stop_panel"),
    "alarms": ("1280x800", "start.alarms"),
    "preferences": ("1280x800", "preferences"),
}


@contextmanager
def screen(size: str) -> Iterator[str]:
    """Yield the name of a virtual screen of this size, with a window manager."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            display = f":{pipe.readline().strip()}"
        environment = {**os.environ, "DISPLAY": display}
        manager = subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
        try:
            yield display
        finally:
            end(manager)
    finally:
        end(server)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started here."""
    process.terminate()
    try:
        process.wait(20.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Photographer:
    """Operates a console and photographs it; runs where there is a screen.

    Args:
        out: folder of the pictures.
        core: process of the core, which is killed for the last picture.
        endpoint: where it listens.
        robot: name of its robot; empty for the default one, with its sample show.
    """

    def __init__(
        self, out: Path, core: subprocess.Popen[bytes], endpoint: str, robot: str = ""
    ) -> None:
        from PySide6.QtWidgets import QApplication

        from app.console.context.context import Context
        from app.console.context.core_link import CoreLink
        from app.console.context.document import Document
        from app.console.context.lock import EditLock
        from app.console.context.notices import Notices
        from app.console.preferences.store import PreferencesStore, config_folder
        from app.console.toolkit import theme
        from app.console.toolkit.singletons import keep_singletons
        from app.console.window.window import Window
        from core.run.launch import LaunchConfig
        from shows.folders import GESTURES

        keep_singletons()
        self.application = QApplication(["footlight"])
        theme.dress(self.application)
        preferences = PreferencesStore(config_folder() / "preferences.json")
        link = CoreLink(endpoint, robot or LaunchConfig(endpoint=endpoint).robot)
        self.context = Context(link, Document(), EditLock(), Notices(), preferences)
        show = None if robot else GESTURES.parent / "meet_cosmo"
        self.window = Window(self.context, show)
        self.out, self.core = out, core
        link.start()
        self.window.begin()

    # What a hand does

    def wait(self, seconds: float) -> None:
        """Let the console go on."""
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()  # QTest.qWait would not let other threads run
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()

    def until(self, what: str, holds: Callable[[], bool], most_s: float = STEP_S) -> None:
        """Wait until something holds.

        Raises:
            TimeoutError: it does not.
        """
        deadline = time.monotonic() + most_s
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: not within {most_s:g} s (mode {self.mode})")
            self.wait(0.05)

    def press(self, keys: str) -> None:
        """Press keys ("Ctrl+L") and let them go."""
        from PySide6.QtGui import QKeySequence
        from PySide6.QtTest import QTest

        combination = QKeySequence(keys)[0]
        target = self.application.focusWidget() or self.window
        QTest.keyClick(target, combination.key(), combination.keyboardModifiers())
        self.wait(0.3)

    def panel(self, name: str) -> Any:
        """Return the widget of a name."""
        from PySide6.QtWidgets import QWidget

        found = self.window.findChild(QWidget, name)
        if found is None:
            raise LookupError(f"the console has no {name}")
        return found

    @property
    def mode(self) -> str:
        """The robot's mode."""
        status = self.context.link.status
        return "?" if status is None else status.mode

    def runs(self) -> bool:
        """Tell whether a cue runs."""
        status = self.context.link.status
        return status is not None and bool(status.running_cues)

    def photograph(self, name: str, *panels: str) -> None:
        """Write a picture of the screen, and one of each of these panels."""
        from PySide6.QtCore import QPoint, QRect

        self.wait(0.3)
        whole = self.out / f"{name}.png"
        # Beside the console, which would fall silent if it took the picture itself.
        taking = subprocess.Popen(["import", "-window", "root", "-quality", "10", str(whole)])
        self.until("take a picture", lambda: taking.poll() is not None)
        screen = self.window.screen().geometry()
        for panel in panels:
            widget = self.panel(panel)
            place = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
            place = place.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).intersected(screen)
            part = f"{place.width()}x{place.height()}+{place.x()}+{place.y()}"
            cut = ["convert", str(whole), "-crop", part, "+repage",
                   str(self.out / f"{name}.{panel}.png")]  # fmt: skip
            cutting = subprocess.Popen(cut)
            self.until("cut a picture", lambda cutting=cutting: cutting.poll() is not None)
        print(f"{self.out.name}: {name}", flush=True)

    @contextmanager
    def held(self, widget: Any, x: float, y: float, to_x: float, to_y: float) -> Iterator[None]:
        """Hold the mouse's button on a widget or window; places are shares of its size."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        size = widget.size()
        start = QPoint(round(x * size.width()), round(y * size.height()))
        goal = QPoint(round(to_x * size.width()), round(to_y * size.height()))
        button, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(widget, button, plain, start)
        for step in range(1, 9):
            QTest.mouseMove(widget, start + (goal - start) * (step / 8))
            self.wait(0.03)
        try:
            yield
        finally:
            QTest.mouseRelease(widget, button, plain, goal)

    # The session

    def work(self) -> None:
        """Go through a session."""
        for moment in (
            self.begin, self.perform, self.edit, self.compose, self.gestures, self.by_hand,
            self.cart, self.push, self.sheets, self.stop, self.lose,
        ):  # fmt: skip
            moment()

    def ready(self) -> None:
        """Wait until the robot stands and does nothing."""
        self.until("stand", lambda: self.mode == "READY" and not self.runs())
        status = self.context.link.status
        if status is not None and status.action not in ("NONE", "WARN"):  # a slow machine
            self.press("Esc")
            self.press("Esc")
            self.wait(3.5)

    def go(self) -> None:
        """Press GO; once more where the core wants it, as after a fault of a slow machine."""
        deadline = time.monotonic() + STEP_S
        while not self.runs() and time.monotonic() < deadline:
            self.press("Space")
            self.wait(1.0)
        self.until("run a cue", self.runs)

    def end(self) -> None:
        """End what runs, and put the first cue on standby."""
        self.press("Esc")
        self.ready()
        self.wait(3.5)  # another Esc begins the ladder anew
        self.press("Ctrl+Shift+R")

    def begin(self) -> None:
        """Photograph the start."""
        link, caller = self.context.link, self.window.caller
        self.until("find the core", lambda: link.connected, START_S)

        def checked() -> bool:
            cues = self.context.document.show.cues
            return (
                bool(cues)
                and link.status is not None
                and bool(link.status.standby_cue)
                and all(caller.verdicts.of(cue).kind != "unknown" for cue in cues)
            )

        self.until("check the show", checked, CORE_S)
        self.wait(1.0)
        self.photograph("start", "alarms")
        self.press("Ctrl+K")
        self.press("Ctrl+F7")
        self.until("stand up", lambda: self.mode == "READY", START_S)
        self.wait(3.0)
        self.ready()
        self.photograph("ready", "top_bar", "stop_panel", "cues", "go_bar", "stage")

    def perform(self) -> None:
        """Photograph a cue, a pause, a GO that does not count, and the lock."""
        self.go()
        self.press("Ctrl+K")
        self.wait(0.3)
        self.photograph(
            "cue_running", "top_bar", "cues", "go_bar", "stage", "stop_panel", "live", "log"
        )
        self.press("[")
        self.photograph("paused", "go_bar", "top_bar")
        self.press("]")
        self.end()
        self.press("Ctrl+L")
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        for _ in range(2):  # a nervous hand
            QTest.keyClick(self.application.focusWidget() or self.window, Qt.Key.Key_Space)
            self.wait(0.08)
        self.photograph("go_disregarded", "go_bar")
        self.photograph("show_lock", "top_bar", "cues")
        self.end()
        self.press("Ctrl+L")

    def edit(self) -> None:
        """Photograph the inspector."""
        self.window.cues.table.select_numbers(["4"])
        self.window.cues.table.setFocus()
        self.press("Ctrl+I")
        self.photograph("inspector", "cues")
        self.press("Ctrl+I")

    def compose(self) -> None:
        """Photograph the timeline, and the path of a walk seen from above."""
        from app.picture.camera import Preset

        timeline = self.window.timeline
        self.window.cues.table.select_numbers(["8"])
        self.press("Ctrl+7")
        self.wait(0.5)
        timeline.editor.select(frozenset({(0, 0)}))
        timeline.scrub(3.0)
        self.wait(1.5)
        self.photograph("timeline", "timeline", "stage")
        self.window.cues.table.select_numbers(["4"])
        self.window.stage.steering.choose(Preset.TOP)
        timeline.scrub(8.0)
        self.wait(3.0)
        self.photograph("path", "stage")
        self.window.stage.steering.choose(Preset.AUDIENCE)
        self.window.docks.bring("live")
        self.wait(1.0)

    def gestures(self) -> None:
        """Photograph the gestures."""
        self.press("Ctrl+2")
        view = self.window.gestures.view
        for row in (0, 2, 5):
            view.setCurrentIndex(view.model().index(row, 0))
            self.press("*")
        view.setCurrentIndex(view.model().index(0, 0))
        self.wait(2.0)
        self.ready()
        self.press("1")
        self.wait(0.7)
        self.photograph("gesture_playing", "gestures", "stage")
        self.wait(5.0)

    def by_hand(self) -> None:
        """Photograph head, body and walk."""
        self.press("Ctrl+3")
        self.wait(0.5)
        with self.held(self.window.by_hand.head_part.pad, 0.5, 0.5, 0.25, 0.35):
            self.wait(1.5)
            self.photograph("head_by_hand", "by_hand", "stage")
        self.wait(2.0)
        self.window.by_hand.chosen.setCurrentIndex(1)
        self.wait(0.3)
        with self.held(self.window.by_hand.body_part.pad, 0.5, 0.5, 0.65, 0.3):
            self.wait(1.5)
            self.photograph("body_by_hand", "by_hand", "stage")
        self.window.by_hand.chosen.setCurrentIndex(0)
        self.wait(2.0)
        self.ready()
        with self.held(self.window.by_hand.walk_part.pad, 0.5, 0.5, 0.45, 0.1):
            self.wait(4.0)
            self.photograph("walk_by_hand", "by_hand", "stage", "live")
            self.window.docks.bring("telemetry")
            self.wait(6.0)
            self.photograph("telemetry", "telemetry")
            self.window.docks.bring("live")
        self.wait(3.0)
        self.ready()
        self.controller()

    def controller(self) -> None:
        """Photograph the layout of the game controller."""
        from PySide6.QtWidgets import QPushButton, QScrollArea

        by_hand = self.window.by_hand
        scroll = by_hand.findChild(QScrollArea)
        buttons = by_hand.findChildren(QPushButton)
        layout = next(b for b in buttons if b.accessibleName() == CONTROLLER_LAYOUT)
        layout.click()
        self.wait(0.3)
        scroll.ensureWidgetVisible(self.panel("controller_picture"), 0, 20)
        self.photograph("controller", "controller_picture", "by_hand")
        layout.click()

    def cart(self) -> None:
        """Photograph the cart while a pad's cue runs."""
        self.press("Ctrl+4")
        self.go()
        self.wait(0.5)
        self.photograph("cart", "cart")
        self.end()

    def push(self) -> None:
        """Photograph a pull at the robot, and the event log."""
        self.press("Ctrl+1")
        stage = self.window.stage
        self.wait(1.0)
        with self.held(stage.picture, 0.5, 0.42, 0.535, 0.41):
            self.wait(0.6)
            self.photograph("push", "stage")
        self.wait(3.0)
        self.press("Ctrl+6")
        self.photograph("event_log", "log")

    def sheets(self) -> None:
        """Photograph what comes up over the panels."""
        host = self.window.sheets
        for name, keys in (
            ("preferences", "Ctrl+,"), ("keys", "Ctrl+F1"), ("manual", "F1"), ("open", "Ctrl+O"),
        ):  # fmt: skip
            self.press(keys)
            self.wait(1.0)
            self.photograph(name)
            while host.top is not None:
                host.top.dismiss()
                self.wait(0.3)

    def stop(self) -> None:
        """Photograph STOP, the steps to a reset, and the robot that was put back."""
        self.press("F12")
        self.wait(0.2)
        self.photograph("stop_pressed", "stop_panel")
        self.wait(4.0)
        self.photograph("stopped", "stop_panel", "top_bar", "stage")
        self.press("F9")
        self.until("put back", lambda: self.mode == "READY", START_S)
        self.photograph("put_back", "stop_panel")

    def lose(self) -> None:
        """Photograph a core that died."""
        os.killpg(self.core.pid, signal.SIGKILL)
        self.wait(2.5)
        self.photograph("lost", "top_bar", "stop_panel", "go_bar")


def session(out: Path, endpoint: str) -> None:
    """Start a core, photograph one session with it, and end it."""
    out.mkdir(parents=True, exist_ok=True)
    port = endpoint.rpartition(":")[2]
    core = subprocess.Popen(
        [sys.executable, "-P", "-m", "app", "core", "--port", port],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        photographer = Photographer(out, core, endpoint)
        photographer.work()
        photographer.window.leave()
        photographer.context.link.close()
    finally:
        if core.poll() is None:
            os.killpg(core.pid, signal.SIGTERM)
            core.wait(30.0)
    sys.stdout.flush()
    os._exit(0)  # nothing of a console that was photographed is worth an orderly end


def publish(out: Path) -> None:
    """Write the pictures of the manual and of the README, small."""
    MANUAL.mkdir(exist_ok=True)
    jobs = [(out / size / f"{name}.png", MANUAL / f"{place}.png", COLOURS)
            for place, (size, name) in PUBLISHED.items()]  # fmt: skip
    jobs.append((out / SIZES[0] / "cue_running.png", HERE / "console.png", README_COLOURS))
    for source, target, colours in jobs:
        if source.exists():
            subprocess.run(
                ["convert", str(source), "+dither", "-colors", str(colours), "-strip",
                 "-define", "png:compression-level=9", f"png8:{target}"], check=True,
            )  # fmt: skip
            print(f"{target.relative_to(ROOT)}, {target.stat().st_size / 1000:.0f} kB")


def main() -> int:
    """Photograph the console on every size of screen."""
    parser = argparse.ArgumentParser(description="Photograph the console at work.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the pictures")
    parser.add_argument("--size", choices=SIZES, action="append", help="only this screen")
    parser.add_argument("--publish", action="store_true", help="renew the manual and the README")
    parser.add_argument("--session", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    out = options.out.resolve()
    if options.session:
        session(out, options.session)
    from core.link.session import free_endpoint

    missing = [
        name for name in ("Xvfb", "openbox", "import", "convert") if shutil.which(name) is None
    ]
    if missing:
        parser.error(f"needs {' and '.join(missing)}")
    status = 0
    for size in options.size or SIZES:
        with tempfile.TemporaryDirectory() as home, screen(size) as display:
            folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}"
                       for kind in ("CONFIG", "STATE", "CACHE", "DATA")}  # fmt: skip
            command = [sys.executable, str(Path(__file__).resolve()), str(out / size)]
            done = subprocess.run(
                [*command, "--session", free_endpoint()],
                env={**os.environ, **folders, "HOME": home, "DISPLAY": display},
            )
            status = status or done.returncode
    if options.publish:
        publish(out)
    return status


if __name__ == "__main__":
    sys.exit(main())
