"""The probe: measures from inside how soon the console hears, and presses its keys for a bench.

It is there only where the environment names a file for it. Keys come from a thread of its own
and wait in the event queue like anybody's; their time is when they were due.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from app.console.bench.lateness import Lateness, spread
from app.console.bench.phrase_probe import Controller, place_of, write_place
from app.console.context.core_link import CoreLink
from core.link.commands import Cancel, Command, Go, Reset, ResetShow, Settle
from core.link.status import Status

FILE = "FOOTLIGHT_PROBE"
ORDER = "FOOTLIGHT_PROBE_ORDER"
PULSE_MS = 5
STEP_MS, QUICK_MS = 20, 2
HELD_S = 0.03  # a key, by a hand
CALM_S = 2.0  # after the start, before anything is measured
PATIENCE_S = 3.0  # for an answer
STATE_S = 60.0  # for a state of the robot
AGAIN_S = 3.0  # after which a cue is requested again
WEIGH_EVERY_S = 10.0
PLAYED, PRESSED = "2", "1"  # cues of the bench's show


class ProbeOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order of a bench to the probe.

    Attributes:
        seconds: how long the show plays first [s].
        presses: how often GO, and how often STOP, is pressed.
        phrases: how often the controller fires the show's trigger, once another hand has fired it.
    """

    seconds: float = 0.0
    presses: int = 0
    phrases: int = 0


