"""The operator's manual, shown in the console while the show continues."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.console.context.notices import Notices
from app.console.files.background import Background
from app.console.toolkit import theme
from app.console.toolkit.sheet import MARGIN, Sheet

MANUAL = Path(__file__).parents[2] / "manual"
INDEX = "index.md"
_LINK = re.compile(r"\[[^\]]*\]\(([a-z0-9_]+\.md)[^)]*\)")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$", re.MULTILINE)
_NO_WORD = re.compile(r"[^\w\- ]")
CONTEXT = 36  # characters on either side of a hit
LEFT = 260  # width of the contents [px]
SMALL = frozenset("a an and for how i in is it my of on or the to with".split())
SHORTEST = 2  # letters that are worth a search


@dataclass(frozen=True, slots=True)
class Chapter:
    """One file of the manual.

    Attributes:
        path: the file.
        title: its first heading.
        text: all of it, in Markdown.
    """

    path: Path
    title: str
    text: str

    def lines(self) -> list[str]:
        """Return its paragraphs and cells, as they are read."""
        page = QTextDocument()
        page.setMarkdown(self.text)
        return page.toPlainText().split("\n")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place of the manual with the searched words.

    Attributes:
        chapter: where.
        words: the words that are marked there.
        line: the words around it.
        count: which one of its chapter it is, from 0.
    """

    chapter: Chapter
    words: str
    line: str
    count: int


def chapters(folder: Path = MANUAL) -> tuple[Chapter, ...]:
    """Return the manual in the order in which its index names the chapters, the others last."""
    found: dict[str, Chapter] = {}
    order: list[str] = []
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        heading = _HEADING.search(text)
        title = heading[2] if heading else path.stem.replace("_", " ").capitalize()
        found[path.name] = Chapter(path, title, text)
        if path.name == INDEX:
            order = [INDEX, *_LINK.findall(text)]
    named = [name for name in dict.fromkeys(order) if name in found]
    return tuple(found[name] for name in [*named, *(n for n in found if n not in named)])


def slug(heading: str) -> str:
    """Return the anchor that a link to a heading names."""
    return _NO_WORD.sub("", heading.strip().lower()).replace(" ", "-")


def search(wanted: str, among: tuple[Chapter, ...], limit: int = 200) -> list[Hit]:
    """Return the places that hold the words, chapter by chapter.

    Where the words stand nowhere as they were typed, the paragraphs with all of them are found,
    whatever their order, ending or the small words between them.
    """
    words = wanted.strip().lower()
    if not words:
        return []
    found = [hit for chapter in among for hit in _literal(words, chapter)]
    stems = [_stem(word) for word in words.split() if word not in SMALL]
    if not found and stems:
        found = [hit for chapter in among for hit in _scattered(stems, chapter)]
    return found[:limit]


def _literal(words: str, chapter: Chapter) -> Iterator[Hit]:
    """Yield the places of a chapter that hold the words as they are."""
    count = 0
    for line in chapter.lines():
        flat = line.lower()
        place = flat.find(words)
        while place >= 0:
            begin, end = max(0, place - CONTEXT), place + len(words) + CONTEXT
            before, after = "…" if begin else "", "…" if end < len(line) else ""
            yield Hit(chapter, words, f"{before}{line[begin:end].strip()}{after}", count)
            place = flat.find(words, place + len(words))
            count += 1


def _scattered(stems: list[str], chapter: Chapter) -> Iterator[Hit]:
    """Yield the paragraphs of a chapter that hold the beginnings of all words."""
    first, count = stems[0], 0
    for line in chapter.lines():
        flat = line.lower()
        if all(stem in flat for stem in stems):
            begin = max(0, min(flat.find(stem) for stem in stems) - CONTEXT)
            end = begin + 4 * CONTEXT
            before, after = "…" if begin else "", "…" if end < len(line) else ""
            yield Hit(chapter, first, f"{before}{line[begin:end].strip()}{after}", count)
        count += flat.count(first)


