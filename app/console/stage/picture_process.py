"""The console's end of the picture process: starts it, orders frames, starts it again."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QImage

from app.keeper import console_environment
from app.picture.frames import BYTES_PER_PX, SLOTS, Frames
from app.picture.protocol import Answer, Cast, Failure, Frame, ProtocolError, Shot, Stream

STUCK_S = 5.0  # without an answer: the process is ended, and started again
START_S = 60.0  # the same until its first answer: a busy computer starts it slowly
AGAIN_S = (0.5, 2.0, 10.0)  # waits before the next start, after failures in a row
END_S = 1.0  # that a process may take to end
LOOK_MS = 500


class PictureProcess(QObject):
    """Owns the process; one shot is on its way at a time.

    Signals:
        drawn: a shot was answered: an image, or None if it would be equal to the last one, and
            whether it is the simple picture.
        failed: the process cannot draw on this computer, with the reason.
        started: a new process expects a cast.
    """

    drawn = Signal(object, bool)
    failed = Signal(str)
    started = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: subprocess.Popen[bytes] | None = None
        self._stream: Stream | None = None
        self._end: socket.socket | None = None
        self._notifier: QSocketNotifier | None = None
        self._frames: Frames | None = None
        self._number = self._failures = 0
        self._ordered_s: float | None = None
        self._awaited_s: float | None = None  # the next frame, since
        self._knows = False  # the process has been told which robot it draws
        self._patience_s = START_S
        self._watch = QTimer(self)
        self._watch.setInterval(LOOK_MS)
        self._watch.timeout.connect(self._look)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.start)

    @property
    def ready(self) -> bool:
        """Whether a shot may be ordered."""
        return self._stream is not None and self._knows and self._ordered_s is None

    @property
    def running(self) -> bool:
        """Whether the process runs, or is about to be started again."""
        return self._process is not None or self._again.isActive()

    @property
    def waits_s(self) -> float:
        """How long the next frame has been awaited, also of a dead process; else 0 [s]."""
        return 0.0 if self._awaited_s is None else time.monotonic() - self._awaited_s

    def start(self) -> None:
        """Start the process."""
        ours, theirs = socket.socketpair()
        memory = Frames.create()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "app.picture", str(theirs.fileno()), str(memory)],
                env=console_environment(),
                pass_fds=(theirs.fileno(), memory),
                stdin=subprocess.DEVNULL,
                cwd=Path("/"),
            )
            self._frames = Frames(memory)
        finally:
            theirs.close()
            os.close(memory)
        ours.setblocking(False)
        self._end, self._stream = ours, Stream(ours, Answer)
        self._ordered_s, self._knows, self._patience_s = None, False, START_S
        self._notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self._watch.start()
        self.started.emit()

    def cast(self, cast: Cast) -> None:
        """Send the robot of the following shots."""
        self._knows = True
        self._send(cast)

    def order(self, shot: Shot) -> None:
        """Order a frame, with the next number and the slot that is not on display."""
        self._number += 1
        self._ordered_s = time.monotonic()
        self._await()
        self._send(replace(shot, number=self._number, slot=self._number % SLOTS))

    def close(self) -> None:
        """End the process."""
        self._again.stop()
        self._drop()

    def _send(self, message: Cast | Shot) -> None:
        if self._stream is not None:
            try:
                self._stream.send(message)
            except OSError:
                self._restart()

    def _read(self) -> None:
        if self._stream is None:
            return
        try:
            answers = self._stream.receive()
        except ProtocolError:
            answers = None
        if answers is None:
            self._restart()
            return
        for answer in answers:
            if isinstance(answer, Failure):
                self._drop()
                self.failed.emit(answer.reason)
                return
            if isinstance(answer, Frame) and answer.number == self._number:
                self._take(answer)

    def _take(self, frame: Frame) -> None:
        self._ordered_s = self._awaited_s = None
        self._patience_s = STUCK_S
        self._failures = 0
        image = None
        if frame.changed and self._frames is not None:
            memory = self._frames.slot(frame.number % SLOTS, frame.width, frame.height)
            stride = frame.width * BYTES_PER_PX
            form = QImage.Format.Format_RGB32
            image = QImage(memory, frame.width, frame.height, stride, form)
        self.drawn.emit(image, frame.simple)

    def _look(self) -> None:
        """End a process that does not answer."""
        ordered_s = self._ordered_s
        if ordered_s is not None and time.monotonic() - ordered_s > self._patience_s:
            self._restart()

    def _await(self) -> None:
        if self._awaited_s is None:
            self._awaited_s = time.monotonic()

    def _restart(self) -> None:
        self._drop()
        self._await()
        wait_s = AGAIN_S[min(self._failures, len(AGAIN_S) - 1)]
        self._failures += 1
        self._again.start(round(1000.0 * wait_s))

    def _drop(self) -> None:
        self._watch.stop()
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if self._end is not None:
            self._end.close()
        self._end = self._stream = self._ordered_s = None
        process, self._process = self._process, None
        if process is not None:
            try:
                process.wait(0.0 if process.poll() is None and self._failures else END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
