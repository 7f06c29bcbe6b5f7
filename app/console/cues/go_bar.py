"""The GO bar: the cue of the next GO, the running cues, the remaining time, and refusals."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.cells import seconds_text
from app.console.cues.elided import Elided
from app.console.cues.go_button import GoButton
from app.console.cues.playback import CueState
from app.console.toolkit import theme
from core.link.status import Status

NARROW_PX = 900
TIGHT_PX = 580  # below this two buttons are arrows without a word
GO_PX = 130
FLASH_MS = 700
AGAIN_MS = 3000  # within which a second press confirms
ANSWER_MS, WARNING_MS, REFUSAL_MS = 3000, 6000, 30_000  # how long it stays; the log keeps it
GUARD_MS = 50  # how often the guard's end is looked for

_STYLES = {  # ground, words, edge
    "ready": (theme.GO, "#ffffff", theme.GO),
    "guarded": ("#1d5236", "#ffffff", theme.BAD.colour),
    "flash": (theme.BAD.colour, "#000000", "#ffffff"),
    "off": (theme.SURFACE, theme.OFF, theme.LINE),
}
STAND_UP = "STAND UP"
FIRST = {  # steps before a GO, by the robot's mode
    "OFF": "the robot is off: switch it on",
    "DAMPED": "the robot is limp; it stands up on Ctrl+F7",
    "STANDING_UP": "the robot is standing up",
    "RECORD": "limbs are moved by hand; end RECORD first",
    "SETTLE": "the robot is settling",
    "FAULT": "stopped: the stop panel shows the way back",
    "ESTOP": "stopped: the stop panel shows the way back",
}


class GoBar(QWidget):
    """Shows the core's echo and asks; a GO that does not count is seen to have been received."""

    def __init__(self, context: Context, caller: Caller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("go_bar")
        self._context, self._caller = context, caller
        self._typing = False
        self._mode = ""
        self._version = ""
        self._style = "", ""
        self._refused_in: tuple[object, ...] | None = None
        self._narrow = False
        self._hint = QLabel("Space")
        self._go = self._make_go()
        self._standby = Elided(theme.HUGE_PX - 4, bold=True)
        self._next = Elided()
        self._running = Elided(theme.LARGE_PX, bold=True)
        self._left = Elided(theme.HUGE_PX - 4, bold=True)
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._left.setFixedWidth(120)
        self._progress = QProgressBar()
        self._message = Elided()
        self._flash = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._guard = QTimer(self, interval=GUARD_MS)
        self._said = QTimer(self, singleShot=True)
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._pause = self._button("Pause", "Hold the show's clock; limbs freeze  [ [ or Pause ]")
        self._cancel = self._button("Cancel", "End every cue; the robot stands  [Esc]")
        self._back = self._button("▲ Standby", "Put the cue above on standby  [Ctrl+Up]")
        self._forward = self._button("▼ Standby", "Put the cue below on standby  [Ctrl+Down]")
        self._reset = self._button(
            "Reset show", "End every cue and put the first on standby  [Ctrl+Shift+R]"
        )
        # Of their own, as a button's shortcut is lost with every new text.
        self._key("Ctrl+Up", self._back)
        self._key("Ctrl+Down", self._forward)
        self._key("Ctrl+Shift+R", self._reset)
        self._lay_out()
        self._connect()
        self._take_connected(context.link.connected)

    def set_typing(self, typing: bool) -> None:
        """Say that Space writes text, as long as a text field has the focus."""
        self._typing = typing
        self._show_guard()

    def set_version(self, words: str) -> None:
        """Say which version of the show the core has, if it is not the one that is seen."""
        self._version = words
        if not self._said.isActive():
            self._rest()

    def _rest(self) -> None:
        """Show what holds when nothing was just answered."""
        text = f"{theme.WARN.mark} {self._version}" if self._version else ""
        self._message.say(text, theme.WARN.colour)
        self._share_line()

    def _make_go(self) -> GoButton:
        go = GoButton("GO")
        go.setObjectName("go")
        go.setAccessibleName("GO")
        go.setToolTip("Start the cue on standby  [Space]")
        go.setFixedWidth(GO_PX)  # whatever it says
        go.setMinimumHeight(96)
        go.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inside = QVBoxLayout(go)
        inside.setContentsMargins(0, 0, 0, 14)
        inside.addStretch()
        inside.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignHCenter)
        return go

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setAccessibleName(text.strip("▲▼ "))
        button.setMinimumHeight(theme.TOUCH)
        button.setStyleSheet("padding: 4px 5px;")
        return button

    def _key(self, keys: str, button: QPushButton) -> None:
        action = QAction(button.accessibleName(), self)
        action.setShortcut(keys)
        action.setToolTip(button.toolTip())
        action.triggered.connect(lambda _: button.click())
        self.addAction(action)

    def _lay_out(self) -> None:
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 1000)
        self._progress.setFixedHeight(8)
        self._progress.setAccessibleName("Progress of the running cue")
        for label, name in (
            (self._standby, "Cue on standby"),
            (self._next, "Next cue"),
            (self._running, "Running cue"),
            (self._left, "Time left"),
            (self._message, "Answer to the last command"),
        ):
            label.setAccessibleName(name)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GAP)
        for button in (self._pause, self._cancel, self._back, self._forward, self._reset):
            buttons.addWidget(button)
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(theme.GAP, 6, theme.GAP, 6)
        grid.setHorizontalSpacing(2 * theme.GAP)
        grid.setVerticalSpacing(3)
        grid.addWidget(self._go, 0, 0, 5, 1)
        grid.addLayout(buttons, 3, 1, 1, 3)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 2)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put what runs beside the standby cue, or below it where there is less room."""
        super().resizeEvent(event)
        if (self.width() < NARROW_PX) is not self._narrow:
            self._arrange()
        word = "" if self.width() < TIGHT_PX else " Standby"
        self._back.setText(f"▲{word}")
        self._forward.setText(f"▼{word}")

    def _arrange(self) -> None:
        grid = self._grid
        self._narrow = narrow = self.width() < NARROW_PX
        self._message.set_lines(2 if narrow else 1)
        self._next.set_lines(2 if narrow else 1)
        grid.addWidget(self._standby, 0, 1, 1, 3 if narrow else 1)
        if narrow:
            grid.addWidget(self._running, 1, 1, 1, 2)
            grid.addWidget(self._left, 1, 3)
            grid.addWidget(self._progress, 2, 1, 1, 3)
            grid.addWidget(self._next, 4, 1, 1, 3)
            grid.addWidget(self._message, 4, 1, 1, 3)
        else:
            grid.addWidget(self._running, 0, 2)
            grid.addWidget(self._left, 0, 3)
            grid.addWidget(self._next, 1, 1)
            grid.addWidget(self._progress, 1, 2, 1, 2)
            grid.addWidget(self._message, 4, 1, 1, 3)
        self._share_line()

    def _say(self, text: str, colour: str, lasting_ms: int = 0) -> None:
        """Show an answer for a while; where there is little room it takes the next cue's line."""
        self._refused_in = None
        self._message.say(text, colour)
        self._said.start(lasting_ms)
        self._share_line()

    def _share_line(self) -> None:
        self._next.setVisible(not (self._narrow and self._message.text()))
        self._message.setVisible(not self._narrow or bool(self._message.text()))

    def _connect(self) -> None:
        caller, link = self._caller, self._context.link
        self._go.struck.connect(lambda stamp_ms: caller.go(stamp_ms=stamp_ms))
        self._pause.clicked.connect(caller.pause_or_resume)
        self._cancel.clicked.connect(caller.cancel)
        self._back.clicked.connect(lambda: caller.step_standby(-1))
        self._forward.clicked.connect(lambda: caller.step_standby(1))
        self._reset.clicked.connect(self._ask_reset)
        caller.cues_changed.connect(lambda _: self._take_cues())
        caller.paused_changed.connect(lambda _: self.refresh())
        caller.loaded_changed.connect(self.refresh)
        caller.loaded_changed.connect(self._show_guard)
        caller.went.connect(self._went)
        caller.ignored.connect(self._ignored)
        caller.refused.connect(self.refuse)
        caller.told.connect(lambda text: self._say(text, theme.MUTED, ANSWER_MS))
        link.connected_changed.connect(self._take_connected)
        link.status_changed.connect(self._take_status)
        link.hello_changed.connect(self._take_cues)
        self._context.lock.changed.connect(lambda _: self._outdate())
        self._flash.timeout.connect(self._show_guard)
        self._said.timeout.connect(self._rest)
        self._guard.timeout.connect(self._show_guard)
        self._again.timeout.connect(self._end_reset)

    # What is shown

    def refresh(self) -> None:
        """Show the core's report."""
        playback, loaded = self._caller.playback, self._caller.loaded
        if not self._context.link.connected:
            self._standby.say("The core is not there", theme.BAD.colour)
            self._next.say("Commands are off until it is back.", theme.MUTED)
            self._show_running("", None)
            return
        if playback.standby and loaded.foreign and loaded.playbill is not None:
            text = f"{theme.WARN.mark} {loaded.playbill.show}: {loaded.name(playback.standby)}"
            self._standby.say(text, theme.WARN.colour)
        elif playback.standby:
            self._standby.say(f"{theme.GOOD.mark} {loaded.name(playback.standby)}")
        else:
            self._standby.say("No cue on standby", theme.MUTED)
        first = FIRST.get(self._mode, "")
        if self._caller.rises:
            self._next.say("→ GO stands the robot up; then it starts the cue", theme.MUTED)
        elif first:
            self._next.say(f"{theme.WARN.mark} {first}", theme.WARN.colour)
        else:
            self._next.say(self._outlook(), theme.MUTED)
        self._pause.setText("Resume" if playback.paused else "Pause")
        self._pause.setToolTip(
            "Resume the show's clock  [ ] or Pause ]"
            if playback.paused
            else "Hold the show's clock; limbs freeze  [ [ or Pause ]"
        )
        numbers = playback.running
        shown = next((n for n in reversed(numbers) if playback.told(n).run != "waits"), "")
        if not shown and numbers:
            shown = numbers[-1]
        others = f"  +{len(numbers) - 1}" if len(numbers) > 1 else ""
        self._show_running(shown, playback.told(shown) if shown else None, others)

    def _outlook(self) -> str:
        """Return the cue after the next GO, or the step to take where GO starts nothing."""
        playback, loaded = self._caller.playback, self._caller.loaded
        if playback.standby and playback.following:
            return f"→ then {loaded.name(playback.following)}"
        if playback.standby in loaded.numbers[:-1]:
            return "→ last GO: the rest auto-follows"
        if playback.standby:
            return "→ then end of the list"
        if playback.running:
            return "→ auto-follow in progress"
        return "→ Reset show begins at the top; Enter sets standby" if loaded.numbers else ""

    def _show_running(self, number: str, state: CueState | None, others: str = "") -> None:
        if state is None:
            known = self._context.link.connected
            self._running.say("No cues running" if known else "", theme.MUTED)
            self._left.say("")
            self._progress.setValue(0)
            return
        mark = {"waits": "…", "paused": "‖"}.get(state.run, theme.BUSY.mark)
        word = {"waits": "pre-wait ", "paused": "paused "}.get(state.run, "")
        colour = theme.WARN.colour if state.run == "paused" else theme.TEXT
        self._running.say(f"{mark} {word}{self._caller.loaded.name(number)}{others}", colour)
        self._left.say("" if state.left_s is None else f"-{seconds_text(state.left_s, 1)}", colour)
        self._progress.setValue(round(1000 * (state.share or 0.0)))

    def _show_guard(self) -> None:
        """Let the GO button look as GO is."""
        style, word, hint = self._look_of_go()
        if style in ("ready", "off"):
            self._guard.stop()
        if (style, word) != self._style:
            self._style = style, word
            self._go.setText(word)
            self._go.setAccessibleName(word)
            self._go.setStyleSheet(_go_style(style, 36 if word == "GO" else 22))
        self._hint.setText(hint)
        self._go.setAccessibleDescription(hint)
        deed = "Start the cue on standby" if word == "GO" else "Let the robot stand up"
        self._go.setToolTip(
            f"{deed}; Space writes text now: Enter or Tab leaves the field"
            if self._typing
            else f"{deed}  [{'Ctrl+F7' if hint == 'Ctrl+F7' else 'Space'}]"
        )

    def _look_of_go(self) -> tuple[str, str, str]:
        """Return style, word and hint of the GO button."""
        caller = self._caller
        press = "click" if self._typing else "Space"
        word = STAND_UP if self._mode == "DAMPED" else "GO"
        if self._flash.isActive():
            return "flash", word, "wait"
        if not self._context.link.connected:
            return "off", "GO", "not yet"
        if caller.rises:
            return ("guarded", word, "wait") if caller.guarded else ("ready", word, press)
        if word == STAND_UP:
            return "off", word, "Ctrl+F7"
        if self._mode in FIRST or caller.bar:
            return "off", word, "not yet"
        if caller.guarded:
            return "guarded", word, "wait"
        return ("ready", word, press) if caller.playback.standby else ("off", word, "no cue")

    # What happens

    def _take_cues(self) -> None:
        self._show_guard()
        self.refresh()
        self._outdate()

    def _take_status(self, status: Status) -> None:
        if status.mode != self._mode:
            self._mode = status.mode
            self._show_guard()
            self.refresh()
            self._outdate()

    def _went(self) -> None:
        self._say("GO sent", theme.MUTED, ANSWER_MS)
        self._flash.stop()
        self._show_guard()
        self._guard.start()

    def _ignored(self, reason: str) -> None:
        text = f"{theme.WARN.mark} {reason[:1].upper()}{reason[1:]}"
        self._say(text, theme.WARN.colour, WARNING_MS)
        self._flash.start()
        self._guard.start()
        self._show_guard()

    def warn(self, text: str) -> None:
        """Say something that the operator should know before GO."""
        self._say(f"{theme.WARN.mark} {text}", theme.WARN.colour, REFUSAL_MS)

    def refuse(self, reason: str) -> None:
        """Report why a request is refused, until that has changed."""
        self._say(f"{theme.BAD.mark} {reason}", theme.BAD.colour, REFUSAL_MS)
        self._refused_in = self._state()

    def _outdate(self) -> None:
        """Remove a refusal soon whose cause may be gone."""
        if self._refused_in is not None and self._refused_in != self._state():
            self._refused_in = None
            self._said.start(min(ANSWER_MS, self._said.remainingTime()))

    def _state(self) -> tuple[object, ...]:
        """Return the state that a refusal depends on."""
        playback, lock = self._caller.playback, self._context.lock
        running = bool(playback.running)
        return self._mode, playback.standby, running, playback.paused, lock.locked

    def _ask_reset(self) -> None:
        """Reset at once while nothing runs; else only when it is pressed again soon."""
        if self._caller.playback.running and not self._again.isActive():
            self._again.start()
            self._reset.setText("Press again")
            text = f"{theme.WARN.mark} reset ends every cue: press again to do it"
            self._say(text, theme.WARN.colour, AGAIN_MS)
            return
        self._end_reset()
        self._caller.reset()

    def _end_reset(self) -> None:
        self._again.stop()
        self._reset.setText("Reset show")

    def _take_connected(self, connected: bool) -> None:
        for button in (
            self._go, self._pause, self._cancel, self._back, self._forward, self._reset,
        ):  # fmt: skip
            button.setEnabled(connected)
        if not connected:
            self._end_reset()
            self._said.stop()
            self._rest()
        self._show_guard()
        self.refresh()


def _go_style(state: str, size_px: int) -> str:
    """Return how the GO button looks in a state; hover and focus are its edge."""
    ground, words, edge = _STYLES[state]
    light = edge if state == "off" else "#ffffff"
    return f"""
        QPushButton {{
          background: {ground}; color: {words}; border: 3px solid {edge}; border-radius: 6px;
          font-size: {size_px}px; font-weight: bold; padding: 0 0 20px 0;
        }}
        QPushButton:hover, QPushButton:focus {{ border-color: {light}; }}
        QPushButton:pressed {{ background: #1d5236; color: #ffffff; }}
        QLabel {{ background: transparent; color: {words}; font-size: {theme.SIZE_PX}px; }}
    """
