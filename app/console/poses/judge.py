"""Asks the stagehand about the pose that is edited: the newest one only, and not too often."""

import time
from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.core_link import CoreLink
from core.link import topics
from core.link.pose import PoseVerdict

EVERY_MS = 50  # between two questions
PATIENCE_S = 4.0  # the first answer takes a second or two: the stagehand builds its model


class PoseJudge(QObject):
    """Owns the newest question and its answer; one question is on its way at a time.

    Attributes:
        verdict: the answer to the newest question; None while it is awaited.
        silent: no answer came within PATIENCE_S.

    Signals:
        changed: another verdict, or none.
    """

    changed = Signal()

    def __init__(self, link: CoreLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._number = 0
        self._wanted: dict[str, float] | None = None
        self._awaited: int | None = None
        self._asked_s = 0.0
        self.verdict: PoseVerdict | None = None
        self.silent = False
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._step)
        link.listen(topics.POSE_VERDICT, self._hear)

    def ask(self, angles: Mapping[str, float]) -> None:
        """Ask about a pose, soon; it replaces a question that was not sent yet [rad]."""
        self._wanted = dict(angles)
        if not self._timer.isActive():
            self._step()
            self._timer.start()

    def rest(self) -> None:
        """Ask nothing more."""
        self._wanted = self._awaited = None
        self._timer.stop()
        self._take(None, False)

    def _step(self) -> None:
        """Send the newest question once the last one is answered, or was not."""
        late = time.monotonic() - self._asked_s > PATIENCE_S
        if self._awaited is not None and not late:
            return
        if self._awaited is not None:
            self._awaited = None
            self._take(None, True)
        if self._wanted is None:
            self._timer.stop()
            return
        self._number += 1
        if self._link.ask_pose(self._number, self._wanted):
            self._awaited, self._asked_s = self._number, time.monotonic()
        else:
            self._take(None, True)
        self._wanted = None

    def _hear(self, verdicts: list[PoseVerdict]) -> None:
        for verdict in verdicts:
            if self._link.asked(verdict) and verdict.number == self._awaited:
                self._awaited = None
                self._take(verdict, False)

    def _take(self, verdict: PoseVerdict | None, silent: bool) -> None:
        if (verdict, silent) != (self.verdict, self.silent):
            self.verdict, self.silent = verdict, silent
            self.changed.emit()
