"""The row of buttons that plays a run and finds its moments."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QToolButton

from app.console.toolkit import theme
from app.console.toolkit.folding_bar import FoldingBar
from app.runs.events import Events
from app.runs.playback import SPEEDS, Playback, clock_text

PLAY, STAND = "▶ Play", "▮▮ Pause"


class Transport(FoldingBar):
    """Plays, steps and jumps.

    Attributes:
        time: the time of the playhead.
    """

    def __init__(self, playback: Playback, events: Events) -> None:
        super().__init__()
        self._playback = playback
        self.time = QLabel()
        self.time.setFont(theme.font(theme.LARGE_PX, bold=True, digits=True))
        self.time.setAccessibleName("Time of the playhead")
        self._play = self._button(PLAY, "Play or pause (Space)", playback.toggle)
        self._play.setMinimumWidth(92)
        self._speed = QComboBox()
        self._speed.setAccessibleName("Speed")
        self._speed.setToolTip("Speed of playing")
        for speed in SPEEDS:
            self._speed.addItem(f"{speed:g} ×", speed)
        self._speed.setCurrentIndex(SPEEDS.index(1.0))
        self._speed.currentIndexChanged.connect(self._choose_speed)
        begin = self._button("|◀", "To the begin (Home)", lambda: playback.go(playback.start_s))
        end = self._button("▶|", "To the end (End)", lambda: playback.go(playback.end_s))
        jumps = [
            self._button("◀ Event", "Event before (Shift+N)", lambda: events.previous(False)),
            self._button("Event ▶", "Next event (N)", lambda: events.next(False)),
            self._button("◀ ▲ Alarm", "Alarm before (Shift+A)", lambda: events.previous(True)),
            self._button("▲ Alarm ▶", "Next warning or error (A)", lambda: events.next(True)),
        ]
        whole = self._button("Whole run", "Show the whole run in the plots (0)", playback.show_all)
        for widget in (begin, self._play, end, self._speed, self.time):
            self.row.addWidget(widget)
        self.row.addStretch(1)
        for widget in (*jumps, whole):
            self.row.addWidget(widget)
        self.fold((whole, *reversed(jumps)))
        playback.moved.connect(self._tell)
        playback.state_changed.connect(self._tell)
        self._tell()

    def _button(self, text: str, tip: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _=False: act())
        return button

    def _choose_speed(self, index: int) -> None:
        self._playback.speed = SPEEDS[index]

    def _tell(self) -> None:
        playback = self._playback
        self._play.setText(STAND if playback.playing else PLAY)
        self.time.setText(f"{clock_text(playback.time_s)} / {clock_text(playback.end_s, 1)}")


def keys_of(playback: Playback, events: Events) -> dict[str, Callable[[], None]]:
    """Return the deeds of the keys."""

    def step(seconds: float) -> Callable[[], None]:
        return lambda: playback.go(playback.time_s + seconds)

    return {
        "Space": playback.toggle,
        "Home": lambda: playback.go(playback.start_s),
        "End": lambda: playback.go(playback.end_s),
        "Left": step(-0.1), "Right": step(0.1),
        "Shift+Left": step(-1.0), "Shift+Right": step(1.0),
        ",": step(-0.001), ".": step(0.001),
        "N": lambda: events.next(False), "Shift+N": lambda: events.previous(False),
        "A": lambda: events.next(True), "Shift+A": lambda: events.previous(True),
        "+": lambda: playback.zoom(0.5), "=": lambda: playback.zoom(0.5),
        "-": lambda: playback.zoom(2.0), "0": playback.show_all,
    }  # fmt: skip
