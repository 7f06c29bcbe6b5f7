"""The top bar: show, mode, EDIT or SHOW, clock, health; and a banner when the core is lost."""

import math

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.stop.buttons import EnterButton
from app.console.toolkit import theme
from app.console.top import readings
from app.console.top.readings import Reading, lost
from app.console.top.readout import HEIGHT_PX, Readout
from core.link.catalogue.run import CORE_FAILED
from core.link.event import Event

LOCK_KEY = "Ctrl+L"
AGE_MS = 250
TIGHT_PX = 1260  # below this the least important values, or those of the live strip, are left out
ROOMY_PX = 1600  # from here on values are written larger


class ShowName(QWidget):
    """The name of the open show, and whether something in it is not saved."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = context.document
        self.name = QLabel()
        self.name.setStyleSheet(f"font-size: {theme.LARGE_PX}px; font-weight: bold;")
        self.dirty = QLabel()
        self.dirty.setStyleSheet(f"font-size: {theme.SMALL_PX}px;")
        self.setMinimumWidth(110)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(0)
        column.addWidget(self.dirty)
        column.addWidget(self.name)
        context.document.changed.connect(self.refresh)
        context.document.undo.cleanChanged.connect(self._on_clean)
        context.document.moved.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the name and the mark, as much of them as there is room for."""
        document = self._document
        metrics = self.name.fontMetrics()
        room = max(60, self.width() - 4)
        text = metrics.elidedText(document.show.name, Qt.TextElideMode.ElideRight, room)
        self.name.setText(text)
        word = f"{theme.WARN.mark} not saved" if document.dirty else "saved"
        if document.path is None and not document.dirty:
            word = "new show"
        self.dirty.setText(word)
        colour = theme.WARN.colour if document.dirty else theme.MUTED
        self.dirty.setStyleSheet(f"color: {colour}; font-size: {theme.SMALL_PX}px;")
        where = "not saved yet" if document.path is None else str(document.path)
        self.setToolTip(f"{document.show.name}: {word.lstrip('▲ ')} ({where})")
        self.setAccessibleName(f"Show {document.show.name}, {word.lstrip('▲ ')}")

    def resizeEvent(self, _event: object) -> None:  # noqa: N802
        """Take the room there is."""
        self.refresh()

    def _on_clean(self, _clean: bool) -> None:
        self.refresh()


