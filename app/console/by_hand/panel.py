"""Control by hand: pads for head, body and walk, the game controller and the handset."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.body_part import BodyPart
from app.console.by_hand.controller_map import BEHIND, ControllerMap
from app.console.by_hand.controller_part import ControllerPart
from app.console.by_hand.gamepad import Gamepad
from app.console.by_hand.handset_section import HandsetSection
from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.head_part import HeadPart
from app.console.by_hand.jump_part import JumpPart
from app.console.by_hand.pad import SIDE, Pad
from app.console.by_hand.readout import LEGEND
from app.console.by_hand.sway_part import SwayPart
from app.console.by_hand.walk_hand import WalkHand
from app.console.by_hand.walk_part import WalkPart
from app.console.by_hand.words import show_words
from app.console.context.context import Context
from app.console.toolkit import theme
from core.link.hello import Hello
from shows.gaits import GaitRange

GOOD_SIDE = 170  # of a pad: below this the legend is hidden, and tooltips explain the marks [px]
HEAD, BODY = "HEAD", "BODY"  # the parts that share a place
WIDE_PX = 560  # from this width on the two parts below a pad are side by side
_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class ByHandPanel(QWidget):
    """The pads for the parts that the robot has, the controller and the handset.

    Attributes:
        head: the head's hand.
        lead: the body's hand.
        walk: the walk's hand.
        gamepad: the controller.
        sway: direction, amplitude and frequency of a sway.
        jump: number, button, flight, way and turn of jumps.
        walks: chooses to walk.
        runs: chooses to run.
        handset: status and layout of the handset.
        head_part: pad, values and controls of the head.
        body_part: those of the body, in the place of the head's when it is chosen.
        walk_part: those of the walk.
        chosen: chooses the head or the body.

    Signals:
        favourite_asked: the controller requests the favourite at this index.
        stop_asked: STOP was pressed on the controller.
        improvised: the controller fires a trigger of the show.
    """

    improvised = Signal(object)

    favourite_asked = Signal(int)
    stop_asked = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("by_hand_panel")
        self._context = context
        link, preferences = context.link, context.preferences
        self.head = HeadHand(link, preferences, self)
        self.lead = BodyHand(link, preferences, self)
        self.walk = WalkHand(link, context.document, preferences, self)
        self.gamepad = Gamepad(self)
        hands = self.head, self.lead, self.walk
        self._map = ControllerMap(self.gamepad, *hands, link, context.document, preferences, self)
        self._map.improvised.connect(self.improvised)
        self._map.favourite.connect(self.favourite_asked)
        self._map.stop_asked.connect(self.stop_asked)
        self._in_front = True
        self.head_part = HeadPart(self.head, link, preferences)
        self.body_part = BodyPart(self.lead, link, preferences)
        self.walk_part = WalkPart(self.walk, link, context.document, preferences)
        self.chosen = QTabBar()
        self._head_state, self._walk_state = QLabel(), QLabel()
        self._controller = ControllerPart(
            self.gamepad, preferences, context.document, context.notices
        )
        self.sway = SwayPart(link)
        self.jump = JumpPart(self.walk, link)
        self.walks, self.runs = QRadioButton("Walk"), QRadioButton("Run")
        self._gaits = QWidget()
        self.handset = HandsetSection(link)
        self._legend = QLabel(LEGEND)
        self._head_column, self._walk_column = QWidget(), QWidget()
        self._line = QFrame()
        self._lay_out()
        self._name_things()
        self._connect()
        self.setFocusProxy(self.head_part.pad)
        self._show_preferences()
        self._show_hands()
        if link.hello is not None:
            self._meet(link.hello)

    def start(self) -> None:
        """Begin to look for game controllers."""
        self.gamepad.start()

    def close_controllers(self) -> None:
        """Leave the controller, before the program ends."""
        self.halt()
        self.gamepad.close()

    def halt(self) -> None:
        """Let everything go at once; every hold needs a new press."""
        for pad in self._pads:
            pad.drop()
        self.body_part.drop()
        self._map.halt()
        self.walk.halt()

    def take_application_state(self, state: Qt.ApplicationState) -> None:
        """Let everything go when another program comes to the front, and begin nothing then."""
        self._in_front = state == Qt.ApplicationState.ApplicationActive
        self._map.set_in_front(self._in_front)
        if not self._in_front:
            self.halt()
        self._show_hands()

    def _lay_out(self) -> None:
        columns = self._columns = QHBoxLayout()
        gaits = QHBoxLayout(self._gaits)
        gaits.setContentsMargins(0, 0, 0, 0)
        group = QButtonGroup(self)
        for choice in (self.walks, self.runs):
            group.addButton(choice)
            gaits.addWidget(choice)
        self.walks.setChecked(True)
        self._gaits.hide()
        self.body_part.hide()
        for place, title, state, parts in (
            (self._head_column, self.chosen, self._head_state, (self.head_part, self.body_part)),
            (self._walk_column, QLabel("WALK"), self._walk_state, (self.walk_part,)),
        ):
            column = QVBoxLayout(place)
            column.setContentsMargins(0, 0, 0, 0)
            title.setStyleSheet(f"color: {theme.MUTED}; font-weight: bold")
            state.setWordWrap(True)
            state.setMinimumHeight(theme.TWO_LINES)  # so that nothing jumps
            state.setAlignment(Qt.AlignmentFlag.AlignTop)
            heading = QBoxLayout(_BESIDE)
            heading.setSpacing(theme.GAP)
            if title is self.chosen:
                self._heading = heading
            heading.addWidget(title, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            heading.addWidget(state, 1)
            column.setSpacing(theme.GAP // 2)
            column.addLayout(heading)
            for part in parts:
                column.addWidget(part)
            column.addStretch(1)
            columns.addWidget(place, 1)
        columns.addWidget(self.sway, 1)
        line = self._line
        line.setFrameShape(QFrame.Shape.HLine)
        line.setStyleSheet(f"color: {theme.LINE}")
        inside = QWidget()
        rows = self._rows = QVBoxLayout(inside)
        rows.setContentsMargins(theme.GAP, 4, theme.GAP, 4)
        rows.setSpacing(4)
        rows.addLayout(columns)
        feet = self._feet = QHBoxLayout()
        feet.addWidget(self._gaits)
        feet.addStretch(1)
        feet.addWidget(self.jump)
        rows.addLayout(feet)
        rows.addWidget(self.jump.fields)
        self._legend.setStyleSheet(f"font-size: {theme.SMALL_PX}px")
        rows.addWidget(self._legend)
        rows.addWidget(line)
        rows.addWidget(self._controller)
        rows.addWidget(self.handset)
        rows.addStretch(1)
        scroll = self._scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        scroll_bar = scroll.verticalScrollBar()
        scroll_bar.rangeChanged.connect(self._size_pads_soon)  # parts have other heights
        self._bar_px = scroll_bar.sizeHint().width()
        scroll.setMinimumWidth(inside.minimumSizeHint().width() + self._bar_px)  # nothing is cut
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _name_things(self) -> None:
        for widget, name in (
            (self.walks, "Walk"),
            (self.runs, "Run"),
            (self._head_state, "State of the head or body"),
            (self.chosen, "Head or body"),
            (self._walk_state, "State of the walk"),
        ):
            widget.setAccessibleName(name)
        self.chosen.setToolTip("Lead the head or the body with this pad")
        self.chosen.setDrawBase(False)
        self.chosen.setExpanding(False)
        self.chosen.setUsesScrollButtons(False)

    def _connect(self) -> None:
        link, preferences = self._context.link, self._context.preferences
        self.head_part.hold_asked.connect(self._hold_point)
        self.chosen.currentChanged.connect(self._choose)
        self.runs.toggled.connect(lambda on: self.walk.choose("run" if on else "walk"))
        self.walk_part.pad.jump_asked.connect(self.jump.jump)
        self._controller.opened.connect(self._scroll_soon)
        for folded in (self.handset, self.jump):
            folded.resized.connect(self._size_pads)
        for met in (self.gamepad.plugged, self.gamepad.pulled):
            met.connect(self._show_hands)
        preferences.changed.connect(self._show_preferences)
        self._map.refused.connect(lambda text: self._context.notices.say(text, "warning"))
        for told in (self.head.changed, self.lead.changed, self.walk.changed):
            told.connect(self._show_hands)
        for changed in (link.shown, link.connected_changed):
            changed.connect(self._show_hands)
        link.hello_changed.connect(self._meet)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.connect(self.take_application_state)
        self.take_application_state(application.applicationState())

    @property
    def _pads(self) -> tuple[Pad, ...]:
        return self.head_part.pad, self.body_part.pad, self.walk_part.pad

    def _meet(self, hello: Hello) -> None:
        """Show the pads for the parts that this robot has; a hold on another one ends."""
        has = hello.gaze is not None, hello.body_limb is not None, hello.walk is not None
        for pad, there in zip(self._pads, has, strict=True):
            if not there:
                pad.drop()
        head, body, walk = has
        self._offer_parts(head, body)
        self._head_column.setVisible(head or body)
        self.head_part.point.setVisible(head)
        self._walk_column.setVisible(walk)
        self.sway.meet(hello)
        self.jump.meet(hello)
        self._offer_gaits(hello.gaits)
        self._line.setVisible(any(has))
        self._choose()
        self._fit()
        self._show_hands()

    def _offer_parts(self, head: bool, body: bool) -> None:
        """Offer the head, the body, or both, and keep the choice."""
        titles = [title for title, there in ((HEAD, head), (BODY, body)) if there]
        chosen = self.chosen
        if titles == [chosen.tabText(index) for index in range(chosen.count())]:
            return
        before = chosen.tabText(chosen.currentIndex())
        chosen.blockSignals(True)
        while chosen.count():
            chosen.removeTab(0)
        for title in titles:
            chosen.addTab(title)
        chosen.setCurrentIndex(titles.index(before) if before in titles else 0)
        chosen.blockSignals(False)

    @property
    def _shows_body(self) -> bool:
        """Whether the pad of the body is in the place of the head's."""
        return self.chosen.tabText(self.chosen.currentIndex()) == BODY

    def _choose(self, _: int = 0) -> None:
        """Show the pad of the head or of the body; a hidden one lets go."""
        self.head_part.setVisible(not self._shows_body)
        self.body_part.setVisible(self._shows_body)
        shown = [self.body_part.pad if self._shows_body else self.head_part.pad, self.walk_part.pad]
        parts = self._head_column, self._walk_column
        there = (pad for pad, part in zip(shown, parts, strict=True) if not part.isHidden())
        self.setFocusProxy(next(there, self._controller))
        self._size_pads()
        self._show_hands()

    def _offer_gaits(self, gaits: GaitRange) -> None:
        """Offer the run of a robot that runs; one that says why it does not shows the reason."""
        reason = gaits.refusal("run")
        self._gaits.setVisible(not reason or "run" in gaits.refused)
        self.runs.setEnabled(not reason)
        if reason:
            self.walks.setChecked(True)
        self.walks.setToolTip("The pad, the keys and the controller walk")
        self.runs.setToolTip(
            reason or "The pad, the keys and the controller run (keys: also while Ctrl is held)"
        )

    def _hold_point(self, hold: bool) -> None:
        if hold:
            self._map.hold_point()
        else:
            self._map.release_head()

    def _show_preferences(self) -> None:
        for part in (self.head_part, self.body_part, self.walk_part):
            part.show_preferences()

    def _show_hands(self, _: object = None) -> None:
        if not self.isVisible():
            return
        self.sway.refresh()
        self.jump.refresh()
        bars = self.head.bar, self.lead.bar, self.walk.bar
        behind = BEHIND if self.gamepad.name and not self._in_front else ""  # the pads wait
        self.head_part.refresh(bars[0], behind)
        self.body_part.refresh(bars[1])
        self.walk_part.refresh(bars[2])
        head_bar, body_bar, walk_bar = (bar or behind for bar in bars)
        if self._shows_body:
            show_words(self._head_state, *self.body_part.words(body_bar))
        else:
            show_words(self._head_state, *self.head_part.words(head_bar))
        show_words(self._walk_state, *self.walk_part.words(walk_bar))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Make both pads as large as there is room for, with all that belongs to them in sight."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= WIDE_PX
        for part in (self.head_part, self.body_part, self.walk_part):
            part.spread(wide)
        place = self._feet if wide else self.head_part.holds  # where there is room for it
        if place.indexOf(self.head_part.point) < 0:
            place.insertWidget(0 if wide else 1, self.head_part.point)
        narrow = not wide and self.chosen.count() > 1
        self._heading.setDirection(_BELOW if narrow else _BESIDE)
        self._columns.setSpacing(2 * theme.GAP if wide else theme.GAP)
        self._legend.setVisible(not wide and not self._line.isHidden())
        self._size_pads()
        self._size_pads_soon()

    def _size_pads_soon(self) -> None:
        """Size the pads anew, once the parts have their heights."""
        QTimer.singleShot(0, self, self._size_pads)

    def _size_pads(self) -> None:
        """Give the pads the room that is left."""
        if self._height_left() < GOOD_SIDE:
            self._legend.hide()
        column = self._column_width()
        side = min(column, self._height_left())
        for pad in self._pads:
            pad.set_side(side)
        self.body_part.pad.set_side(min(side, column - self.body_part.beside_px))

    def _column_width(self) -> int:
        """Return the width that a column has for its pad [px], where all of them fit."""
        shown = self.body_part if self._shows_body else self.head_part
        columns = (
            (self._head_column, max(self._heading.minimumSize().width(), shown.least_px)),
            (self._walk_column, self.walk_part.least_px),
            (self.sway, self.sway.minimumSizeHint().width()),
        )
        needed = sorted(least_px for part, least_px in columns if not part.isHidden())
        margins = self._rows.contentsMargins()
        left = self.width() - self._bar_px - margins.left() - margins.right()
        left -= self._columns.spacing() * (len(needed) - 1)
        while len(needed) > 1 and needed[-1] * len(needed) > left:
            left -= needed.pop()  # this one is wider than its share
        return left // max(1, len(needed))

    def _height_left(self) -> int:
        """Return the height for the pads [px]; the layouts may be scrolled to.

        Where the panel must be scrolled in any case, so may the states of controller and handset,
        and the pads get a good size.
        """
        # As wide as beside a scroll bar: a bar that shows must not make the pads larger.
        width = self.width() - self._bar_px
        needed = self._rows.minimumHeightForWidth(width) - self._controller.layout_height()
        for details in (self.handset.details, self.jump.fields):
            if not details.isHidden():
                needed -= details.sizeHint().height() + self._rows.spacing()
        pad = self.body_part.pad if self._shows_body else self.head_part.pad
        left = self.height() - (needed - pad.height())
        if left >= SIDE:
            return left
        below = [p for p in (self._line, self._controller, self.handset) if not p.isHidden()]
        left += sum(part.sizeHint().height() + self._rows.spacing() for part in below)
        return min(GOOD_SIDE, left - self._controller.layout_height())

    def _scroll_soon(self) -> None:
        QTimer.singleShot(0, self, self._scroll_to_layout)

    def _scroll_to_layout(self) -> None:
        """Scroll to the functions of the buttons."""
        self._scroll.ensureWidgetVisible(self._controller.stick, 0, 0)
        self._scroll.ensureWidgetVisible(self._controller.picture, 0, 0)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Show the changes since the panel was hidden."""
        super().showEvent(event)
        self._show_hands()
