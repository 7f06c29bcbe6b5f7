"""Asks the stagehand: the newest question only, one at a time, and not too often."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.core_link import Answer, CoreLink
from core.link.topics import Topic

Q = TypeVar("Q")
A = TypeVar("A", bound=Answer)
PATIENCE_S = 4.0  # the first answer takes a second or two: the stagehand builds its model


class Asking(QObject, Generic[Q, A]):
    """Owns the newest question and its answer; one question is on its way at a time.

    Attributes:
        answer: the newest answer; None before the first, and during a silence.
        answered: the question that it answers.
        silent: no answer came within PATIENCE_S, or there is no core.

    Signals:
        changed: another answer, or none.
    """

    changed = Signal()

    def __init__(
        self,
        link: CoreLink,
        topic: Topic[A],
        send: Callable[[int, Q], bool],
        every_ms: int,
        parent: QObject,
    ) -> None:
        """Ask nothing yet.

        Args:
            link: the connection.
            topic: of the answers.
            send: sends a question with its number; returns whether it could.
            every_ms: between two looks whether a question waits [ms].
            parent: parent object.
        """
        super().__init__(parent)
        self._link, self._send = link, send
        self._number = 0
        self._wanted: Q | None = None
        self._awaited: int | None = None
        self._asked_s = 0.0
        self.answer: A | None = None
        self.answered: Q | None = None
        self._sent: Q | None = None
        self._first = 0  # number with which it was sent first
        self.silent = False
        self._timer = QTimer(self, interval=every_ms)
        self._timer.timeout.connect(self._step)
        link.listen(topic, self._hear)

    def ask(self, question: Q, at_once: bool = True) -> None:
        """Ask soon; it replaces a question that was not sent yet.

        Args:
            question: what to ask.
            at_once: else after a pause in which no other question comes.
        """
        self._wanted = question
        if not at_once:
            self._timer.start()
        elif not self._timer.isActive():
            self._step()
            self._timer.start()

    def rest(self) -> None:
        """Ask nothing more."""
        self._wanted = self._awaited = self._sent = None
        self._timer.stop()
        self._take(None, False)

    def _step(self) -> None:
        """Send the newest question; one that was not answered in time is sent again."""
        if self._awaited is not None:
            if time.monotonic() - self._asked_s <= PATIENCE_S:
                return
            self._awaited = None
            self._take(None, True)
            if self._wanted is None:
                self._wanted = self._sent
        if self._wanted is None:
            self._timer.stop()
            return
        if not self._send(self._number + 1, self._wanted):
            self._take(None, True)  # it waits for a core
            return
        self._number += 1
        if self._wanted is not self._sent:
            self._first = self._number
        self._awaited, self._asked_s = self._number, time.monotonic()
        self._sent, self._wanted = self._wanted, None

    def _hear(self, answers: list[A]) -> None:
        for answer in answers:
            known = self._sent is not None and self._first <= answer.number <= self._number
            if known and self._link.asked(answer):
                self._awaited, self.answered = None, self._sent
                self._take(answer, False)

    def _take(self, answer: A | None, silent: bool) -> None:
        if (answer, silent) != (self.answer, self.silent):
            self.answer, self.silent = answer, silent
            self.changed.emit()
