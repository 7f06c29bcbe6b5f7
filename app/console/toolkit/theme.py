"""How the console looks: made for a dark wing, legible at arm's length, nothing by colour alone."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

FAMILY = "DejaVu Sans"
SIZE_PX = 14  # of plain text
SMALL_PX, LARGE_PX, HUGE_PX = 12, 18, 28
GAP = 8  # between parts [px]
TWO_LINES = 36  # height of two lines of plain text [px]
TOUCH = 36  # height of controls that are pressed in a hurry [px]


@dataclass(frozen=True, slots=True)
class Tone:
    """The look of a state: a colour, a shape and a word, so that none is needed alone.

    Attributes:
        colour: of the mark and the word.
        mark: a shape that differs from every other tone's.
    """

    colour: str
    mark: str


BACKGROUND, SURFACE, RAISED, LINE = "#101214", "#181b1f", "#23272d", "#363c44"
STRIPED, SELECTED, STANDBY = "#1c2025", "#203a56", "#17352a"  # rows of lists
PROGRESS = "#2c5f8f"
EDGE = "#606a76"  # of controls and fields
TEXT, MUTED = "#e6e8ea", "#9aa3ad"
OFF = "#868f99"  # of controls that are disabled
ACCENT = "#58a9ff"
GOOD = Tone("#5fd38d", "●")
BUSY = Tone(ACCENT, "▶")
WARN = Tone("#ffb74d", "▲")
BAD = Tone("#ff7c73", "■")
IDLE = Tone("#9aa3ad", "○")
UNKNOWN = Tone("#9aa3ad", "?")
STOP = "#d32f2f"
GO = "#23804a"
CUE_COLOURS = {
    "none": "#363c44",
    "red": "#c0504d",
    "orange": "#d08a3a",
    "yellow": "#c9b037",
    "green": "#5a9e57",
    "blue": "#4a86c5",
    "purple": "#8e6bb8",
}


def _mark(name: str) -> str:
    return (Path(__file__).parents[1] / "marks" / f"{name}.svg").as_posix()


SHEET = f"""
* {{ font-family: "{FAMILY}"; font-size: {SIZE_PX}px; color: {TEXT}; }}
QWidget {{ background: {BACKGROUND}; }}
QDockWidget {{ titlebar-close-icon: none; }}
QDockWidget::title {{ background: {SURFACE}; padding: 3px {GAP}px; color: {MUTED}; }}
QMainWindow::separator {{ background: {LINE}; width: 3px; height: 3px; }}
QMainWindow::separator:hover {{ background: {ACCENT}; }}
QMenuBar, QMenu, QToolTip {{ background: {SURFACE}; }}
QMenuBar QLabel {{ background: {SURFACE}; }}
QMenu {{ border: 1px solid {LINE}; }}
QMenu::item:selected, QMenuBar::item:selected {{ background: {SELECTED}; }}
QMenu::item:disabled {{ color: {OFF}; }}
QToolTip {{ border: 1px solid {EDGE}; padding: 4px; }}
QTabBar::tab {{
  background: {BACKGROUND}; color: {MUTED}; padding: 4px 8px;
  border: 1px solid {LINE}; border-bottom: 2px solid {LINE};
}}
QTabBar::tab:selected {{
  background: {RAISED}; color: {TEXT}; border-bottom: 2px solid {ACCENT};
}}
QTabBar::tab:hover {{ color: {TEXT}; }}
QTabBar::tab:selected:focus {{ border: 1px solid {ACCENT}; border-bottom: 2px solid {ACCENT}; }}
QPushButton, QToolButton, QComboBox {{
  background: {RAISED}; border: 1px solid {EDGE}; border-radius: 4px;
  padding: 4px 10px; min-height: 22px;
}}
QPushButton:hover, QToolButton:hover, QComboBox:hover {{ border-color: {TEXT}; }}
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked {{
  background: {LINE};
}}
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QPlainTextEdit:focus,
QAbstractSpinBox:focus {{ border: 2px solid {ACCENT}; }}
QPushButton:focus, QToolButton:focus, QComboBox:focus {{ padding: 3px 9px; }}
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled {{
  color: {OFF}; background: {SURFACE}; border: 1px dashed {LINE};
}}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{_mark("down")}"); width: 12px; height: 12px; }}
QLineEdit, QPlainTextEdit, QAbstractSpinBox {{
  background: {SURFACE}; border: 1px solid {EDGE}; border-radius: 3px; padding: 3px 6px;
  selection-background-color: {ACCENT}; selection-color: #000;
}}
QLineEdit:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus {{ padding: 2px 5px; }}
QLineEdit:disabled, QPlainTextEdit:disabled, QAbstractSpinBox:disabled {{
  color: {OFF}; border: 1px dashed {LINE};
}}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {{
  border: none; padding: 0 6px; background: transparent;
}}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; }}
QLabel:disabled, QCheckBox:disabled, QRadioButton:disabled {{ color: {OFF}; }}
QCheckBox {{ padding: 2px; border: 1px solid transparent; }}
QCheckBox:focus {{ border: 1px solid {ACCENT}; border-radius: 3px; }}
QCheckBox::indicator {{
  width: 13px; height: 13px; border: 2px solid {MUTED}; border-radius: 3px; background: {SURFACE};
}}
QCheckBox::indicator:checked {{
  background: {ACCENT}; border-color: {TEXT}; image: url("{_mark("tick")}");
}}
QRadioButton::indicator {{
  width: 13px; height: 13px; border: 2px solid {MUTED}; border-radius: 8px; background: {SURFACE};
}}
QRadioButton::indicator:checked {{
  border-color: {TEXT}; background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
    stop: 0 {TEXT}, stop: 0.5 {TEXT}, stop: 0.6 {SURFACE}, stop: 1 {SURFACE});
}}
QRadioButton::indicator:disabled {{ border: 2px dashed {LINE}; }}
QSlider:focus {{ border: 1px solid {ACCENT}; border-radius: 3px; }}
QTableView, QListView, QTreeView {{
  background: {SURFACE}; alternate-background-color: {STRIPED}; border: 1px solid {LINE};
  gridline-color: {RAISED}; selection-background-color: {SELECTED}; selection-color: {TEXT};
}}
QTableView:focus, QListView:focus, QTreeView:focus {{ border: 1px solid {ACCENT}; }}
QHeaderView::section {{
  background: {RAISED}; color: {MUTED}; border: none; border-right: 1px solid {LINE};
  padding: 3px 6px;
}}
QProgressBar {{
  background: {SURFACE}; border: 1px solid {EDGE}; border-radius: 3px; text-align: center;
}}
QProgressBar::chunk {{ background: {ACCENT}; }}
QScrollBar:vertical {{ background: {SURFACE}; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: {SURFACE}; height: 12px; margin: 0; }}
QScrollBar::handle {{
  background: {EDGE}; border-radius: 4px; min-height: 24px; min-width: 24px;
}}
QScrollBar::handle:hover {{ background: {MUTED}; }}
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
        QPalette.ColorRole.Highlight: SELECTED,
        QPalette.ColorRole.HighlightedText: TEXT,
        QPalette.ColorRole.Link: ACCENT,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    application.setPalette(palette)
    application.setFont(font())
    application.setStyleSheet(SHEET)
