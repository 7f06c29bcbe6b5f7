"""Figures are signed but for zero, and what is not known is a dash."""

from pytestqt.qtbot import QtBot

from app.console.by_hand.readout import Readout, degrees, metres


def test_figures_are_signed_but_for_zero() -> None:
    assert degrees(0.7854) == "+45°"
    assert degrees(-0.0001) == "0°"
    assert metres(-0.125) == "-0.12"
    assert metres(0.001) == "0.00"
    assert degrees(None) == metres(None) == "–"


def test_a_row_shows_what_it_is_told(qtbot: QtBot) -> None:
    readout = Readout(("yaw", "pitch"), "°", "Head")
    qtbot.addWidget(readout)
    readout.show_row(1, "1°", "2°", "3°")
    assert readout.texts() == [["–"] * 3, ["1°", "2°", "3°"]]
