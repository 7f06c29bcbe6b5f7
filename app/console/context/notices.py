"""Sentences of the console itself, for the status line and the event log."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from core.link.statement import Severity


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence of the console itself, which no core said."""

    text: str
    severity: Severity = "info"


class Notices(QObject):
    """Delivers the panels' messages to the operator.

    Signals:
        said: a notice.
    """

    said = Signal(object)

    def say(self, text: str, severity: Severity = "info") -> None:
        """Say one sentence: what, where, why, and what to do."""
        self.said.emit(Notice(text, severity))
