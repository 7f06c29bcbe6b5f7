"""A command of this program in a process of its own, which the window never waits for."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from app.keeper import console_environment

NICE = 10  # it takes no time from a core beside it
KILL_MS = 2000  # after which a command that does not end is killed
PREFIX = "footlight: "


class Child(QObject):
    """Runs one command at a time.

    Signals:
        told: a line of what it does.
        ended: whether it did what it promised, and its last words otherwise.
    """

    told = Signal(str)
    ended = Signal(bool, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._words = ""
        self._rest = ""

    @property
    def running(self) -> bool:
        """A command runs."""
        return self._process is not None

    def run(self, arguments: Sequence[str]) -> None:
        """Run a command; one that runs already is cancelled."""
        self.cancel()
        process = QProcess(self)
        environment = QProcessEnvironment()
        for name, value in console_environment().items():
            environment.insert(name, value)
        process.setProcessEnvironment(environment)
        process.setWorkingDirectory(str(Path.home()))
        process.setStandardOutputFile(QProcess.nullDevice())
        process.setStandardInputFile(QProcess.nullDevice())
        process.started.connect(lambda: os.setpriority(os.PRIO_PROCESS, process.processId(), NICE))
        process.readyReadStandardError.connect(self._read)
        process.finished.connect(lambda status, _: self._end(process, status))
        process.errorOccurred.connect(lambda error: self._fail(process, error))
        self._process, self._words, self._rest = process, "", ""
        # -P: a folder named app in the working directory is not meant.
        process.start(sys.executable, ["-P", "-m", "app", *arguments])

    def cancel(self) -> None:
        """End the command that runs; nothing more is told of it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.readyReadStandardError.disconnect()
        process.terminate()
        QTimer.singleShot(KILL_MS, process, process.kill)
        process.finished.connect(process.deleteLater)

    def close(self) -> None:
        """End the command that runs, and wait for its end."""
        process = self._process
        self.cancel()
        if process is not None and not process.waitForFinished(KILL_MS):
            process.kill()
            process.waitForFinished(KILL_MS)

    def _read(self) -> None:
        """Tell each whole line."""
        if self._process is None:
            return
        data = bytes(self._process.readAllStandardError().data())
        *lines, self._rest = (self._rest + data.decode(errors="replace")).split("\n")
        for line in lines:
            if line.strip():
                self._words = line.strip()
                self.told.emit(self._words)

    def _end(self, process: QProcess, status: int) -> None:
        if process is not self._process:
            return
        self._read()
        self._process = None
        process.deleteLater()
        done = status == 0 and process.exitStatus() is QProcess.ExitStatus.NormalExit
        reason = self._words.removeprefix(PREFIX) or f"it ended with {status}"
        self.ended.emit(done, "" if done else reason)

    def _fail(self, process: QProcess, error: QProcess.ProcessError) -> None:
        """Tell that a command did not start; of a crash its end tells."""
        if process is self._process and error is QProcess.ProcessError.FailedToStart:
            self._process = None
            process.deleteLater()
            self.ended.emit(False, f"it did not start ({process.errorString()})")
