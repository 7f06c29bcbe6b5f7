"""Rows of buttons."""

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtWidgets import QHBoxLayout, QPushButton

Part: TypeAlias = tuple[str, str, Callable[[], object]]
"""Word on a button, its tip, and what it does."""


def button_row(*parts: Part) -> tuple[QHBoxLayout, dict[str, QPushButton]]:
    """Return a row of buttons, and each button by its word."""
    row, buttons = QHBoxLayout(), {}
    row.setSpacing(4)
    for word, tip, act in parts:
        button = QPushButton(word)
        button.setToolTip(tip)
        button.setAccessibleName(f"{word} (pose)")
        button.setStyleSheet("padding-left: 4px; padding-right: 4px")
        button.clicked.connect(lambda _=False, act=act: act())
        row.addWidget(button, 1)
        buttons[word] = button
    return row, buttons
