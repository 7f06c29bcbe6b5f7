"""The event log: actors, actions, refusals and their reasons; filter, copy, export."""

import math
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.event_log.line import SEVERITIES, TONES, Filter, LogLine, to_text, write
from app.console.event_log.model import EventModel
from app.console.stop.buttons import EnterButton
from app.console.toolkit import theme
from core.link.event import Event

REPEAT_S = 1.0
TAKE_MS = 100  # events that come in a burst are one change of the table
EVERYBODY = "everybody"
LOW_PX = 240  # below this height lines come before the whole text of one
LINE_PX = 22  # height of a line
LONG_PX = 820  # from this width on all that works on the log has room in one row
BRIEF_PX = 640  # below this width there is no room for every column

AskPath: TypeAlias = Callable[[str, Callable[[Path], None]], None]
"""Asks the operator for a path to save to: proposed name, and what gets the path."""


class EventLogPanel(QWidget):
    """Lists the events of core, siblings and console since the console was started.

    Attributes:
        model: the lines.
        table: the view of the events.
        search: text that a line must contain.
        severity: the mildest that is shown.
        actor: whose lines are shown.
        follow: keep the newest line in sight.
        detail: the whole text of the current line, or of the newest.
    """

    def __init__(self, context: Context, ask_path: AskPath, parent: QWidget | None = None) -> None:
        """Build an empty log.

        Args:
            context: the objects that panels share.
            ask_path: asks for the file to export to.
            parent: where it lies.
        """
        super().__init__(parent)
        self.setObjectName("event_log")
        self.setAccessibleName("Event log")
        self._notices, self._ask_path = context.notices, ask_path
        self._waiting: list[LogLine] = []
        self._refused_s = -math.inf
        self.model = EventModel()
        self.table = QTableView()
        self.search, self.severity, self.actor = QLineEdit(), QComboBox(), QComboBox()
        self.follow = EnterButton()
        self.count, self.detail = QLabel(), QLabel()
        self._build()
        self._taking = QTimer(self)
        self._taking.setSingleShot(True)
        self._taking.setInterval(TAKE_MS)
        self._taking.timeout.connect(self.take)
        context.link.events_arrived.connect(self.add)
        context.notices.said.connect(self._on_said)
        context.link.refused.connect(self._on_refused)

    def add(self, events: list[Event]) -> None:
        """Take in events; they are seen a moment later."""
        now = datetime.now()
        self._add([LogLine.of_event(now, event) for event in events])

    def _add(self, lines: list[LogLine]) -> None:
        self._waiting += lines
        if not self._taking.isActive():
            self._taking.start()

    def take(self) -> None:
        """Show the new events."""
        lines, self._waiting = self._waiting, []
        actors = self.model.actors
        self.model.append(lines)
        if self.model.actors != actors:
            self._list_actors()
        if self.follow.isChecked():
            self.table.scrollToBottom()
        self._tell_count()

    def copy(self) -> None:
        """Copy the selected lines, or all that are shown."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        lines = [self.model.shown[row] for row in rows] or self.model.shown
        QGuiApplication.clipboard().setText(to_text(lines))

    def export(self) -> None:
        """Ask for a file and write the visible lines to it."""
        name = f"footlight-log-{datetime.now():%Y%m%d-%H%M%S}.csv"
        self._ask_path(name, self.export_to)

    def export_to(self, path: Path) -> None:
        """Write the visible lines to a file, or report why that fails."""
        lines = list(self.model.shown)
        try:
            write(path, lines)
        except OSError as error:
            reason = error.strerror or str(error)
            text = f"The log was not written to {path}: {reason}. Choose another place."
            self._notices.say(text, "error")
        else:
            self._notices.say(f"{len(lines)} lines of the log were written to {path}.")

    def _build(self) -> None:
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.search.setToolTip("Show only lines with this text. Key: Ctrl+F in the log.")
        self.search.setAccessibleName("Search the log")
        self.search.textChanged.connect(self._refilter)
        for severity, words in zip(SEVERITIES, ("all", "warnings", "errors"), strict=True):
            self.severity.addItem(f"{TONES[severity].mark} {words}", severity)
        self.severity.setToolTip("Show all lines, warnings and errors, or errors only")
        self.severity.setAccessibleName("Kind of lines")
        self.actor.addItem(EVERYBODY, "")
        self.actor.setToolTip("Show what one of them did")
        self.actor.setAccessibleName("Whose lines")
        for box in (self.severity, self.actor):
            box.currentIndexChanged.connect(self._refilter)
            box.setMinimumContentsLength(8)
        self.follow.setCheckable(True)
        self.follow.toggled.connect(self._on_follow)
        self.follow.setChecked(True)
        self.follow.setToolTip("Keep the newest line in sight; off when you scroll up")
        self.follow.setAccessibleName("Follow the newest line")
        self.detail.setWordWrap(True)
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setFixedHeight(52)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.detail.setAccessibleName("The whole line")
        self.count.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px;")
        copy, export = EnterButton("Copy"), EnterButton("Export…")
        copy.setToolTip("Copy the selected lines, or all that are shown. Key: Ctrl+C in the log.")
        export.setToolTip("Write the lines that are shown to a .csv or a text file")
        for button, act in ((copy, self.copy), (export, self.export)):
            button.setAccessibleName(button.text().rstrip("…"))
            button.clicked.connect(act)
        self._build_table()
        tools = self._tools = QHBoxLayout()
        tools.addWidget(self.search, 2)
        tools.addWidget(self.severity, 1)
        tools.addWidget(self.actor, 1)
        foot = self._foot = QHBoxLayout()
        self._feet = {self.count: 1, self.follow: 0, copy: 0, export: 0}
        for widget, stretch in self._feet.items():
            foot.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GAP // 2, 4, theme.GAP // 2, 4)
        column.setSpacing(4)
        column.addLayout(tools)
        column.addWidget(self.table, 1)
        column.addWidget(self.detail)
        column.addLayout(foot)
        for keys, act in ((QKeySequence.StandardKey.Copy, self.copy), ("Ctrl+F", self._find)):
            shortcut = QShortcut(QKeySequence(keys), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self.setFocusProxy(self.table)
        self.setMinimumSize(380, 140)
        self._tell_count()

    def _build_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName("Events")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(LINE_PX)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(20)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.selectionModel().currentRowChanged.connect(self._tell_detail)
        self._fit_columns()
        table.verticalScrollBar().actionTriggered.connect(self._on_scroll)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Give the actions the room, at the expense of the other columns."""
        super().resizeEvent(event)
        low = self.height() < LOW_PX
        self.detail.setVisible(not low)
        self._put_foot(low and self.width() >= LONG_PX)
        if self.model.brief != (self.width() < BRIEF_PX):
            self._fit_columns()

    def _put_foot(self, beside: bool) -> None:
        """Put the controls below the lines beside those above them: room for two lines."""
        if beside is (self._foot.count() == 0):
            return
        source, target = (self._foot, self._tools) if beside else (self._tools, self._foot)
        for widget, stretch in self._feet.items():
            source.removeWidget(widget)
            target.addWidget(widget, 0 if beside else stretch)
        self.table.horizontalHeader().setVisible(not beside)

    def _fit_columns(self) -> None:
        brief = self.model.brief = self.width() < BRIEF_PX
        self.table.setColumnHidden(1, brief)
        for column, width in enumerate((78, 84, 24, 84) if brief else (106, 84, 92, 110)):
            self.table.setColumnWidth(column, width)

    def _tell_detail(self) -> None:
        row = self.table.currentIndex().row()
        shown = self.model.shown
        if 0 <= row < len(shown):
            self.detail.setText("  ".join(shown[row].cells()))
        else:
            self.detail.setText("  ".join(shown[-1].cells()) if shown else "Nothing to show.")

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _refilter(self, _what: object) -> None:
        self.model.filter(
            Filter(self.severity.currentData(), self.actor.currentData() or "", self.search.text())
        )
        if self.follow.isChecked():
            self.table.scrollToBottom()
        self._tell_count()

    def _list_actors(self) -> None:
        chosen = self.actor.currentData()
        self.actor.blockSignals(True)
        self.actor.clear()
        self.actor.addItem(EVERYBODY, "")
        for actor in self.model.actors:
            self.actor.addItem(actor, actor)
        self.actor.setCurrentIndex(max(0, self.actor.findData(chosen)))
        self.actor.blockSignals(False)

    def _tell_count(self) -> None:
        shown, every = len(self.model.shown), len(self.model.lines)
        of = "" if shown == every else f" of {every}"
        self._tell_detail()
        self.count.setText(f"{shown}{of} line{'' if every == 1 else 's'}")

    def _on_said(self, notice: Notice) -> None:
        self._add([LogLine.of_notice(datetime.now(), notice)])

    def _on_refused(self, text: str) -> None:
        """Note a command that was not sent; a stick's stream is noted once a second."""
        now_s = time.monotonic()
        if now_s - self._refused_s >= REPEAT_S:
            self._refused_s = now_s
            self._on_said(Notice(text, "warning"))

    def _on_scroll(self, _action: int) -> None:
        """Follow again once the operator is back at the end."""
        bar = self.table.verticalScrollBar()
        self.follow.setChecked(bar.sliderPosition() >= bar.maximum())

    def _on_follow(self, follow: bool) -> None:
        self.follow.setText(f"{theme.GOOD.mark if follow else theme.IDLE.mark} Follow")
        if follow:
            self.table.scrollToBottom()
