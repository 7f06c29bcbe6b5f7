"""Sentences of the console itself, for the status line and the event log."""

from PySide6.QtCore import QObject, Signal

from core.link.messages import Event, Severity


class Notices(QObject):
    """Hands on what a panel has to say to the operator.

    Signals:
        said: an event whose actor is the console.
    """

    said = Signal(object)

    def say(self, text: str, severity: Severity = "info") -> None:
        """Say one sentence: what, where, why, and what to do."""
        self.said.emit(Event(None, "console", text, severity))
