"""The window of one or two recorded runs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.preferences.store import config_folder
from app.console.telemetry.choices import fill_layouts, fill_plots
from app.console.telemetry.export import csv_of
from app.console.telemetry.layouts import Layout, LayoutStore
from app.console.toolkit import theme
from app.console.toolkit.folding_bar import FoldingBar
from app.runs.events import Events
from app.runs.partner_panel import RunPartner
from app.runs.playback import Playback
from app.runs.plots import Plots
from app.runs.report import write_report
from app.runs.run import FINE_S, Run, RunError
from app.runs.source import Library
from app.runs.stage import RunStage
from app.runs.strip import Strip
from app.runs.transport import Transport, keys_of

SIZE_PX = (1600, 900)
LOOK_MS = 500
FIRST_MS = 50  # before the digest begins: the first plots are painted
STEP_S = 0.008  # of reading, between two frames
SAID_MS = 8000
STILL_READ = "the run is still being read: try again in a moment"
CSV_S = 600.0  # longest span of a table: 600,000 rows


class RunWindow(QMainWindow):
    """Shows a run, and a second one over it.

    Attributes:
        run: the first run.
        playback: the moment.
        plots: the plots.
        events: the events.
        stage: the picture.
        partner: the live partner.
    """

    def __init__(self, run: Run, library: Library) -> None:
        super().__init__()
        self.run, self._library = run, library
        self._second: Run | None = None
        self.setWindowTitle(f"{run.path.name}: recorded run")
        self.playback = Playback(run.start_s, run.end_s, self)
        self.plots = Plots([run], self.playback)
        self.events = Events(run, self.playback)
        self.stage = RunStage(run, self.playback, library)
        self.partner = RunPartner(run, self.playback)
        self.partner.found.connect(self.stage.show_both)
        self._strip = Strip(run, self.playback)
        self._said, self._line = QTimer(self, singleShot=True), QLabel()
        self._said.setInterval(SAID_MS)
        self._said.timeout.connect(self._look)
        self._line.setContentsMargins(theme.GAP, 2, theme.GAP, 4)
        self._line.setAccessibleName("Messages")
        self._layouts = QComboBox()
        self._store = LayoutStore(config_folder() / "telemetry.json")
        self._problem = self._store.load()
        self._build()
        self._restore()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self._reading = QTimer(self, interval=0)
        self._reading.timeout.connect(self._read)
        self._choose(0)
        self.stage.begin()
        self._first = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._first.timeout.connect(self._reading.start)
        self._first.start()

    def compare(self, path: Path) -> None:
        """Open a second run over the first; it begins when the first one does."""
        try:
            second = Run(path, self._library)
        except RunError as error:
            self.say(f"{theme.WARN.mark} {error}")
            return
        if second.hello.robot != self.run.hello.robot:
            self.say(
                f"{theme.WARN.mark} {path.name} is a run of {second.hello.robot}, "
                f"not of {self.run.hello.robot}: runs of one robot can be compared"
            )
            second.close()
            return
        self.end_comparison()
        second.offset_s = second.start_s - self.run.start_s
        self._second = second
        self._reading.start()
        self._compare_at.setEnabled(True)
        self.plots.compare([self.run, second])
        self.stage.compare(second)
        self.setWindowTitle(f"{self.run.path.name} and {path.name}: recorded runs")

    def end_comparison(self) -> None:
        """Show the first run only."""
        if self._second is not None:
            second, self._second = self._second, None
            self.plots.compare([self.run])
            self.stage.compare(None)
            second.close()
            self.setWindowTitle(f"{self.run.path.name}: recorded run")

    def align(self, cue: str) -> None:
        """Shift the second run so that a cue begins in both at once; empty: their begins."""
        second = self._second
        if second is None:
            self.say(f"{theme.WARN.mark} there is no second run: open one with Compare")
            return
        if not (self.run.digest.done and second.digest.done):
            self.say(f"{theme.WARN.mark} {STILL_READ}")
        elif not cue:
            second.offset_s = second.start_s - self.run.start_s
        else:
            begins = [
                next((c.start_s for c in run.digest.cues if c.number == cue), None)
                for run in (self.run, second)
            ]
            if begins[0] is None or begins[1] is None:
                which = self.run if begins[0] is None else second
                self.say(f"{theme.WARN.mark} cue {cue} did not run in {which.path.name}")
                return
            second.offset_s = begins[1] - begins[0]
        self.plots.draw()
        self.stage.ask()

    def say(self, words: str) -> None:
        """Show a sentence for a while."""
        self._line.setText(words)
        self._line.setToolTip(words)
        self._said.start()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Keep the arrangement, and end everything."""
        settings = self._settings()
        settings.setValue("geometry", self.saveGeometry())
        settings.setValue("split", self._split.saveState())
        settings.setValue("side", self._side.saveState())
        for timer in (self._timer, self._first, self._reading):
            timer.stop()
        self.playback.stand()
        self.stage.close_view()
        for run in (self.run, self._second):
            if run is not None:
                run.close()
        super().closeEvent(event)

    # Building

    def _build(self) -> None:
        bar = FoldingBar()
        self._layouts.setAccessibleName("Layout of the plots")
        self._layouts.setMinimumContentsLength(18)
        self._layouts.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        traces, hello = self.run.traces, self.run.hello
        fill_layouts(self._layouts, traces, hello, self._store.saved)
        self._layouts.activated.connect(self._choose)
        add = self._menu_button("Add plot", "Add a plot")
        fill_plots(add.menu(), traces, hello, self.plots.add)
        cursors = QToolButton()
        cursors.setText("Cursors")
        cursors.setToolTip("Two lines: values and differences (C)")
        cursors.setCheckable(True)
        cursors.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cursors.toggled.connect(self.plots.show_cursors)
        compare = self._menu_button("Compare", "Show a second run over this one")
        for text, act in (
            ("Open a second run…", self._ask_second),
            ("End the comparison", self.end_comparison),
        ):
            compare.menu().addAction(text).triggered.connect(lambda _=False, act=act: act())
        self._compare_at = QMenu("Begin both with", compare)
        self._compare_at.setEnabled(False)
        self._compare_at.aboutToShow.connect(self._fill_cues)
        compare.menu().addMenu(self._compare_at)
        export = self._menu_button("Export", "Report, table and picture")
        for text, act in (
            ("Report as PDF…", self._ask_report),
            ("Shown values as CSV…", self._ask_csv),
            ("Plots as PNG…", self._ask_png),
            ("Person as BVH…", self._ask_person),
        ):
            export.menu().addAction(text).triggered.connect(lambda _=False, act=act: act())
        for widget in (self._layouts, add, cursors, compare, export):
            bar.row.addWidget(widget)
        bar.row.addStretch(1)
        self._side = QSplitter(Qt.Orientation.Vertical)
        self._side.addWidget(self.stage)
        self._side.addWidget(self.partner)
        self._side.addWidget(self.events)
        self._side.setSizes([540, 220, 360])
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.plots)
        self._split.addWidget(self._side)
        self._split.setSizes([1200, 620])
        self._split.setStretchFactor(0, 1)
        column = QVBoxLayout()
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(bar)
        column.addWidget(self._split, 1)
        column.addWidget(self._strip)
        column.addWidget(Transport(self.playback, self.events))
        column.addWidget(self._line)
        inner = QWidget()
        inner.setLayout(column)
        self.setCentralWidget(inner)
        for key, deed in keys_of(self.playback, self.events).items():
            QShortcut(QKeySequence(key), self).activated.connect(deed)
        QShortcut(QKeySequence("C"), self).activated.connect(cursors.toggle)
        QShortcut(QKeySequence("Ctrl+F"), self).activated.connect(self.events.search.setFocus)
        for close in ("Ctrl+Q", "Ctrl+W"):
            QShortcut(QKeySequence(close), self).activated.connect(self.close)

    def _menu_button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(QMenu(button))
        return button

    def _choose(self, index: int) -> None:
        layout = self._layouts.itemData(index)
        if isinstance(layout, Layout):
            self.plots.show_keys(layout.keys)

    def _settings(self) -> QSettings:
        path = str(config_folder() / "runs.ini")
        return QSettings(path, QSettings.Format.IniFormat)

    def _restore(self) -> None:
        settings = self._settings()
        self.resize(*SIZE_PX)
        for name, take in (
            ("geometry", self.restoreGeometry),
            ("split", self._split.restoreState),
            ("side", self._side.restoreState),
        ):
            value = settings.value(name)
            if isinstance(value, QByteArray):
                take(value)

    # Messages

    def _read(self) -> None:
        """Read a little of the runs, between two frames."""
        runs = [run for run in (self.run, self._second) if run is not None]
        left = [run for run in runs if not run.digest.done]
        if left:
            left[0].digest.step(STEP_S)
        else:
            self._reading.stop()
            self.plots.draw()
            self._strip.update()

    def _look(self) -> None:
        """Tell how far the run is read, and what is missing."""
        self.partner.look()
        if self._reading.isActive():
            self._strip.update()
            if self.playback.span_s > FINE_S:
                self.plots.draw()
        if not self._said.isActive():
            self._line.setText(self._state())

    def _state(self) -> str:
        digest = self.run.digest
        if not digest.done:
            return f"{theme.BUSY.mark} reading {self.run.path.name}: {digest.share:.0%}"
        if self._problem:
            return f"{theme.WARN.mark} {self._problem}"
        if digest.problem:
            return f"{theme.WARN.mark} {self.run.path.name}: {digest.problem}"
        hello = self.run.hello
        kind = "simulated" if hello.simulated else "robot"
        alarms = len(digest.alarms())
        words = f"{hello.title or hello.robot}, {kind}, {len(digest.cues)} cues"
        what = "warning or error" if alarms == 1 else "warnings and errors"
        return f"{words}, {alarms or 'no'} {what}"

    # Files

    def _fill_cues(self) -> None:
        menu = self._compare_at
        menu.clear()
        menu.addAction("the begin of the record").triggered.connect(lambda: self.align(""))
        for cue in self.run.digest.cues[:40]:
            action = menu.addAction(f"cue {cue.number} {cue.name}")
            action.triggered.connect(partial(self._align_at, cue.number))

    def _align_at(self, number: str, _checked: bool = False) -> None:
        self.align(number)

    def _ask_second(self) -> None:
        folder = str(self.run.path.absolute().parent)
        path, _ = QFileDialog.getOpenFileName(
            self, "Open a second run", folder, "Runs (*.mcap)",
            options=QFileDialog.Option.DontUseNativeDialog,
        )  # fmt: skip
        if path:
            self.compare(Path(path))

    def _ask(self, title: str, suffix: str, write: Callable[[Path], None]) -> None:
        proposed = str(self.run.path.absolute().with_suffix(suffix))
        path, _ = QFileDialog.getSaveFileName(
            self, title, proposed, f"*{suffix}", options=QFileDialog.Option.DontUseNativeDialog
        )
        if not path:
            return
        try:
            write(Path(path))
        except (OSError, RunError) as error:
            reason = getattr(error, "strerror", None) or error
            self.say(f"{theme.WARN.mark} {Path(path).name} was not written: {reason}")
            return
        self.say(f"{Path(path).name} is written")

    def _ask_report(self) -> None:
        if not self.run.digest.done:
            self.say(f"{theme.WARN.mark} {STILL_READ}")
            return
        self._ask("Save the report", ".pdf", lambda path: write_report(self.run, path))

    def _ask_png(self) -> None:
        def write(path: Path) -> None:
            if not self.plots.picture().save(str(path), "PNG"):
                raise RunError("the disk refused it")

        self._ask("Save the plots", ".png", write)

    def _ask_person(self) -> None:
        def write(path: Path) -> None:
            try:
                self._library.person(self.run.path, path)
            except self._library.errors as error:
                raise RunError(str(error)) from error

        self._ask("Save the person's motion", ".bvh", write)

    def _ask_csv(self) -> None:
        playback = self.playback
        if playback.span_s > CSV_S:
            self.say(f"{theme.WARN.mark} show at most {CSV_S / 60:g} minutes, then save the table")
            return

        def write(path: Path) -> None:
            columns = []
            for plot in self.plots.plots:
                traced = plot.trace.lines
                span = playback.from_s, playback.to_s
                for line, found in zip(traced, self.run.ticks(traced, *span), strict=True):
                    columns.append((plot.trace, line, *found))
            path.write_text(csv_of(columns, playback.from_s, playback.to_s), encoding="utf-8")

        self._ask("Save the shown values", ".csv", write)