class Probed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of the probe.

    Attributes:
        gui_latency_ms: median, 99th percentile and largest wait of an event [ms].
        gui_share: processor time of the thread of the windows while the show played, as a share of
            that time.
        size_px: width and height of the window [px].
        go_ms: from each press of GO to the first command that it changed [ms].
        stop_ms: from each press of STOP to the damping command [ms].
        unanswered: presses without an answer.
        repeated: how often a cue had to be requested again while the show played.
        memory: times since the start [s] and the console's resident memory then [MB], without
            what the probe itself keeps.
        problem: why it gave up, one sentence; empty if it did not.
        controller_s: when the controller's button was pressed, monotonic clock [s].
    """

    gui_latency_ms: dict[str, float]
    gui_share: float = 0.0
    size_px: tuple[int, int] = (0, 0)
    go_ms: tuple[float, ...] = ()
    stop_ms: tuple[float, ...] = ()
    unanswered: int = 0
    repeated: int = 0
    memory: tuple[tuple[float, float], ...] = ()
    problem: str = ""
    controller_s: tuple[float, ...] = ()


class ProbeError(Exception):
    """The robot did not come to where a bench needs it."""


class Probe(QObject):
    """Measures the event loop's pulse, and carries out a bench's order.

    Signals:
        done: everything ordered is done, or cannot be.
    """

    done = Signal()
    _key = Signal(int, bool)  # from the thread into the event queue

    def __init__(self, link: CoreLink, window: QMainWindow, file: Path, order: ProbeOrder) -> None:
        """Begin to measure.

        Args:
            link: to the core.
            window: whose keys are pressed.
            file: is written by `write`.
            order: what to do besides.
        """
        super().__init__(window)
        self._link, self._window, self._file, self._order = link, window, file, order
        self._lateness = Lateness(PULSE_MS / 1e3)
        self._go_ms: list[float] = []
        self._stop_ms: list[float] = []
        self._controller_s: list[float] = []
        self._unanswered = 0
        self._repeated = 0
        self._memory: list[tuple[float, float]] = []
        self._share = 0.0
        self._start_s = time.monotonic()
        self._problem = ""
        self._key.connect(self._press, Qt.ConnectionType.QueuedConnection)
        self._pulse = QTimer(self)
        self._pulse.setTimerType(Qt.TimerType.PreciseTimer)
        self._pulse.timeout.connect(lambda: self._lateness.feel(time.monotonic()))
        self._steps = self._improvise() if order.phrases else self._script()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)
        if order.seconds or order.presses or order.phrases:
            self._timer.start(QUICK_MS if order.phrases else STEP_MS)
        else:
            self._pulse.start(PULSE_MS)

    def write(self) -> None:
        """Write the results."""
        self._pulse.stop()
        self._timer.stop()
        found = Probed(
            spread(self._lateness.waits_s),
            self._share,
            (self._window.width(), self._window.height()),
            tuple(self._go_ms),
            tuple(self._stop_ms),
            self._unanswered,
            self._repeated,
            tuple(self._memory),
            self._problem,
            tuple(self._controller_s),
        )
        self._file.write_bytes(msgspec.json.encode(found))

    def _step(self) -> None:
        since_s = time.monotonic() - self._start_s
        if not self._memory or since_s > self._memory[-1][0] + WEIGH_EVERY_S:
            waits = self._lateness.waits_s
            kept_mb = waits.itemsize * len(waits) / 1e6
            self._memory.append((since_s, resident_mb() - kept_mb))
        try:
            next(self._steps)
        except ProbeError as error:
            self._problem = str(error)
        except StopIteration:
            pass
        else:
            return
        self._timer.stop()
        begun(self._file).unlink(missing_ok=True)
        self.done.emit()

    def _script(self) -> Iterator[None]:
        """Carry out the order, one step at each call."""
        yield from self._await("a show and a robot that stands", _at_the_top)
        yield from self._wait(CALM_S)
        begun(self._file).touch()
        self._pulse.start(PULSE_MS)
        start_s, start_cpu_s = time.monotonic(), time.thread_time()
        while time.monotonic() < start_s + self._order.seconds:
            yield from self._await("a cue that has ended", lambda s: not s.running_cues)
            yield from self._play()
        if self._order.seconds:
            self._share = (time.thread_time() - start_cpu_s) / (time.monotonic() - start_s)
        for _ in range(self._order.presses):
            yield from self._back(ResetShow(), "the top of the show", _at_the_top)
            yield from self._answer(Qt.Key.Key_Space, self._go_ms, stopped=False)
        self._pulse.stop()
        yield from self._back(ResetShow(), "the top of the show", _at_the_top)
        for _ in range(self._order.presses):
            yield from self._back(Settle(), "a robot that is limp", lambda s: s.mode == "DAMPED")
            yield from self._answer(Qt.Key.Key_F12, self._stop_ms, stopped=True)
            yield from self._await("a reset that may be", lambda s: all_done(s))
            yield from self._back(Reset(), "a reset", lambda s: s.mode == "DAMPED")

    def _improvise(self) -> Iterator[None]:
        """Tell where to press, wait for a hand outside, then press the controller."""
        yield from self._await("the bench's show", lambda s: bool(s.show))
        controller = Controller()
        yield from self._wait(CALM_S)
        place = place_of(self._window)
        yield from self._wait(CALM_S)
        while place is None or place != place_of(self._window):
            place = place_of(self._window)
            yield
        write_place(place, begun(self._file))
        while begun(self._file).exists():
            yield
        yield from controller.press("a", self._order.phrases, self._controller_s)
        yield from self._wait(CALM_S)

    def _play(self) -> Iterator[None]:
        """Begin the cue with the dance; repeat the request if the robot was held."""
        deadline = time.monotonic() + STATE_S
        while True:
            self._link.send(Go(PLAYED))
            asked_s = time.monotonic()
            while time.monotonic() < asked_s + AGAIN_S:
                yield
                status = self._link.status
                if status is not None and status.running_cue == PLAYED:
                    return
            if time.monotonic() > deadline:
                raise ProbeError(f"within {STATE_S:g} s no cue played; {_told(self._link)}")
            self._repeated += 1

    def _back(self, command: Command, what: str, holds: Callable[[Status], bool]) -> Iterator[None]:
        """Ask for a state of the robot, unless it is there."""
        status = self._link.status
        if status is None or not holds(status):
            if isinstance(command, ResetShow):
                self._link.send(Cancel())
            self._link.send(command)
            yield from self._await(what, holds)

    def _answer(self, key: Qt.Key, found: list[float], stopped: bool) -> Iterator[None]:
        """Press a key at a time, and note when the body has taken its command."""
        pressed_s = time.monotonic() + random.uniform(0.35, 0.45)  # beyond the guard of GO
        threading.Thread(target=self._hand, args=(key, pressed_s), daemon=True).start()
        while time.monotonic() < pressed_s + PATIENCE_S:
            yield
            status = self._link.status
            answer = None if status is None else status.answered
            if answer is None or answer.sent_s < pressed_s or answer.stopped != stopped:
                continue
            found.append(1e3 * (answer.done_s - pressed_s))
            return
        self._unanswered += 1

    def _hand(self, key: Qt.Key, at_s: float) -> None:
        for moment_s, down in ((at_s, True), (at_s + HELD_S, False)):
            time.sleep(max(0.0, moment_s - time.monotonic()))
            self._key.emit(key.value, down)

    def _press(self, key: int, down: bool) -> None:
        """Give the window a key as the window system would."""
        from PySide6.QtTest import QTest

        handle = self._window.windowHandle()
        if handle is not None:
            (QTest.keyPress if down else QTest.keyRelease)(handle, Qt.Key(key))

    def _await(self, what: str, holds: Callable[[Status], bool]) -> Iterator[None]:
        deadline = time.monotonic() + STATE_S
        while self._link.status is None or not self._link.connected or not holds(self._link.status):
            if time.monotonic() > deadline:
                raise ProbeError(f"within {STATE_S:g} s there was not {what}; {_told(self._link)}")
            yield

    def _wait(self, time_s: float) -> Iterator[None]:
        end_s = time.monotonic() + time_s
        while time.monotonic() < end_s:
            yield


def probe_of(environment: Mapping[str, str], link: CoreLink, window: QMainWindow) -> Probe | None:
    """Return the probe that the environment requests, if any."""
    file = environment.get(FILE)
    if not file:
        return None
    order = msgspec.json.decode(environment.get(ORDER, "{}"), type=ProbeOrder)
    return Probe(link, window, Path(file), order)


def begun(file: Path) -> Path:
    """Return the file that the probe makes when its console begins to operate the robot."""
    return file.with_suffix(".begun")


def resident_mb() -> float:
    """Return this process's resident memory [MB]."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def all_done(status: Status) -> bool:
    """Return whether a reset may be requested."""
    return status.mode == "FAULT" and all(step.done for step in status.reset_steps)


def _told(link: CoreLink) -> str:
    """Return the core's last report, for the message that explains a failure."""
    status = link.status
    if status is None or not link.connected:
        return "the core is not heard"
    said = " ".join((status.mode, status.action, *status.flags))
    return f"the core says {said}, running {status.running_cue or 'nothing'}"


def _at_the_top(status: Status) -> bool:
    return status.mode == "READY" and not status.running_cues and status.standby_cue == PRESSED
