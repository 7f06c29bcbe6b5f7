"""Mimesis: the repertoire, its motions with their scores, and the map of them."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QWidget

from app.console.context.document import Document
from app.console.partner.motion_table import MotionTable
from app.console.partner.repertoires import UNSAVED, new_path, repertoires_of
from app.console.partner.section import TIGHT, Section
from app.console.partner.symbol_map import SymbolMap
from app.console.partner.words import Said, heard_state
from app.console.toolkit import theme
from app.console.toolkit.name_line import NameLine
from core.link.partner import PartnerReport, UseRepertoire
from shows.repertoire import FILE

NONE = "no repertoire"
AskFile: TypeAlias = Callable[[str, Path, str, Callable[[Path], None]], None]
"""Asks for a file: the title, the folder to begin in, the file's ending, what gets its path."""


class MimesisPart(Section):
    """Chooses the repertoire, and shows what of it is recognised.

    Attributes:
        choice: the repertoires of the show.
        other: chooses a folder elsewhere.
        new: begins a new repertoire.
        table: the motions.
        map: where they lie.

    Signals:
        ordered: an order to the partner's process.
        refused: why something could not be done.
    """

    ordered = Signal(object)
    refused = Signal(str)

    def __init__(
        self, document: Document, ask_file: AskFile, parent: QWidget | None = None
    ) -> None:
        super().__init__("MIMESIS", 1, parent)
        self._document, self._ask_file = document, ask_file
        self._loaded = ""
        self._paths: list[str] = []
        self.choice = QComboBox()
        self.other, self.new = QPushButton("Folder…"), QPushButton("New…")
        self.table, self.map = MotionTable(), SymbolMap()
        for widget, name, tip in (
            (self.choice, "Repertoire", "The motions that the robot knows, and its answers"),
            (self.other, "Choose a repertoire's folder", "Load a repertoire that is elsewhere"),
            (self.new, "New repertoire", "Begin an empty repertoire in the show's folder"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)
        self.choice.setMinimumContentsLength(8)
        for button in (self.other, self.new):
            button.setStyleSheet(TIGHT)
        for part in (self.table, self.map):  # as high as there is room for
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.add_row(self.choice, self.other, self.new, stretch=0)
        self.rows.addWidget(self.table, 1)
        self.rows.addWidget(self.map, 1)
        self.choice.activated.connect(self._choose)
        self.other.clicked.connect(self._ask)
        self.new.clicked.connect(self._begin)
        for changed in (document.opened, document.moved):
            changed.connect(self.look)
        self.look()

    def look(self) -> None:
        """List the repertoires of the open show, and the one that is loaded."""
        paths = [str(path) for path in repertoires_of(self._document.path)]
        if self._loaded and self._loaded not in paths:
            paths.append(self._loaded)
        self._paths = ["", *paths]
        self.choice.clear()
        self.choice.addItem(NONE)
        for path in paths:
            self.choice.addItem(Path(path).name)
            self.choice.setItemData(self.choice.count() - 1, path, Qt.ItemDataRole.ToolTipRole)
        self.choice.setCurrentIndex(self._paths.index(self._loaded))

    def show_report(self, report: PartnerReport) -> None:
        """Show the repertoire and what is recognised."""
        if report.repertoire != self._loaded:
            self._loaded = report.repertoire
            self.look()
        if report.repertoire_trouble:
            self.say(Said(theme.BAD, report.repertoire_trouble))
        elif not report.repertoire:
            self.say(Said(theme.IDLE, "no repertoire: nothing is recognised"))
        else:
            self.say(heard_state(report.heard, report.heard_s))
        self.table.show_symbols(report.symbols)
        self.map.show_symbols(report.symbols, report.here)

    def _choose(self, place: int) -> None:
        if self._paths[place] != self._loaded:
            self.ordered.emit(UseRepertoire(self._paths[place]))
        self.choice.setCurrentIndex(self._paths.index(self._loaded))  # until it is reported

    def _ask(self) -> None:
        found = self._document.path
        begin = Path.home() if found is None else found.absolute()
        self._ask_file("Choose a repertoire", begin, ".json", self._take)

    def _take(self, path: Path) -> None:
        """Load the repertoire of a file that was chosen, or of its folder."""
        folder = path.parent if path.name == FILE else path
        self.ordered.emit(UseRepertoire(str(folder.absolute())))

    def _begin(self) -> None:
        place = QRect(self.choice.pos(), self.choice.size())
        NameLine(self, place, "", "Name of the new repertoire", self._make)

    def _make(self, text: str) -> None:
        if not text:
            return
        path = new_path(self._document.path, text)
        if path is None:
            self.refused.emit(UNSAVED)
        else:
            self.ordered.emit(UseRepertoire(str(path)))
