"""The manual is whole, its links lead somewhere, and what is searched is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.console.context.notices import Notice, Notices
from app.console.help.manual import MANUAL, ManualSheet, chapters, search

INDEX = """# Handbook

| page | tells |
|---|---|
| [Second](second.md) | what |
| [First](first.md#the-stop-ladder) | how |
| [Away](https://example.org) | nothing |
"""
FIRST = "# First\n\n" + "A line of words.\n\n" * 60 + "## The stop ladder\n\nSafe points here.\n"
SECOND = "# Second\n\n![robot](pictures/robot.png)\n\nA safe\npoint, and a safe point.\n"


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    for name, text in (("index", INDEX), ("first", FIRST), ("second", SECOND), ("also", "text")):
        (tmp_path / f"{name}.md").write_text(text)
    (tmp_path / "pictures").mkdir()
    picture = QImage(3000, 500, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    picture.save(str(tmp_path / "pictures" / "robot.png"))
    return tmp_path


@pytest.fixture
def sheet(manual: Path, qtbot: QtBot) -> Iterator[ManualSheet]:
    found = ManualSheet(Notices(), manual)
    qtbot.addWidget(found)
    found.resize(900, 600)
    found.show()
    yield found
    found.dismiss()


def test_chapters_come_as_the_index_names_them(manual: Path, qtbot: QtBot) -> None:
    assert [c.title for c in chapters(manual)] == ["Handbook", "Second", "First", "Also"]


def test_every_place_is_found_as_it_is_read(manual: Path, qtbot: QtBot) -> None:
    hits = search("safe POINT", chapters(manual))
    assert [(hit.chapter.title, hit.count) for hit in hits] == [
        ("Second", 0),
        ("Second", 1),
        ("First", 0),
    ]
    assert hits[0].line == "A safe point, and a safe point."
    assert search("  ", chapters(manual)) == []


def test_words_are_found_in_any_order_and_form() -> None:
    found = search("add a sound", chapters())
    assert found and all("sound" in hit.line.lower() for hit in found)
    assert search("a giraffe of the", chapters()) == []


def test_a_hit_is_shown_and_marked(sheet: ManualSheet, qtbot: QtBot) -> None:
    sheet.search_edit.setText("safe point")
    qtbot.waitUntil(lambda: sheet.hits.count() == 3)
    sheet.hits.itemClicked.emit(sheet.hits.item(2))
    assert sheet.page.textCursor().selectedText() == "Safe point"
    assert sheet.page.verticalScrollBar().value() > 0
    assert sheet.contents.currentItem().text() == "First"
    sheet.search_edit.setText("giraffe")
    qtbot.waitUntil(lambda: sheet.hits.item(0).text() == "Nothing found.")
    sheet.search_edit.clear()
    assert sheet.hits.isHidden()
    assert not sheet.contents.isHidden()


def test_links_lead_to_chapters_and_headings_and_back(sheet: ManualSheet) -> None:
    sheet.page.follow(QUrl("first.md#the-stop-ladder"))
    assert sheet.page.textCursor().block().text() == "The stop ladder"
    sheet.page.follow(QUrl("second.md"))
    assert sheet.page.source().fileName() == "second.md"
    sheet.page.backward()
    assert "stop ladder" in sheet.page.document().toPlainText()


def test_a_link_out_of_the_manual_starts_no_other_program(manual: Path, qtbot: QtBot) -> None:
    notices, said = Notices(), list[Notice]()
    notices.said.connect(said.append)
    sheet = ManualSheet(notices, manual)
    qtbot.addWidget(sheet)
    sheet.page.follow(QUrl("https://example.org"))
    assert "example.org" in said[0].text
    assert sheet.page.source().fileName() == "index.md"


def test_pictures_are_as_wide_as_the_page(sheet: ManualSheet) -> None:
    sheet.open("second.md")
    assert sheet.page.document().idealWidth() <= sheet.page.viewport().width()
    assert sheet.page.horizontalScrollBar().maximum() == 0
    assert sheet.page.document().size().height() > 100  # it is there


def test_every_link_of_the_real_manual_leads_somewhere(qtbot: QtBot) -> None:
    sheet = ManualSheet(Notices())
    qtbot.addWidget(sheet)
    for chapter in chapters():
        sheet.open(chapter.path.name)
        for target in links(sheet):
            url = sheet.page.source().resolved(QUrl(target))
            if url.isLocalFile():
                assert Path(url.toLocalFile()).is_file(), (chapter.path.name, target)
                sheet.page.follow(QUrl(target))
                if url.fragment():
                    assert sheet.page.textCursor().position() > 0, (chapter.path.name, target)
                sheet.open(chapter.path.name)
    assert MANUAL.is_dir()


def links(sheet: ManualSheet) -> set[str]:
    found = set()
    block = sheet.page.document().begin()
    while block.isValid():
        for span in block.textFormats():
            if span.format.isAnchor():
                found.add(span.format.anchorHref())
        block = block.next()
    return found
