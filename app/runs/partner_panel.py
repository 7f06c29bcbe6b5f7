"""The live partner at the playhead: whether the person is followed, and what is recognised."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from app.console.cues.elided import Elided
from app.console.partner.motion_table import MotionTable
from app.console.partner.symbol_map import SymbolMap
from app.console.partner.words import (
    ABSENT,
    Said,
    follow_figures,
    follow_state,
    heard_state,
    source_figures,
    source_state,
)
from app.console.toolkit import theme
from app.runs.playback import Playback
from app.runs.run import Run
from core.link.partner import FollowStatus, PartnerReport

LEAST_PX = 150  # height of the table and the map
LOW_PX = 56  # height of the panel without them
QWIDGETSIZE_MAX = 16_777_215  # Qt's word for no bound


class RunPartner(QWidget):
    """Shows the panel Partner of the run; hidden while the run has no person.

    Args:
        run: the run.
        playback: the moment.

    Attributes:
        table: the motions with their scores.
        map: where they lie.

    Signals:
        found: the run has a person.
    """

    found = Signal()

    def __init__(self, run: Run, playback: Playback) -> None:
        super().__init__()
        self.setAccessibleName("Live partner of the run")
        self._run, self._playback = run, playback
        self._word, self._figures = QLabel(), Elided(theme.SMALL_PX)
        self._heard, self._source = Elided(), Elided(theme.SMALL_PX)
        self.table, self.map = MotionTable(), SymbolMap()
        self._word.setAccessibleName("Whether the person is followed")
        head = QHBoxLayout()
        head.setSpacing(theme.GAP)
        head.addWidget(self._word)
        head.addWidget(self._figures, 1)
        below = QHBoxLayout()
        below.setSpacing(theme.GAP)
        below.addWidget(self._heard, 2)
        below.addWidget(self._source, 3)
        self._motions = QSplitter()
        self._motions.addWidget(self.table)
        self._motions.addWidget(self.map)
        self._motions.setSizes([320, 280])
        self._motions.setMinimumHeight(LEAST_PX)
        self._motions.setVisible(False)  # before a repertoire is loaded
        self.setMaximumHeight(LOW_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(below)
        column.addWidget(self._motions, 1)
        self.setVisible(False)
        playback.moved.connect(self.look)

    @property
    def words(self) -> str:
        """All that it tells in words."""
        labels = (self._word, self._figures, self._heard, self._source)
        return "\n".join(label.text() for label in labels)

    def look(self) -> None:
        """Show the moment, once the digest has found a person."""
        if not self._run.digest.places.led:
            return
        if self.isHidden():
            self.setVisible(True)
            self.found.emit()
        moment = self._run.partner(self._playback.time_s)
        follow = moment.follow or FollowStatus()
        said = follow_state(follow)
        self._word.setText(str(said))
        self._word.setStyleSheet(f"color: {said.tone.colour}; font-weight: bold")
        self._figures.say(follow_figures(follow).replace("\n", "   "), theme.TEXT)
        report = moment.report
        if report is None:
            silent = Said(theme.WARN, ABSENT)
            self._heard.say(str(silent), silent.tone.colour)
            self._source.say("")
            report = PartnerReport(0.0)
        else:
            heard, source = heard_state(report.heard, report.heard_s), source_state(report.source)
            self._heard.say(str(heard), heard.tone.colour)
            figures = source_figures(report.source)
            self._source.say(f"{source}   {figures}".rstrip(), source.tone.colour)
        if report.symbols and self._motions.isHidden():
            self._motions.setVisible(True)
            self.setMaximumHeight(QWIDGETSIZE_MAX)
        self.table.show_symbols(report.symbols)
        self.map.show_symbols(report.symbols, report.here)