class LockSwitch(QWidget):
    """EDIT or SHOW: two words, one of them marked."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lock = context.lock
        self.edit, self.show_ = EnterButton("EDIT"), EnterButton("SHOW")
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button, locked, hint in (
            (self.edit, False, "EDIT: the show can be changed."),
            (self.show_, True, "SHOW: nothing can be changed by accident; every cue still runs."),
        ):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(f"{hint} Key: {LOCK_KEY} switches.")
            button.setAccessibleName(hint)
            button.setFixedWidth(74)
            self._group.addButton(button, int(locked))
            row.addWidget(button)
        self._group.idClicked.connect(self._on_clicked)
        context.lock.changed.connect(self._on_changed)
        shortcut = QShortcut(QKeySequence(LOCK_KEY), self)
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self.toggle)
        self._on_changed(context.lock.locked)

    def toggle(self) -> None:
        """Switch to the other one."""
        self._lock.set_locked(not self._lock.locked)

    def _on_clicked(self, identity: int) -> None:
        self._lock.set_locked(bool(identity))

    def _on_changed(self, locked: bool) -> None:
        for button, chosen, word, tone in (
            (self.edit, not locked, "EDIT", theme.WARN),
            (self.show_, locked, "SHOW", theme.GOOD),
        ):
            button.setChecked(chosen)
            button.setText(f"{theme.GOOD.mark} {word}" if chosen else f"{theme.IDLE.mark} {word}")
            colour = tone.colour if chosen else theme.MUTED
            weight = "bold" if chosen else "normal"
            button.setStyleSheet(
                f"color: {colour}; font-weight: {weight}; border-radius: 0;"
                f" padding: 4px; font-size: 13px;"
            )


class TopBarPanel(QWidget):
    """The readings that an operator must always see; the banner below reports a lost core.

    Attributes:
        readouts: the values, by name.
        banner: what to do while the core is not there; hidden while it is.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top_bar")
        self.setAccessibleName("Top bar")
        self.setMinimumWidth(960)  # not that of the larger writing: a window must shrink again
        self._link = context.link
        self._tick_s = math.inf
        self._failure = ""  # of the core, in its own words
        unknown = lost("It")
        self.mode = Readout("ROBOT", "STANDING UP", unknown)
        self.readouts = {
            "SHOW CLOCK": Readout("SHOW CLOCK", "00:00 paused", unknown),
            "TIME LEFT": Readout("TIME LEFT", "00:00:00", unknown),
            "ALARMS": Readout("ALARMS", "none", unknown),
            "LINK": Readout("LINK", "188 ms", unknown),
            "RADIO": Readout("RADIO", "no handset", unknown),
            "BATTERY": Readout("BATTERY", "100 % 25.0 V", unknown),
            "CORE LOAD": Readout("CORE LOAD", "188%, late", unknown),
        }
        self.lock = LockSwitch(context)
        self.banner = QLabel()
        self.banner.setWordWrap(True)
        self.banner.setMinimumHeight(40)
        self.banner.setAccessibleName("The core is not there")
        self.banner.setStyleSheet(
            f"background: #4a1512; color: white; font-weight: bold; padding: 4px {theme.GAP}px;"
            f" border-left: 8px solid {theme.BAD.colour};"
        )
        row = QHBoxLayout()
        row.setContentsMargins(theme.GAP, 0, theme.GAP, 0)
        row.setSpacing(10)
        row.addWidget(ShowName(context), 1)
        row.addWidget(self.mode)
        row.addWidget(self.lock)
        for name, readout in self.readouts.items():
            if name in ("SHOW CLOCK", "ALARMS"):
                row.addWidget(_rule())
            row.addWidget(readout)
        bar = QWidget()
        bar.setFixedHeight(HEIGHT_PX)
        bar.setLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.banner)
        self._aging = QTimer(self)
        self._aging.setInterval(AGE_MS)
        self._aging.timeout.connect(self._show_age)
        self._aging.start()
        self._link.shown.connect(self._on_change)
        self._link.connected_changed.connect(self._on_change)
        self._link.hello_changed.connect(self._on_hello)
        self._link.events_arrived.connect(self._hear)
        self._on_hello()

    def refresh(self) -> None:
        """Show the core's newest report, or that nothing is known."""
        status = self._link.status
        if status is None or not self._link.connected:
            self.mode.set(Reading(theme.UNKNOWN, "LOST", "The core is not there."))
            for name, readout in self.readouts.items():
                readout.set(lost(name.capitalize()))
            self.readouts["LINK"].set(Reading(theme.BAD, "LOST", "The core is not there."))
        else:
            scene = self._link.scene
            self.mode.set(readings.mode(status, scene is not None and scene.swing_side >= 0))
            self.readouts["SHOW CLOCK"].set(readings.show_clock(status))
            self.readouts["TIME LEFT"].set(readings.time_left(status))
            self.readouts["ALARMS"].set(readings.alarms(status.alarms))
            self.readouts["RADIO"].set(readings.radio(status))
            self.readouts["BATTERY"].set(readings.battery(status))
            self.readouts["CORE LOAD"].set(readings.load(status, self._tick_s))
        self.banner.setVisible(not self._link.connected)

    def resizeEvent(self, _event: object) -> None:  # noqa: N802
        """Write as large as there is room for."""
        roomy = self.width() >= ROOMY_PX
        self._choose()
        self.mode.set_text_size(22 if roomy else 16)
        for readout in self.readouts.values():
            readout.set_text_size(16 if roomy else 13)

    def _choose(self) -> None:
        """Show the values that this robot has and there is room for."""
        hello, tight = self._link.hello, self.width() < TIGHT_PX
        self.readouts["RADIO"].setVisible(not tight and (hello is None or hello.has_handset))
        self.readouts["BATTERY"].setVisible(hello is None or hello.battery is not None)
        self.readouts["CORE LOAD"].setVisible(not tight)

    def _on_hello(self, _hello: object = None) -> None:
        hello = self._link.hello
        if hello is not None:
            self._tick_s, self._failure = hello.tick_s, ""
        self._choose()
        self.refresh()

    def _show_age(self) -> None:
        if self._link.connected:
            self.readouts["LINK"].set(readings.link(self._link.age_s))
            return
        known = self._link.status is not None
        age_s, foreign = self._link.age_s, self._link.foreign
        words = readings.lost_sentence(age_s, known, foreign, self._failure)
        text = f"{theme.BAD.mark} {words}"
        if text != self.banner.text():
            self.banner.setText(text)

    def _hear(self, events: list[Event]) -> None:
        for event in events:
            if event.code == CORE_FAILED.code:
                self._failure = str(event.fields.get("error", ""))

    def _on_change(self, _what: object = None) -> None:
        self.refresh()
        if not self._link.connected:
            self._show_age()


def _rule() -> QFrame:
    rule = QFrame()
    rule.setFixedSize(1, 30)
    rule.setStyleSheet(f"background: {theme.LINE};")
    return rule
