"""Control by hand: pads for head, body and walk, the game controller and the handset."""

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.body_part import BodyPart, body_state
from app.console.by_hand.controller_map import BEHIND, ControllerMap
from app.console.by_hand.controller_part import ControllerPart
from app.console.by_hand.gamepad import Gamepad
from app.console.by_hand.gaze import gaze_joints, gaze_state
from app.console.by_hand.handset_section import HandsetSection
from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.head_pad import HeadPad
from app.console.by_hand.jump_part import JumpPart
from app.console.by_hand.pad import SIDE, Pad
from app.console.by_hand.readout import LEGEND, Readout, degrees, metres
from app.console.by_hand.sway_part import SwayPart
from app.console.by_hand.walk_hand import WalkHand
from app.console.by_hand.walk_pad import WalkPad
from app.console.context.context import Context
from app.console.toolkit import theme
from core.link.hello import Hello
from shows.gaits import GaitRange

GOOD_SIDE = 170  # of a pad: below this the legend is hidden, and tooltips explain the marks [px]
HEAD, BODY = "HEAD", "BODY"  # the parts that share a place
WIDE_PX = 560  # from this width on the two parts below a pad are side by side
_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
HOLDERS = {
    "pad": "in your hand, on the pad",
    "keys": "in your hand, by keys",
    "slider": "in your hand, on the slider",
    "controller": "in your hand, by the controller",
}
STATES = {
    "REST": (theme.IDLE, "at rest"),
    "ACTION": (theme.BUSY, "plays a gesture"),
    "TRANSITION": (theme.BUSY, "in transition"),
    "STOP": (theme.WARN, "frozen: resume it first"),
    "JOYSTICK": (theme.GOOD, "by hand"),
    "LIVE": (theme.GOOD, "follows a person"),
}


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
        head_pad: the pad of the head.
        body: pad, turn and values of the body, in the place of the head's when it is chosen.
        chosen: chooses the head or the body.
        walk_pad: the pad of the walk.
        point: holds the point at which the robot looks, or lets it go.
        head_figures: the head's requested, commanded and measured direction.
        walk_figures: the same of the walk.

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
        self.head_pad = HeadPad(self.head, link)
        self.walk_pad = WalkPad(self.walk, link, context.document, preferences)
        self.body = BodyPart(self.lead, link, preferences)
        self.chosen = QTabBar()
        self._head_state, self._walk_state = QLabel(), QLabel()
        self.head_figures = Readout(("left", "up"), "", "Head: asked, commanded, measured")
        self.walk_figures = Readout(
            ("ahead", "left", "turn"), "m/s °/s", "Walk: asked, commanded, measured"
        )
        self._release = QPushButton("Back to the show")
        self._spring = QCheckBox("Spring back")
        self.point = QPushButton("Hold the point")
        self._side = QPushButton("Step sideways")
        self._speed = QSlider(Qt.Orientation.Horizontal)
        self._speed_text = QLabel()
        self._controller = ControllerPart(
            self.gamepad, preferences, context.document, context.notices
        )
        self.sway = SwayPart(link)
        self.jump = JumpPart(self.walk, link)
        self.walks, self.runs = QRadioButton("Walk"), QRadioButton("Run")
        self._gaits = QWidget()
        self.handset = HandsetSection(link)
        self._legend = QLabel(LEGEND)
        self._pairs = QBoxLayout(_BELOW), QBoxLayout(_BELOW)
        self._head_part, self._walk_part, self._head_inside = QWidget(), QWidget(), QWidget()
        self._line = QFrame()
        self._lay_out()
        self._name_things()
        self._connect()
        self.setFocusProxy(self.head_pad)
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
        self.body.drop()
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
        speed = QHBoxLayout()
        digits = self._speed_text.fontMetrics().horizontalAdvance("Speed 100 %")
        self._speed_text.setFixedWidth(digits + 2)  # nothing moves with the value
        speed.addWidget(self._speed_text)
        speed.addWidget(self._speed, 1)
        head_row, walk_row = self._pairs
        holds = self._holds = QHBoxLayout()
        holds.addWidget(self._spring)
        holds.addWidget(self.point, 1)
        head_row.addLayout(holds)
        walk_row.addLayout(speed, 1)
        gaits = QHBoxLayout(self._gaits)
        gaits.setContentsMargins(0, 0, 0, 0)
        group = QButtonGroup(self)
        for choice in (self.walks, self.runs):
            group.addButton(choice)
            gaits.addWidget(choice)
        self.walks.setChecked(True)
        self._gaits.hide()
        head_row.addWidget(self._release, 1)
        walk_row.addWidget(self._side, 1)
        head, walk = self._head_inside, QWidget()
        self._lay_out_pad(head, self.head_pad, self.head_figures, head_row)
        self._lay_out_pad(walk, self.walk_pad, self.walk_figures, walk_row)
        self.body.hide()
        for title, part, state, insides in (
            (self.chosen, self._head_part, self._head_state, (head, self.body)),
            (QLabel("WALK"), self._walk_part, self._walk_state, (walk,)),
        ):
            column = QVBoxLayout(part)
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
            for inside in insides:
                column.addWidget(inside)
            column.addStretch(1)
            columns.addWidget(part, 1)
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

    @staticmethod
    def _lay_out_pad(inside: QWidget, pad: Pad, figures: Readout, row: QBoxLayout) -> None:
        """Put a pad above its values and its controls."""
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP // 2)
        column.addWidget(pad, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(figures)
        column.addLayout(row)

    def _name_things(self) -> None:
        self._side.setCheckable(True)
        self.point.setCheckable(True)
        self.point.setStyleSheet("padding-left: 4px; padding-right: 4px")  # a narrow dock shows it
        self._speed.setMinimumWidth(48)
        self._speed.setRange(5, 100)
        self._speed.setPageStep(10)
        for widget, name, tip in (
            (
                self._release,
                "Head back to the show",
                "Give the head back: it goes to the show through a transition (controller: press "
                "the right stick)",
            ),
            (
                self.point,
                "Hold the point",
                "The head holds the point at which it looks now, while the body turns and walks; "
                "pad, keys and stick then move the point. Again: back to the show (controller: "
                "hold L1 and press the right stick)",
            ),
            (
                self._spring,
                "Spring back",
                "Letting go gives the head back to the show; off: it stays where it looks",
            ),
            (
                self._side,
                "Step sideways",
                "Left and right on the pad step sideways instead of turning (controller: hold L1)",
            ),
            (self.walks, "Walk", ""),
            (self.runs, "Run", ""),
            (self._speed, "Speed share", "Share of the speed limits at full deflection"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)
        self._head_state.setAccessibleName("State of the head or body")
        self.chosen.setAccessibleName("Head or body")
        self.chosen.setToolTip("Lead the head or the body with this pad")
        self.chosen.setDrawBase(False)
        self.chosen.setExpanding(False)
        self.chosen.setUsesScrollButtons(False)
        self._walk_state.setAccessibleName("State of the walk")

    def _connect(self) -> None:
        link, preferences = self._context.link, self._context.preferences
        self._release.clicked.connect(self._map.release_head)
        self.point.clicked.connect(self._hold_point)
        self.chosen.currentChanged.connect(self._choose)
        self._spring.toggled.connect(self._choose_spring)
        self._side.toggled.connect(self.walk_pad.set_side_step)
        self._speed.valueChanged.connect(self._choose_speed)
        self.runs.toggled.connect(lambda on: self.walk.choose("run" if on else "walk"))
        self.walk_pad.jump_asked.connect(self.jump.jump)
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
        return self.head_pad, self.body.pad, self.walk_pad

    def _meet(self, hello: Hello) -> None:
        """Show the pads for the parts that this robot has; a hold on another one ends."""
        has = hello.gaze is not None, hello.body_limb is not None, hello.walk is not None
        for pad, there in zip(self._pads, has, strict=True):
            if not there:
                pad.drop()
        head, body, walk = has
        self._offer_parts(head, body)
        self._head_part.setVisible(head or body)
        self.point.setVisible(head)
        self._walk_part.setVisible(walk)
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
        self._head_inside.setVisible(not self._shows_body)
        self.body.setVisible(self._shows_body)
        shown = [self.body.pad if self._shows_body else self.head_pad, self.walk_pad]
        parts = self._head_part, self._walk_part
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

    def _choose_spring(self, chosen: bool) -> None:
        preferences = self._context.preferences
        preferences.change(msgspec.structs.replace(preferences.value, head_spring_back=chosen))

    def _hold_point(self, hold: bool) -> None:
        self.head_pad.drop()
        if hold:
            self._map.hold_point()
        else:
            self._map.release_head()

    def _choose_speed(self, percent: int) -> None:
        preferences = self._context.preferences
        share = percent / 100
        preferences.change(msgspec.structs.replace(preferences.value, walk_speed_share=share))

    def _show_preferences(self) -> None:
        chosen = self._context.preferences.value
        self._spring.setChecked(chosen.head_spring_back)
        self.body.show_preferences()
        percent = round(100 * chosen.walk_speed_share)
        if self._speed.value() != percent:
            self._speed.blockSignals(True)  # a share that the slider cannot show is kept
            self._speed.setValue(percent)
            self._speed.blockSignals(False)
        self._speed_text.setText(f"Speed {percent} %")

    def _show_hands(self, _: object = None) -> None:
        if not self.isVisible():
            return
        link, status, scene = (
            self._context.link,
            self._context.link.status,
            self._context.link.scene,
        )
        self.sway.refresh()
        self.jump.refresh()
        head_bar, walk_bar = self.head.bar, self.walk.bar
        self.head_pad.setEnabled(not head_bar)
        self.walk_pad.setEnabled(not walk_bar)
        self.body.refresh(self.lead.bar)
        behind = BEHIND if self.gamepad.name and not self._in_front else ""
        head_bar, walk_bar = head_bar or behind, walk_bar or behind  # the pads wait for a click
        state = self._state_of_head()
        self._release.setEnabled(
            link.connected and (state == "JOYSTICK" or self.head.target is not None)
        )
        self.point.setEnabled(not head_bar)
        self.point.setChecked(self.head.holds_point)
        if self._shows_body:
            self._tell(self._head_state, *self._body_words(self.lead.bar or behind))
        else:
            self._tell(self._head_state, *self._head_words(head_bar, state))
        if walk_bar:
            self._tell(self._walk_state, theme.WARN, walk_bar)
        elif link.connected and link.status is not None and link.status.jumps:
            self._tell(self._walk_state, theme.GOOD, "the robot jumps")
        elif self.walk.holder:
            runs = ", runs" if self.walk.runs else ""
            self._tell(self._walk_state, theme.GOOD, HOLDERS[self.walk.holder] + runs)
        else:
            self._tell(self._walk_state, theme.IDLE, "hold the pad, Shift or R1")
        here = link.connected
        nothing: tuple[float | None, float | None] = (None, None)
        asked = self.head.target or nothing
        reference = measured = nothing
        if here and scene is not None:
            reference = self._head_angles(scene.q_reference)
            measured = self._head_angles(scene.q)
        for row, sign in enumerate((1.0, -1.0)):  # the joint's pitch is positive downward
            angles = (q[row] for q in (asked, reference, measured))
            texts = (degrees(None if angle is None else sign * angle) for angle in angles)
            self.head_figures.show_row(row, *texts)
        wish = self.walk.velocity if self.walk.holder else None
        columns = (
            None if wish is None else (wish.vx, wish.vy, wish.yaw_rate),
            status.velocity_command if here and status is not None else None,
            scene.velocity if here and scene is not None else None,
        )
        for row, show in enumerate((metres, metres, degrees)):
            texts = (show(None if column is None else column[row]) for column in columns)
            self.walk_figures.show_row(row, *texts)

    def _head_words(self, bar: str, state: str) -> tuple[theme.Tone, str]:
        """Return how the head moves, or why it cannot be turned."""
        if bar:
            return theme.WARN, bar
        if self.head.holder:
            moves = ": moves the point" if self.head.shifts else ""
            return theme.GOOD, HOLDERS[self.head.holder] + moves
        if self.head.holds_point:
            return theme.GOOD, "holds a point of the room"
        return STATES.get(state, (theme.UNKNOWN, state or "not known"))

    def _body_words(self, bar: str) -> tuple[theme.Tone, str]:
        """Return how the body moves, or why it cannot be led."""
        status, hand = self._context.link.status, self.lead
        if bar:
            return theme.WARN, bar
        if hand.holder:
            return theme.GOOD, HOLDERS[hand.holder]
        if hand.target is not None:
            return theme.GOOD, "stays as you led it"
        if status is not None and status.sways:
            return theme.BUSY, "sways"
        state = body_state(self._context.link)
        return STATES.get(state, (theme.UNKNOWN, state or "not known"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Make both pads as large as there is room for, with all that belongs to them in sight."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= WIDE_PX
        for pair in self._pairs:
            pair.setDirection(_BESIDE if wide else _BELOW)
        place = self._feet if wide else self._holds  # where there is room for it
        if place.indexOf(self.point) < 0:
            place.insertWidget(0 if wide else 1, self.point)
        narrow = not wide and self.chosen.count() > 1
        self._heading.setDirection(_BELOW if narrow else _BESIDE)
        self._columns.setSpacing(2 * theme.GAP if wide else theme.GAP)
        for figures in (self.head_figures, self.walk_figures):
            figures.spell_out(wide)
        self.body.spread(wide)
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
        self.body.pad.set_side(min(side, column - self.body.beside_px))

    def _column_width(self) -> int:
        """Return the width that a column has for its pad [px], where all of them fit."""
        head, walk = self._pairs
        state = self._heading.minimumSize().width()
        head_px = max(self.head_figures.minimumSizeHint().width(), head.minimumSize().width())
        if self._shows_body:
            head_px = self.body.least_px
        columns = (
            (self._head_part, max(state, head_px)),
            (
                self._walk_part,
                max(self.walk_figures.minimumSizeHint().width(), walk.minimumSize().width()),
            ),
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
        pad = self.body.pad if self._shows_body else self.head_pad
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

    def _state_of_head(self) -> str:
        """Return the core's name of the head's motion; empty if it is unknown."""
        link = self._context.link
        if not link.connected or link.status is None or link.hello is None:
            return ""
        return gaze_state(link.hello, link.status)

    def _head_angles(self, q: tuple[float, ...]) -> tuple[float | None, float | None]:
        """Return yaw and pitch of a posture [rad], where it has them."""
        joints = gaze_joints(self._context.link.hello)
        if joints is None or max(joints) >= len(q):
            return None, None
        yaw, pitch = joints
        return q[yaw], q[pitch]

    @staticmethod
    def _tell(label: QLabel, tone: theme.Tone, text: str) -> None:
        """Show a state by mark, word and colour."""
        words = f"{tone.mark} {text}"
        if label.text() != words:
            label.setText(words)
            label.setStyleSheet(f"color: {tone.colour}")
