"""How the console looks: made for a dark wing, legible at arm's length, nothing by colour alone."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

FAMILY = "DejaVu Sans"
SIZE_PX = 14  # of plain text
SMALL_PX, LARGE_PX, HUGE_PX = 12, 18, 28
GAP = 8  # between things [px]
TOUCH = 36  # height of what is pressed in a hurry [px]


@dataclass(frozen=True, slots=True)
class Tone:
    """What a state looks like: a colour, a shape and a word, so that no one of them is needed.

    Attributes:
        colour: of the mark and the word.
        mark: a shape that differs from every other tone's.
    """

    colour: str
    mark: str


BACKGROUND, SURFACE, RAISED, LINE = "#101214", "#181b1f", "#23272d", "#363c44"
TEXT, MUTED = "#e6e8ea", "#9aa3ad"
ACCENT = "#4da3ff"
GOOD = Tone("#5fd38d", "●")
BUSY = Tone("#4da3ff", "▶")
WARN = Tone("#ffb74d", "▲")
BAD = Tone("#ff6b60", "■")
IDLE = Tone("#9aa3ad", "○")
UNKNOWN = Tone("#9aa3ad", "?")
STOP = "#d32f2f"
GO = "#2e9e5b"
CUE_COLOURS = {
    "none": "#363c44",
    "red": "#c0504d",
    "orange": "#d08a3a",
    "yellow": "#c9b037",
    "green": "#5a9e57",
    "blue": "#4a86c5",
    "purple": "#8e6bb8",
}

SHEET = f"""
* {{ font-family: "{FAMILY}"; font-size: {SIZE_PX}px; color: {TEXT}; }}
QWidget {{ background: {BACKGROUND}; }}
QDockWidget {{ titlebar-close-icon: none; }}
QDockWidget::title {{ background: {SURFACE}; padding: 6px {GAP}px; color: {MUTED}; }}
QMainWindow::separator {{ background: {LINE}; width: 3px; height: 3px; }}
QMenuBar, QMenu, QToolTip {{ background: {SURFACE}; }}
QMenu::item:selected, QMenuBar::item:selected {{ background: {RAISED}; }}
QToolTip {{ border: 1px solid {LINE}; padding: 4px; }}
QPushButton, QToolButton, QComboBox {{
  background: {RAISED}; border: 1px solid {LINE}; border-radius: 4px;
  padding: 4px 10px; min-height: 22px;
}}
QPushButton:hover, QToolButton:hover {{ border-color: {MUTED}; }}
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QTableView:focus, QListView:focus,
QTreeView:focus, QComboBox:focus, QPlainTextEdit:focus {{ border: 1px solid {ACCENT}; }}
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked {{
  background: {LINE};
}}
QPushButton:disabled, QToolButton:disabled {{ color: #5d646c; background: {SURFACE}; }}
QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox {{
  background: {SURFACE}; border: 1px solid {LINE}; border-radius: 3px; padding: 3px 6px;
  selection-background-color: {ACCENT}; selection-color: #000;
}}
QCheckBox::indicator {{
  width: 13px; height: 13px; border: 2px solid {MUTED}; border-radius: 3px; background: {SURFACE};
}}
QCheckBox::indicator:checked {{ background: {ACCENT}; border-color: {TEXT}; }}
QTableView, QListView, QTreeView {{
  background: {SURFACE}; alternate-background-color: #1c2025; border: 1px solid {LINE};
  gridline-color: {RAISED}; selection-background-color: #2c4a6b; selection-color: {TEXT};
}}
QHeaderView::section {{
  background: {RAISED}; color: {MUTED}; border: none; border-right: 1px solid {LINE};
  padding: 4px 6px;
}}
QProgressBar {{
  background: {SURFACE}; border: 1px solid {LINE}; border-radius: 3px; text-align: center;
}}
QProgressBar::chunk {{ background: #2c5f8f; }}
QScrollBar:vertical {{ background: {SURFACE}; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: {SURFACE}; height: 12px; margin: 0; }}
QScrollBar::handle {{
  background: {LINE}; border-radius: 4px; min-height: 24px; min-width: 24px;
}}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
"""


def font(size_px: int = SIZE_PX, bold: bool = False, digits: bool = False) -> QFont:
    """Return a font; with `digits` figures are as wide as each other and do not dance."""
    found = QFont("DejaVu Sans Mono" if digits else FAMILY)
    found.setPixelSize(size_px)
    found.setBold(bold)
    return found


def dress(application: QApplication) -> None:
    """Give the whole program its looks."""
    application.setStyle("Fusion")
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: BACKGROUND,
        QPalette.ColorRole.Base: SURFACE,
        QPalette.ColorRole.AlternateBase: RAISED,
        QPalette.ColorRole.Button: RAISED,
        QPalette.ColorRole.Text: TEXT,
        QPalette.ColorRole.WindowText: TEXT,
        QPalette.ColorRole.ButtonText: TEXT,
        QPalette.ColorRole.PlaceholderText: MUTED,
        QPalette.ColorRole.Highlight: "#2c4a6b",
        QPalette.ColorRole.HighlightedText: TEXT,
        QPalette.ColorRole.Link: ACCENT,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    application.setPalette(palette)
    application.setFont(font())
    application.setStyleSheet(SHEET)
