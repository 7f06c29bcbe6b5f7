"""Every package that is used is named with its licence."""

from importlib.metadata import distribution

from pytestqt.qtbot import QtBot

from app.console.help.about import AboutSheet, licence, parts, version


def test_what_is_used_is_listed_with_its_needs(qtbot: QtBot) -> None:
    found = {part.name.lower(): part for part in parts("pytest-qt", without=())}
    assert found["pytest"].version == distribution("pytest").version
    assert "pluggy" in found  # a need of a need
    assert "pytest-qt" not in found
    assert found["pluggy"].licence.startswith("MIT")


def test_what_is_not_installed_is_left_out(qtbot: QtBot) -> None:
    assert parts("no-such-distribution") == []


def test_every_licence_is_a_short_line(qtbot: QtBot) -> None:
    for part in parts():
        assert part.licence
        assert "\n" not in part.licence
        assert len(part.licence) <= 61
    assert licence(distribution("msgspec")) == "BSD-3-Clause"


def test_the_sheet_names_them(qtbot: QtBot) -> None:
    sheet = AboutSheet()
    qtbot.addWidget(sheet)
    qtbot.waitUntil(lambda: sheet.list.topLevelItemCount() > 1)
    assert sheet.list.topLevelItemCount() == len(parts())
    assert version() in sheet.accessibleName()
    sheet.dismiss()
