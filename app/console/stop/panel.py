"""The stop panel: STOP, the ladder below it, the E-stop chain, and the way back."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.stop.buttons import EnterButton, KeyedButton
from app.console.stop.chain import ChainView, Row, heading, latch_reasons, small
from app.console.stop.controls import (
    AGAIN_S,
    BACK,
    CANCEL,
    HOLD,
    LESSER,
    PUT_BACK,
    SETTLE,
    STOP,
    Control,
    EscapeLadder,
    latched,
    obstacle,
)
from app.console.stop.hearing import StopHearing
from app.console.toolkit import theme
from core.link.status import Status

WIDTH_PX = 248
STOP_PX = 92
ROOMY_PX = 690  # from this height on there is room for a line below each button of the way back
ANSWER_PX = 54  # three lines: every reason fits, and nothing below it moves
ANSWER_MS = 300  # a core that lives has answered by then

LOST = "STOP cannot reach the core. Use the E-stop or the handset."
SILENT = "No answer to STOP from the core. Use the E-stop or the handset."
SENT = "STOP sent; the core has not answered yet."

STOP_STYLE = f"""
QPushButton {{
  background: {theme.STOP}; color: white; border: 3px solid {theme.STOP}; border-radius: 6px;
  font-size: 40px; font-weight: bold;
  padding: 0 0 20px 0; min-height: {STOP_PX - 26}px;
}}
QLabel {{ background: transparent; color: white; font-size: 13px; }}
QPushButton:hover {{ border-color: #ff8a80; }}
QPushButton:focus {{ border-color: white; }}
QPushButton:pressed {{ background: #8e1c1c; }}
"""


def stop_answer(
    status: Status | None, connected: bool, waiting: bool, overdue: bool, support: str
) -> Row:
    """Return the text under STOP.

    Args:
        status: the core's newest status.
        connected: the core still reports.
        waiting: STOP was pressed and not yet answered.
        overdue: the answer should have come.
        support: the robot's support.
    """
    if not connected or status is None:
        return Row(theme.BAD, LOST)
    if latched(status):
        reasons = latch_reasons(status)
        more = f" (+{len(reasons) - 1})" if len(reasons) > 1 else ""
        return Row(theme.WARN, f"Stopped: {reasons[0]}{more}")
    if overdue:
        return Row(theme.BAD, SILENT)
    if waiting:
        return Row(theme.BUSY, SENT)
    return Row(theme.IDLE, STOP.effect(support))


class StopPanel(QWidget):
    """Stops the robot and leads back from a stop; a column that is never covered.

    Signals:
        stopping: less motion was requested; controls that are held by hand must be released.
    """

    stopping = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stop_panel")
        self.setAccessibleName("Stop panel")
        self.setFixedWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(f"#stop_panel {{ border-left: 1px solid {theme.LINE}; }}")
        self._context, self._link = context, context.link
        self._ladder = EscapeLadder()
        self._waiting = self._overdue = False
        self._shown: tuple[object, ...] = ()
        self._answer_row: Row | None = None
        self.stop = EnterButton(STOP.name)
        self.answer = QLabel()
        self.chain = ChainView()
        self.buttons: dict[str, KeyedButton] = {}
        self._notes: dict[str, QLabel] = {}
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(ANSWER_MS)
        self._patience.timeout.connect(self._give_up)
        self._escape_over = QTimer(self)
        self._escape_over.setSingleShot(True)
        self._escape_over.setInterval(int(AGAIN_S * 1000))
        self._escape_over.timeout.connect(self._mark_escape)
        self._build()
        self._bind()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Leave out what the buttons of the way back do where there is no room; tips keep it."""
        super().resizeEvent(event)
        self._show_put_back()

    def press_stop(self) -> None:
        """Ask for STOP, now and in any state; say so where it cannot have arrived."""
        sent = self._link.send(STOP.command)
        self.stopping.emit()
        if sent and self._link.connected:
            self._waiting, self._overdue = True, False
            self._patience.start()
        else:
            self._context.notices.say(LOST, "error")
        self.refresh()

    def press_escape(self) -> None:
        """Go one rung down the ladder; a key that repeats goes no further."""
        if self._hearing.escape_repeats:
            return
        self.ask(self._ladder.press(time.monotonic()))
        self._escape_over.start()
        self._mark_escape()

    def ask(self, control: Control) -> None:
        """Send a control's command, or report why it cannot be sent."""
        reason = obstacle(control, self._link.status, self._link.connected)
        if reason:
            self._context.notices.say(f"{control.name} not sent. {reason}", "warning")
        else:
            self._link.send(control.command)
            if control in LESSER[1:]:
                self.stopping.emit()

    def refresh(self) -> None:
        """Show the core's newest report."""
        link = self._link
        status, connected = link.status, link.connected
        if status is not None and latched(status):
            self._waiting = self._overdue = False
        support = "floor" if link.hello is None else link.hello.support
        row = stop_answer(status, connected, self._waiting, self._overdue, support)
        if row != self._answer_row:
            self._answer_row = row
            self.answer.setText(f"{row.tone.mark} {row.text}")
            self.answer.setStyleSheet(f"color: {row.tone.colour}; font-size: 13px;")
        shown = (
            connected,
            support,
            None if status is None else (status.mode, status.latched, status.reset_steps),
            None if status is None else status.estop_channels,
        )
        if shown == self._shown:  # 50 statuses a second, most of them no news
            return
        self._shown = shown
        self.chain.show_status(status, connected)
        for control in (*LESSER, *BACK):
            reason = obstacle(control, status, connected)
            button = self.buttons[control.name]
            button.setEnabled(not reason)
            what = control.effect(support)
            self._notes[control.name].setText(what)
            button.setToolTip(f"{what} Key: {control.key}." + (f"\n{reason}" if reason else ""))
            button.setAccessibleDescription(f"{what} {reason}".strip())
        self._mark_escape()
        self.stop.setToolTip(
            f"{STOP.effect(support)} Acts on the press. Key: {STOP.key}."
            "\nSoftware: the E-stop is the hardware chain."
        )

    def _build(self) -> None:
        self.stop.setFixedHeight(STOP_PX)
        self.stop.setStyleSheet(STOP_STYLE)
        self.stop.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        key = QLabel(f"{STOP.key} · acts on the press", self.stop)
        key.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inside = QVBoxLayout(self.stop)
        inside.addStretch()
        inside.addWidget(key, 0, Qt.AlignmentFlag.AlignHCenter)
        self.stop.setAccessibleName("STOP")
        self.stop.setAccessibleDescription("Software stop: every joint goes limp and damped.")
        self.answer.setWordWrap(True)
        self.answer.setFixedHeight(ANSWER_PX)
        self.answer.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.answer.setAccessibleName("What became of STOP")
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        column.setSpacing(4)
        column.addWidget(self.stop)
        column.addWidget(self.answer)
        column.addWidget(heading("GENTLER STOPS"))
        for control in LESSER:
            column.addWidget(self._button(control))
            column.addWidget(self._notes[control.name])
        scroll = QScrollArea()
        scroll.setWidget(self.chain)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumHeight(96)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column.addSpacing(theme.GAP)
        column.addWidget(scroll, 1)
        column.addSpacing(4)
        for control in BACK:
            column.addWidget(self._button(control))
            column.addWidget(self._notes[control.name])
        self._show_put_back()

    def _button(self, control: Control) -> KeyedButton:
        button = KeyedButton(control.name, control.key)
        button.setAccessibleName(control.name)
        self.buttons[control.name] = button
        self._notes[control.name] = small("")
        return button

    def _bind(self) -> None:
        """Connect buttons and keys: stops act on the press, motion starts on the release."""
        self.stop.pressed.connect(self.press_stop)
        for control in LESSER:
            self.buttons[control.name].pressed.connect(partial(self.ask, control))
        for control in BACK:
            self.buttons[control.name].clicked.connect(partial(self.ask, control))
        presses: dict[QAbstractButton, Callable[[], None]] = {self.stop: self.press_stop}
        presses.update({self.buttons[c.name]: partial(self.ask, c) for c in LESSER})
        self._hearing = StopHearing(Qt.Key.Key_F12, self.press_stop, presses, self)
        # With Shift, too, for that is the dead-man control of a walk by keys.
        self._keys((CANCEL.key, f"Shift+{CANCEL.key}"), self.press_escape)
        self._keys((SETTLE.key, f"Shift+{SETTLE.key}"), partial(self.ask, SETTLE))
        for control in BACK:
            self._keys((control.key,), partial(self.ask, control))
        self._link.shown.connect(self.refresh)
        self._link.hello_changed.connect(self._on_change)
        self._link.hello_changed.connect(self._show_put_back)
        self._link.connected_changed.connect(self._on_change)

    def _keys(self, keys: Sequence[str], act: object) -> None:
        shortcut = QShortcut(self)
        shortcut.setKeys([QKeySequence(key) for key in keys])
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)  # in floating docks too
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(act)

    def _show_put_back(self) -> None:
        """Offer Put back for a simulated robot only."""
        hello = self._link.hello
        offered = hello is not None and hello.simulated
        self.buttons[PUT_BACK.name].setVisible(offered)
        for control in BACK:
            shown = self.height() >= ROOMY_PX and (offered or control is not PUT_BACK)
            self._notes[control.name].setVisible(shown)

    def _on_change(self, _what: object) -> None:
        self.refresh()

    def _give_up(self) -> None:
        if self._waiting:
            self._overdue = True
            self._context.notices.say(SILENT, "error")
            self.refresh()

    def _mark_escape(self) -> None:
        """Show which rung the next Esc takes."""
        following = self._ladder.next(time.monotonic())
        for control in (CANCEL, HOLD):
            button = self.buttons[control.name]
            button.mark_next(following is control and button.isEnabled())
