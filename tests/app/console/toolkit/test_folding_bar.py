"""A bar leaves out what matters least, and never asks for more room than the rest needs."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.console.toolkit.folding_bar import FoldingBar


def test_a_narrow_bar_hides_the_first_ones_and_a_wide_one_shows_all(qtbot: QtBot) -> None:
    bar = FoldingBar()
    qtbot.addWidget(bar)
    buttons = [QPushButton(f"Button {n}") for n in range(4)]
    for button in buttons:
        bar.row.addWidget(button)
    bar.fold([buttons[2], buttons[1]])
    with qtbot.waitExposed(bar):
        bar.show()
    whole = bar.sizeHint().width()
    one = buttons[0].sizeHint().width()
    assert bar.minimumSizeHint().width() <= whole - 2 * one  # it can become that narrow
    for width, seen in (
        (whole + 40, [True] * 4),
        (whole - 10, [True, True, False, True]),
        (whole - one - 20, [True, False, False, True]),
        (whole + 40, [True] * 4),
    ):
        bar.resize(width, 40)
        assert [button.isVisible() for button in buttons] == seen, width
