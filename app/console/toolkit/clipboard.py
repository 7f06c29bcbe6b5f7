"""The program's own kinds of data on the system's clipboard."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

PREFIX = "application/x-footlight-"
CUES, CLIPS = f"{PREFIX}cues", f"{PREFIX}clips"


def put(kind: str, data: bytes, text: str = "") -> None:
    """Copy data, and the text that other programs paste."""
    copy = QMimeData()
    copy.setData(kind, data)
    if text:
        copy.setText(text)
    QGuiApplication.clipboard().setMimeData(copy)


def taken(kind: str) -> bytes:
    """Return the data of a kind; empty if the clipboard holds none."""
    copy = QGuiApplication.clipboard().mimeData()
    return b"" if copy is None else bytes(copy.data(kind).data())  # an empty clipboard has none


def release() -> None:
    """Give up what was copied: Qt's own end comes after Python's, which owns the copy."""
    clipboard = QGuiApplication.clipboard()
    copy = clipboard.mimeData()
    if copy is not None and any(kind.startswith(PREFIX) for kind in copy.formats()):
        clipboard.clear()