def _stem(word: str) -> str:
    """Return the beginning of a word, without an ending of the plural or the verb."""
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


class Page(QTextBrowser):
    """Shows a chapter; links between chapters, headings and pictures work."""

    def __init__(self, notices: Notices) -> None:
        super().__init__()
        self._notices = notices
        self.setOpenLinks(False)
        self.setAccessibleName("Manual page")
        self.setToolTip("Alt+Left goes back")
        self.anchorClicked.connect(self.follow)
        style = f"a {{ color: {theme.ACCENT}; }} code {{ color: {theme.TEXT}; }}"
        self.document().setDefaultStyleSheet(style)
        self.document().setDocumentMargin(16)

    def follow(self, url: QUrl) -> None:
        """Go where a link leads; another program is not started."""
        target = self.source().resolved(url)
        if target.isLocalFile():
            bare = QUrl.fromLocalFile(target.toLocalFile())
            if bare != self.source():
                self.setSource(bare, QTextDocument.ResourceType.MarkdownResource)
            self.scroll_to(target.fragment())
        else:
            self._notices.say(f"this link leads out of the manual: {url.toString()}")

    def doSetSource(  # noqa: N802
        self,
        name: QUrl | str,
        type: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        """Show a chapter; Back and Forward come by here, too."""
        super().doSetSource(name, QTextDocument.ResourceType.MarkdownResource)
        _give_room(self.document())

    def loadResource(self, type: int, name: QUrl | str) -> object:  # noqa: N802
        """Shrink pictures to the page's width."""
        found: object = super().loadResource(type, name)
        if type == QTextDocument.ResourceType.ImageResource.value and isinstance(found, QByteArray):
            image = QImage.fromData(found)
            room = max(self.viewport().width() - 4 * MARGIN, 200)
            if image.width() > room:
                image = image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
            return image
        return found

    def scroll_to(self, anchor: str) -> None:
        """Show the heading of an anchor; the top without one."""
        block = self.document().begin()
        while block.isValid():
            if anchor and block.blockFormat().headingLevel() and slug(block.text()) == anchor:
                cursor = QTextCursor(block)
                self.setTextCursor(cursor)
                self.verticalScrollBar().setValue(self.verticalScrollBar().value() + 10**6)
                self.ensureCursorVisible()
                return
            block = block.next()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_hit(self, words: str, count: int) -> None:
        """Mark the n-th place that holds the words."""
        self.moveCursor(QTextCursor.MoveOperation.Start)
        for _ in range(count + 1):
            if not self.find(words):
                break


def _give_room(page: QTextDocument) -> None:
    """Put space above headings and paragraphs; tables are left alone."""
    cursor = QTextCursor(page)
    cursor.beginEditBlock()
    block = page.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        if cursor.currentTable() is None and not block.textList():
            form = block.blockFormat()
            form.setTopMargin(24 if form.headingLevel() else theme.GAP)
            form.setBottomMargin(theme.GAP)
            cursor.setBlockFormat(form)
        block = block.next()
    cursor.endEditBlock()


class ManualSheet(Sheet):
    """Contents and search at the left, the page at the right.

    Attributes:
        contents: the chapters.
        search_edit: words to look for.
        hits: where they were found; hidden without a search.
        page: the chapter.
    """

    def __init__(self, notices: Notices, folder: Path = MANUAL, chapter: str = INDEX) -> None:
        """Open the manual.

        Args:
            notices: reports links that leave the manual.
            folder: where the chapters lie.
            chapter: the file to begin with.
        """
        super().__init__("Operator's manual", width=1200, height=10_000, takes_keys=False)
        self._folder, self._chapters = folder, chapters(folder)
        self._background = Background(self)
        self.closed.connect(self._background.close)
        row = QHBoxLayout()
        row.addLayout(self._build_left())
        self.page = Page(notices)
        row.addWidget(self.page, 1)
        self.body.addLayout(row, 1)
        back = self.add_button(
            "◀ Back", self.page.backward, "The page before (Alt+Left)", left=True
        )
        back.setEnabled(False)
        self.page.backwardAvailable.connect(back.setEnabled)
        self.page.sourceChanged.connect(self._mark)
        self.add_button("Close", tip="Close the manual")
        self.open(chapter)

    def open(self, chapter: str) -> None:
        """Show a chapter by its file's name, with an anchor if there is one: `shows.md#cue`."""
        self.page.follow(QUrl.fromLocalFile(f"{self._folder}/").resolved(QUrl(chapter)))

    def first_focus(self) -> QWidget:
        """Return the page, which the arrow keys move."""
        return self.page

    def _build_left(self) -> QVBoxLayout:
        column = QVBoxLayout()
        self.search_edit = QLineEdit()
        self.search_edit.setPlaceholderText("Search the manual")
        self.search_edit.setClearButtonEnabled(True)
        self.search_edit.setAccessibleName("Search the manual")
        self.search_edit.setToolTip("Finds words in all chapters (Ctrl+F)")
        self.search_edit.textChanged.connect(self._search)
        self.contents, self.hits = QListWidget(), QListWidget()
        for part, words in ((self.contents, "Contents"), (self.hits, "Places found")):
            part.setAccessibleName(words)
            part.setToolTip(f"{words}: Enter or a click opens one")
            part.setFixedWidth(LEFT)
            part.setWordWrap(True)
            part.setSpacing(2)
        self.hits.setAlternatingRowColors(True)
        self.search_edit.setFixedWidth(LEFT)
        for chapter in self._chapters:
            item = QListWidgetItem(chapter.title)
            item.setData(Qt.ItemDataRole.UserRole, chapter.path.name)
            self.contents.addItem(item)
        for signal in (self.contents.itemClicked, self.contents.itemActivated):
            signal.connect(lambda item: self.open(item.data(Qt.ItemDataRole.UserRole)))
        for signal in (self.hits.itemClicked, self.hits.itemActivated):
            signal.connect(self._show_hit)
        self.hits.hide()
        column.addWidget(self.search_edit)
        column.addWidget(self.contents, 1)
        column.addWidget(self.hits, 1)
        finder = QShortcut(QKeySequence.StandardKey.Find, self)
        finder.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        finder.activated.connect(self.search_edit.setFocus)
        return column

    def _search(self, words: str) -> None:
        if len(words.strip()) < SHORTEST:
            self._fill([])
            return
        among = self._chapters

        def found(hits: list[Hit]) -> None:
            if words == self.search_edit.text():
                self._fill(hits, nothing="Nothing found.")

        self._background.run(lambda: search(words, among), found, lambda _: None)

    def _fill(self, hits: list[Hit], nothing: str = "") -> None:
        """Show the results of a search; the contents if nothing was searched."""
        self.hits.clear()
        for hit in hits:
            item = QListWidgetItem(f"{hit.chapter.title}\n{hit.line}")
            item.setData(Qt.ItemDataRole.UserRole, hit)
            self.hits.addItem(item)
        if nothing and not hits:
            item = QListWidgetItem(nothing)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.hits.addItem(item)
        self.hits.setVisible(self.hits.count() > 0)
        self.contents.setVisible(self.hits.count() == 0)

    def _show_hit(self, item: QListWidgetItem) -> None:
        hit = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(hit, Hit):
            self.open(hit.chapter.path.name)
            self.page.show_hit(hit.words, hit.count)

    def _mark(self, url: QUrl) -> None:
        """Mark the chapter in the contents."""
        name = Path(url.toLocalFile()).name
        for row in range(self.contents.count()):
            if self.contents.item(row).data(Qt.ItemDataRole.UserRole) == name:
                self.contents.setCurrentRow(row)
