"""Chips are marked by more than colour, keep their state, and wrap."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.console.gestures.chips import Chips


def test_a_chip_that_is_on_is_marked(qtbot: QtBot) -> None:
    chips = Chips("Filter", "Only {}")
    qtbot.addWidget(chips)
    chips.set_words(("one", "two"))
    changes: list[int] = []
    chips.changed.connect(lambda: changes.append(1))
    chips.switch("two", True)
    assert chips.on() == ("two",)
    assert [chip.text() for chip in chips.findChildren(QPushButton)] == ["one", "✓ two"]
    assert len(changes) == 1


def test_other_words_keep_what_was_on(qtbot: QtBot) -> None:
    chips = Chips("Filter", "Only {}")
    qtbot.addWidget(chips)
    chips.set_words(("one", "two"))
    chips.switch("two", True)
    changes: list[int] = []
    chips.changed.connect(lambda: changes.append(1))
    chips.set_words(("zero", "two"))
    assert chips.on() == ("two",) and not changes
    chips.set_words(("zero",))
    assert chips.on() == () and len(changes) == 1


def test_new_words_may_start_on(qtbot: QtBot) -> None:
    chips = Chips("Limbs", "{}")
    qtbot.addWidget(chips)
    chips.set_words(("head", "arm"), on=True)
    assert chips.on() == ("head", "arm")


def test_they_wrap_in_a_narrow_place(qtbot: QtBot) -> None:
    chips = Chips("Filter", "Only {}")
    qtbot.addWidget(chips)
    chips.set_words(("one", "two", "three", "four"))
    layout = chips.layout()
    assert layout is not None
    assert layout.heightForWidth(90) > layout.heightForWidth(900)
    chips.resize(90, layout.heightForWidth(90))
    chips.show()
    assert all(chip.geometry().right() <= 90 for chip in chips.findChildren(QPushButton))
