"""What the toolkit says to itself, and who shall not read it."""

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType


def tell_toolkit(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Leave what the toolkit says to itself out of the operator's sight."""
    if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
        print(f"toolkit: {text}", file=sys.stderr)
