"""The panel Partner: a person whose motion is captured, and what the robot does with it."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.gestures.library import GestureLibrary
from app.console.partner.calibration_part import CalibrationPart
from app.console.partner.follow_part import FollowPart
from app.console.partner.mimesis_part import AskFile, MimesisPart
from app.console.partner.source_part import SourcePart
from app.console.partner.teach_part import TeachPart
from app.console.partner.words import ABSENT, LATE_S, repertoire_name
from app.console.toolkit import theme
from core.link.hello import Hello
from core.link.partner import FollowStatus, PartnerReport

LOOK_MS = 250  # between looks whether the process still answers
NARROWEST_PX = 340


class PartnerPanel(QWidget):
    """Pairs the source, calibrates, follows, shows what is recognised, and teaches.

    Attributes:
        source: the source.
        calibration: the calibration.
        follow: following.
        mimesis: the repertoire.
        teach: teaching.
        absent: says that no partner's process answers.
    """

    def __init__(
        self,
        context: Context,
        library: GestureLibrary,
        ask_file: AskFile,
        parent: QWidget | None = None,
    ) -> None:
        """Make the panel.

        Args:
            context: the console's shared parts.
            library: all gestures, to answer with.
            ask_file: asks for a file to read.
            parent: parent widget.
        """
        super().__init__(parent)
        self.setObjectName("partner_panel")
        self.setAccessibleName("Partner")
        self._context, self._library = context, library
        self.source, self.calibration, self.follow = SourcePart(), CalibrationPart(), FollowPart()
        self.mimesis, self.teach = MimesisPart(context.document, ask_file), TeachPart()
        self.absent = QLabel(f"{theme.WARN.mark} {ABSENT[0].upper()}{ABSENT[1:]}.")
        self._care = QTimer(self, interval=LOOK_MS)
        self._lay_out()
        self._connect()
        if context.link.hello is not None:
            self._meet(context.link.hello)
        self._offer()
        self._show()

    def close_panel(self) -> None:
        """Stop looking whether the process answers."""
        self._care.stop()

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        column.setSpacing(6)
        self.absent.setWordWrap(True)
        self.absent.setAccessibleName("Whether the partner's process answers")
        self.absent.setStyleSheet(f"color: {theme.WARN.colour}")
        column.addWidget(self.absent)
        for part in (self.source, self.calibration, self.follow, self.mimesis, self.teach):
            column.addWidget(part, 1 if part is self.mimesis else 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.setMinimumWidth(NARROWEST_PX)
        self.setFocusProxy(self.follow.follow)

    def _connect(self) -> None:
        link = self._context.link
        for part in (self.source, self.calibration, self.mimesis, self.teach):
            part.ordered.connect(link.order)
        self.follow.commanded.connect(link.send)
        self.mimesis.refused.connect(lambda text: self._context.notices.say(text, "warning"))
        link.hello_changed.connect(self._meet)
        link.partner_changed.connect(self._show)
        link.shown.connect(self._show_follow)
        link.connected_changed.connect(self._show)
        self._library.changed.connect(self._offer)
        self._care.timeout.connect(self._show)
        self._care.start()

    def _meet(self, hello: Hello) -> None:
        self.follow.meet(hello)

    def _offer(self) -> None:
        if self._library.ready:
            self.teach.offer([(entry.name, entry.title) for entry in self._library.entries()])

    @property
    def _report(self) -> PartnerReport | None:
        """The newest report; None while the process does not answer."""
        link = self._context.link
        return link.partner if link.partner_answers else None

    def _show(self, _: object = None) -> None:
        report = self._report
        self.absent.setVisible(report is None)
        for part in (self.source, self.calibration, self.mimesis, self.teach):
            part.setEnabled(report is not None)
        shown = report or PartnerReport(0.0)
        self.source.show_source(shown.source)
        self.calibration.show_calibration(shown.calibration, self._bar(report))
        self.mimesis.show_report(shown)
        self.teach.show_teach(shown.teach, report is not None and bool(shown.repertoire))
        self.follow.show_errors(shown.error_deg)
        self._show_follow()

    def _show_follow(self) -> None:
        link, report = self._context.link, self._report
        known = link.connected and link.status is not None
        status = link.status.follow if known and link.status is not None else FollowStatus()
        path = "" if report is None else report.repertoire
        self.follow.show_follow(status, repertoire_name(path), known, self._missing(report))

    def _bar(self, report: PartnerReport | None) -> str:
        """Return why no calibration can begin now; empty if one can."""
        if report is None:
            return ABSENT
        if report.source.age_s > LATE_S:
            return "no input of the person arrives"
        status = self._context.link.status
        if status is not None and status.follow.order is not None:
            return "the robot follows: end it first"
        return ""

    def _missing(self, report: PartnerReport | None) -> str:
        """Return what is missing before the robot can follow; empty if nothing is known to be."""
        if not self._context.link.connected:
            return "the core is not there"
        if report is None:
            return ABSENT
        if report.source.age_s > LATE_S:
            return "no input of the person arrives"
        if report.calibration.state != "done":
            return "calibrate first"
        if self.follow.modes["answer"].isChecked() and not report.repertoire:
            return "an answer needs a repertoire"
        return ""
