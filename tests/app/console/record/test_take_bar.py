"""The bar of the running take: its words have their room, whatever they say."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.record.take_bar import TakeBar
from core.link.take import TakeStatus

LONG = "l_arm_1.take cannot be written (No space left on device); choose another place"
STATES = (
    TakeStatus("/a.take", "preparing", 0.0),
    TakeStatus("/a.take", "counting", -2.5),
    TakeStatus("/a.take", "recording", 599.9, 599.8, 17_000_000, markers=25, sound_s=599.8),
    TakeStatus("/a.take", "saving", 2.0, 2.0),
    TakeStatus("/a.take", "failed", 0.0, trouble=LONG),
)


def test_the_state_of_the_sound_is_in_the_bar(qtbot: QtBot) -> None:
    bar = TakeBar()
    qtbot.addWidget(bar)
    bar.show_take(TakeStatus("/a.take", "saved", 2.0, 2.0, sound_s=2.0), "")
    assert "saved: 2.0 s, sound 2.0 s" in bar.words
    lost = TakeStatus("/a.take", "saved", 2.0, 2.0, sound_s=1.0, sound_trouble="it is gone")
    bar.show_take(lost, "")
    assert "▲" in bar.words and "it is gone" in bar.words
    bar.show_take(TakeStatus("/a.take", "failed", 0.0, trouble="it is of another robot"), "")
    assert "not recorded: it is of another robot" in bar.words


@pytest.mark.parametrize("width_px", [396, 560])
def test_no_state_moves_what_is_below_or_beside(qtbot: QtBot, width_px: int) -> None:
    whole, bar, below = QWidget(), TakeBar(), QWidget()
    qtbot.addWidget(whole)
    column = QVBoxLayout(whole)
    column.addWidget(bar)
    column.addWidget(below, 1)
    whole.resize(width_px, 300)
    with qtbot.waitExposed(whole):
        whole.show()
    places = []
    for state in STATES:
        bar.show_take(state, "")
        column.activate()
        places.append((below.geometry(), bar.record.geometry(), bar.mark.geometry()))
    assert places == places[:1] * len(STATES)
    assert whole.width() == width_px
