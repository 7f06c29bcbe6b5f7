"""The panel Partner: a person whose motion is captured, and what the robot does with it."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.console.by_hand.permission import head_bar
from app.console.context.context import Context
from app.console.gestures.library import GestureLibrary
from app.console.partner.calibration_part import CalibrationPart
from app.console.partner.follow_bar import FollowBar
from app.console.partner.follow_part import NO_LIMB, FollowPart
from app.console.partner.mimesis_part import AskFile, MimesisPart
from app.console.partner.source_part import SourcePart
from app.console.partner.teach_part import TeachPart
from app.console.partner.words import ABSENT, LATE_S, repertoire_name
from app.console.toolkit import theme
from core.link.hello import Hello
from core.link.partner import EndFollow, FollowStatus, PartnerReport

LOOK_MS = 250  # between looks whether the process still answers
_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class PartnerPanel(QWidget):
    """Pairs the source, calibrates, follows, shows what is recognised, and teaches.

    Attributes:
        source: the source.
        calibration: the calibration.
        bar: following, always in sight.
        follow: the choices of following.
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
        self.bar, self.follow = FollowBar(), FollowPart()
        self.source, self.calibration = SourcePart(), CalibrationPart()
        self.mimesis, self.teach = MimesisPart(context.document, ask_file), TeachPart()
        self.absent = QLabel(f"{theme.WARN.mark} {ABSENT[0].upper()}{ABSENT[1:]}.")
        self._halves, self._scroll = QBoxLayout(_BELOW), QScrollArea()
        self._seen = True  # in front of other panels
        self._wide_px = 0  # from this width on there are two columns
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

    def set_seen(self, seen: bool) -> None:
        """Take whether the panel is in front; behind others nothing is drawn."""
        self._seen = seen
        self._show()

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.GAP, 0, theme.GAP, 4)
        column.setSpacing(4)
        self.absent.setWordWrap(True)
        self.absent.setAccessibleName("Whether the partner's process answers")
        self.absent.setStyleSheet(f"color: {theme.WARN.colour}")
        self.absent.setContentsMargins(theme.GAP, 0, theme.GAP, 4)
        self._halves.setSpacing(2 * theme.GAP)
        column.addLayout(self._halves, 1)
        widths: list[int] = []
        for parts in ((self.source, self.calibration, self.follow), (self.mimesis, self.teach)):
            side = QWidget()
            half = QVBoxLayout(side)
            half.setContentsMargins(0, 0, 0, 0)
            half.setSpacing(4)
            for part in parts:
                half.addWidget(part, 1 if part is self.mimesis else 0)
            if self.mimesis not in parts:
                half.addStretch(1)
            self._halves.addWidget(side, 1)
            widths.append(side.minimumSizeHint().width())
        scroll = self._scroll
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.bar)
        outer.addWidget(self.absent)
        outer.addWidget(scroll, 1)
        bar = scroll.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(inside.minimumSizeHint().width() + bar)  # nothing is cut off
        self._wide_px = sum(widths) + 4 * theme.GAP + bar
        self.setFocusProxy(self.bar.follow)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put mimesis and teaching beside the rest where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= self._wide_px
        self._halves.setDirection(_BESIDE if wide else _BELOW)
        self._halves.setStretch(0, 1 if wide else 0)

    def _connect(self) -> None:
        link = self._context.link
        for part in (self.source, self.calibration, self.mimesis, self.teach):
            part.ordered.connect(link.order)
        self.bar.follow_asked.connect(self._follow)
        self.bar.end_asked.connect(lambda: link.send(EndFollow()))
        self.mimesis.refused.connect(lambda text: self._context.notices.say(text, "warning"))
        link.hello_changed.connect(self._meet)
        link.partner_changed.connect(self._show)
        link.shown.connect(self._show_follow)
        link.connected_changed.connect(self._show)
        self.teach.troubled.connect(lambda: QTimer.singleShot(0, self._show_teach))
        self._library.changed.connect(self._offer)
        self._care.timeout.connect(self._show)
        self._care.start()

    def _meet(self, hello: Hello) -> None:
        self.follow.meet(hello)

    def _show_teach(self) -> None:
        """Bring the part in sight, once it has room for its trouble."""
        self._scroll.ensureWidgetVisible(self.teach, 0, 0)

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
        if self._seen:
            self.mimesis.show_report(shown)
        self.teach.show_teach(shown.teach, report is not None and bool(shown.repertoire))
        self.follow.show_errors(shown.error_deg)
        self._show_follow()

    def _show_follow(self) -> None:
        link, report = self._context.link, self._report
        known = link.connected and link.status is not None
        status = link.status.follow if known and link.status is not None else FollowStatus()
        self.bar.show_follow(status, known, self._missing(report))
        self.follow.show_choice()

    def _follow(self) -> None:
        """Ask the core to follow, which refuses what it must; no limb at all is no order."""
        if self.follow.limbs and not self.follow.chosen:
            self.bar.refuse(NO_LIMB)
            return
        report = self._report
        path = "" if report is None else report.repertoire
        self._context.link.send(self.follow.order(repertoire_name(path)))

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
        link = self._context.link
        bar = head_bar(link.status, link.connected)
        if bar:
            return bar
        if report is None:
            return ""  # it is said below
        if report.source.age_s > LATE_S:
            return "no input of the person arrives"
        if report.calibration.state != "done":
            return "calibrate first"
        if self.follow.modes["answer"].isChecked() and not report.repertoire:
            return "an answer needs a repertoire"
        return ""
