"""The sheet of an export: which motion, in which format, with which look."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QLabel,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from app.console.exchange.child import Child
from app.console.exchange.formats import FORMATS, Format
from app.console.exchange.options import Span, choice, labelled, progress_bar
from app.console.files.chooser import ChooserSheet
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet
from app.exchange.notes import share_of
from shows.errors import ShowError
from shows.motion import Motion, motion_name, save_motion

SIZES = (
    ("240 × 320", "240x320"),
    ("360 × 480", "360x480"),
    ("720 × 960", "720x960"),
    ("600 × 600", "600x600"),
    ("960 × 540", "960x540"),
)
VIEWS = (
    ("the front", "front"),
    ("its left", "left"),
    ("its right", "right"),
    ("the back", "back"),
    ("above", "above"),
)
PAPERS = (("light", "light"), ("dark", "dark"))
RATES = (("10 a second", "10"), ("20 a second", "20"), ("25 a second", "25"), ("50 a second", "50"))
CLOSE = "Close"
WIDE_PX = 640


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A motion that can be exported.

    Attributes:
        title: kind and name, for the list.
        content: the motion, or the file of a take.
    """

    title: str
    content: Motion | Path

    @property
    def name(self) -> str:
        """Its name without kind."""
        content = self.content
        return content.stem if isinstance(content, Path) else content.title or content.name


