"""The toolkit's own messages, which are hidden from the operator."""

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType


def tell_toolkit(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Hide the toolkit's own messages from the operator."""
    if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
        print(f"toolkit: {text}", file=sys.stderr)