class ExportSheet(Sheet):
    """Exports with the command `export`.

    Attributes:
        source: the motion.
        formats: a button for each format.
        view: the side of the robot that is seen.
        pixels: size of a picture.
        paper: light or dark.
        rate: pictures a second.
        count: pictures of a strip.
        span: the part that is exported.
        export: chooses a file and begins.
        words: what happens, or why it does not.
    """

    def __init__(
        self,
        sources: list[Source],
        robot: str,
        folder: Path,
        show_sheet: Callable[[Sheet], object],
        written: Callable[[Path, str], None],
    ) -> None:
        """Build the sheet.

        Args:
            sources: the motions that are offered, the likeliest first.
            robot: name of the robot's profile.
            folder: where the chooser begins.
            show_sheet: shows a sheet over this one.
            written: gets the file that was written, and its folder is kept.
        """
        super().__init__("Export a motion", WIDE_PX)
        self._sources, self._robot, self._folder = sources, robot, folder
        self._show_sheet, self._written = show_sheet, written
        self._kept = tempfile.TemporaryDirectory(prefix="footlight-export-")
        self._child = Child(self)
        self._out = Path()
        self.source = choice(
            "Motion", "The motion to export", [(found.title, "") for found in sources]
        )
        self.body.addLayout(labelled("Motion", self.source))
        self.formats: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self._add_formats()
        self.view = choice("Seen from", "The side of the robot that is seen", VIEWS)
        self.pixels = choice("Size", "Size of each picture [pixels]", SIZES)
        self.paper = choice("Background", "Light for documents, dark for screens", PAPERS)
        self.rate = choice("Pictures a second", "More look smoother, and make a larger file", RATES)
        self.count, self.span = QSpinBox(), Span()
        self._labels: dict[QWidget, QLabel] = {}
        self._add_options()
        self.words = self.add_text("")
        self.words.setMinimumHeight(2 * self.words.fontMetrics().lineSpacing())
        self.words.setAccessibleName("What happens")
        self._bar = progress_bar("Share that is done")
        self._bar.hide()
        self.body.addWidget(self._bar)
        self._close = self.add_button(CLOSE, tip="Close; what is being exported is given up")
        self.export = self.add_button(
            "Export…", self._choose, "Choose a file, and write it", chief=True
        )
        self._child.told.connect(self._hear)
        self._child.ended.connect(self._end)
        self.closed.connect(self._leave)
        self._show_options()

    @property
    def format(self) -> Format:
        """The chosen format."""
        return FORMATS[self._group.checkedId()]

    def begin(self, out: Path) -> None:
        """Export to a file, which is replaced if it is there."""
        source = self._sources[self.source.currentIndex()]
        try:
            motion = self._file_of(source)
        except ShowError as error:
            self._say(f"{theme.BAD.mark} Not exported: {error}", theme.BAD.colour)
            return
        self._out = out
        self.export.setEnabled(False)
        self._close.setText("Cancel")
        self._bar.setRange(0, 0)
        self._bar.show()
        self._child.run(self.arguments(motion, out, source.name))

    def arguments(self, motion: Path, out: Path, title: str) -> list[str]:
        """Return the command."""
        found = ["export", str(motion), str(out), "--robot", self._robot, "--force"]
        found += self.span.arguments()
        form = self.format
        if form.pictures:
            found += ["--view", self.view.currentData(), "--size", self.pixels.currentData()]
            found += ["--paper", self.paper.currentData()]
        if form.film:
            found += ["--fps", self.rate.currentData()]
        if form.strip:
            found += ["--count", str(self.count.value())]
            line = "".join(char if char.isprintable() else " " for char in title).strip()
            found += ["--title", line[:200]] if line else []
        return found

    def _add_formats(self) -> None:
        for index, form in enumerate(FORMATS):
            button = QRadioButton(f"{form.title}: {form.purpose}")
            button.setAccessibleName(form.title)
            button.setToolTip(f"{form.title}, {form.purpose}")
            self._group.addButton(button, index)
            self.formats[form.suffix] = button
            self.body.addWidget(button)
        self.formats[FORMATS[0].suffix].setChecked(True)
        self._group.idToggled.connect(lambda _, on: self._show_options() if on else None)

    def _add_options(self) -> None:
        self.pixels.setCurrentIndex(1)
        self.rate.setCurrentIndex(1)
        self.count.setRange(1, 24)
        self.count.setValue(6)
        self.count.setAccessibleName("Pictures of the strip")
        self.count.setToolTip("How many moments the strip shows")
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.GAP)
        places: tuple[tuple[str, QWidget], ...] = (
            ("Seen from", self.view),
            ("Size", self.pixels),
            ("Background", self.paper),
            ("Pictures a second", self.rate),
            ("Pictures", self.count),
        )
        for index, (title, widget) in enumerate(places):
            label = QLabel(title)
            label.setBuddy(widget)
            self._labels[widget] = label
            row, column = divmod(index, 2)
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(widget, row, 2 * column + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.body.addSpacing(theme.GAP)
        self.body.addLayout(grid)
        self.body.addWidget(self.span, 0, Qt.AlignmentFlag.AlignLeft)

    def _show_options(self) -> None:
        """Enable what the format has."""
        form = self.format
        parts: tuple[tuple[QWidget, bool], ...] = (
            (self.view, form.pictures),
            (self.pixels, form.pictures),
            (self.paper, form.pictures),
            (self.rate, form.film),
            (self.count, form.strip),
        )
        for widget, has in parts:
            widget.setEnabled(has)
            self._labels[widget].setEnabled(has)

    def _choose(self) -> None:
        source, suffix = self._sources[self.source.currentIndex()], self.format.suffix
        name = f"{motion_name(source.name)}{suffix}"
        self._show_sheet(
            ChooserSheet("Export to", self._folder, self.begin, name=name, suffix=suffix)
        )

    def _file_of(self, source: Source) -> Path:
        """Return the file of a motion.

        Raises:
            ShowError: it cannot be written.
        """
        if isinstance(source.content, Path):
            return source.content
        name = motion_name(source.content.name)
        path = Path(self._kept.name) / f"{name}.json"
        save_motion(replace(source.content, name=name), path)
        return path

    def _hear(self, line: str) -> None:
        share = share_of(line)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000.0 * share))
        self._say(line)

    def _end(self, done: bool, reason: str) -> None:
        self._bar.hide()
        self.export.setEnabled(True)
        self._close.setText(CLOSE)
        if done:
            self._folder = self._out.parent
            self._say(f"{theme.GOOD.mark} {self._out} is written.", theme.GOOD.colour)
            self._written(self._out, self.format.title)
        else:
            self._say(f"{theme.BAD.mark} Not exported: {reason}", theme.BAD.colour)

    def _leave(self) -> None:
        self._child.close()
        self._kept.cleanup()

    def _say(self, text: str, colour: str = theme.MUTED) -> None:
        self.words.setStyleSheet(f"color: {colour};")
        self.words.setText(text[:1].upper() + text[1:])
