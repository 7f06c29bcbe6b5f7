"""The panel Record: limbs released to be moved by hand, the take, and the list of takes."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.permission import head_bar
from app.console.context.context import Context
from app.console.cues.elided import Elided
from app.console.gestures.library import GestureLibrary
from app.console.gestures.portrait import Portraits
from app.console.gestures.thumbnails import Thumbnail, Thumbnails
from app.console.record.limb_table import LimbTable
from app.console.record.plan_form import PlanForm
from app.console.record.take_bar import KEY, UNDER_WAY, TakeBar
from app.console.record.take_page import TakePage
from app.console.record.takes import TakeEntry, TakeLibrary, next_path
from app.console.toolkit import theme
from core.link.commands import (
    ArmTake,
    BackDrive,
    EndBackDrive,
    EndTake,
    MarkTake,
    StartTake,
)
from core.link.hello import Hello
from core.link.take import MicrophoneReport, TakePlan
from core.link.topics import MICROPHONE
from shows.limbs import Limb, LimbFeel, LimbFreedom

RELEASE_MODES = frozenset({"READY", "RECORD"})
FEELS: dict[LimbFeel, tuple[str, str]] = {
    "loose": ("Loose", "The lightest; a limb may sink if its mass is wrong"),
    "normal": ("Normal", "Light, and stays where it is left"),
    "stiff": ("Stiff", "For heavy loads and for small corrections"),
}
TAKES = 1  # index of the page
CARE_MS = 1000
NARROWEST_PX = 320  # below it the readings are cut, not the buttons


class RecordPanel(QWidget):
    """Releases limbs, records takes, and lists them.

    Attributes:
        takes: the takes of the open show.
        limbs: what each limb does.
        form: the next take.
        bar: the running take.
        page: the takes.
        toggle: begins and ends a take; the window has it too.
        marker: sets a marker.

    Signals:
        preview_requested: the motion for the ghost, or None.
        motion_asked: path of a take that shall become a motion.
        walk_asked: path of a take whose walking shall be on the timeline.
        sound_asked: path of a take whose sound shall be on the timeline.
    """

    preview_requested = Signal(object)
    motion_asked = Signal(object)
    walk_asked = Signal(object)
    sound_asked = Signal(object)

    def __init__(
        self,
        context: Context,
        library: GestureLibrary,
        parent: QWidget | None = None,
        thumbnail: Thumbnail | None = None,
    ) -> None:
        """Make the panel.

        Args:
            context: the console's shared parts.
            library: all gestures, to play meanwhile.
            parent: parent widget.
            thumbnail: makes the picture of a pose; None draws the core's robot.
        """
        super().__init__(parent)
        self.setObjectName("record_panel")
        self._context, self._library = context, library
        self._wanted: dict[str, LimbFreedom] = {}
        self._feel: LimbFeel = "normal"
        self._armed: TakePlan | None = None
        self._saved: Path | None = None
        self._heard: MicrophoneReport | None = None
        self._seen = False  # in front of other panels
        self._care = QTimer(self, interval=CARE_MS)
        self.takes = TakeLibrary(context, self)
        self.limbs, self.form, self.bar = LimbTable(), PlanForm(), TakeBar()
        self.page = TakePage(self.takes, Thumbnails(thumbnail or Portraits(context.link), self))
        self._pages = QTabWidget()
        self._state, self._end = Elided(), QPushButton("End RECORD")
        self._feels: dict[LimbFeel, QPushButton] = {}
        self.toggle = self._action("Begin or end a take", KEY, self._toggle)
        self.marker = self._action("Mark the take", f"Shift+{KEY}", self._mark)
        self._lay_out()
        self._connect()
        if context.link.hello is not None:
            self._meet(context.link.hello)
        self.takes.look()
        self._show_state()

    def close_panel(self) -> None:
        """Stop looking for takes, and forget the takes that were deleted."""
        self.takes.close()
        self._care.stop()
        self.page.close_page()

    # ---- layout

    def _lay_out(self) -> None:
        self._end.setToolTip("Take back every limb: they move to rest")
        self._end.setAccessibleName("End RECORD")
        self._pages.setDocumentMode(True)
        self._pages.tabBar().setDrawBase(False)
        self._end.setStyleSheet("padding: 1px 10px; min-height: 20px")  # as high as the tabs
        self._pages.setCornerWidget(self._end)  # GO waits for it, whatever page is seen
        self._pages.addTab(_scrolled(self._limb_page()), "Limbs")
        self._pages.addTab(self.page, "Takes")
        self._pages.addTab(_scrolled(self._form_page()), "Next take")
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        column.setSpacing(theme.GAP)
        column.addWidget(self.bar)
        column.addWidget(self._pages, 1)
        self.setMinimumWidth(NARROWEST_PX)
        self.setFocusProxy(self.bar.record)

    def _form_page(self) -> QWidget:
        """Return the page with the settings of the next take."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, theme.GAP, 0, 0)
        column.addWidget(self.form)
        column.addStretch(1)
        return page

    def _limb_page(self) -> QWidget:
        """Return the page with the freedom of limbs."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, theme.GAP, 0, 0)
        column.setSpacing(theme.GAP)
        head = QHBoxLayout()
        group = QButtonGroup(self)
        for feel, (word, tip) in FEELS.items():
            button = QPushButton(word)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(f"Feel: {word}")
            button.clicked.connect(lambda _=False, feel=feel: self._choose_feel(feel))
            group.addButton(button)
            head.addWidget(button)
            self._feels[feel] = button
        self._state.setAccessibleName("What limbs do")
        self._state.set_lines(2)
        head.addWidget(self._state, 1)
        column.addLayout(head)
        column.addWidget(self.limbs)
        column.addStretch(1)
        return page

    def _action(self, word: str, key: str, act: Callable[[], None]) -> QAction:
        action = QAction(word, self)
        action.setShortcut(QKeySequence(key))
        action.setAutoRepeat(False)
        action.triggered.connect(lambda _=False: act())
        return action

    def _connect(self) -> None:
        link, document = self._context.link, self._context.document
        self.limbs.freedom_asked.connect(self._ask)
        self.limbs.load_changed.connect(self._ask_again)
        self._end.clicked.connect(lambda: link.send(EndBackDrive()))
        self.bar.toggled.connect(self._toggle)
        self.bar.marked.connect(self._mark)
        self.form.microphone_chosen.connect(self._choose_microphone)
        self._care.timeout.connect(self._take_care)
        self._care.start()
        self.page.motion_asked.connect(self.motion_asked)
        self.page.walk_asked.connect(self.walk_asked)
        self.page.sound_asked.connect(self.sound_asked)
        self.page.said.connect(self._say)
        self.page.list.looked_at.connect(self._look_at)
        self.takes.changed.connect(self._list)
        self.takes.changed.connect(self._offer)
        link.listen(MICROPHONE, self._hear)
        self.form.choose_microphone(self._context.preferences.value.microphone)
        self._pages.currentChanged.connect(lambda _: self._look_at(self.page.list.current()))
        link.hello_changed.connect(self._meet)
        link.shown.connect(self._show_state)
        link.status_changed.connect(self._show_take)
        link.connected_changed.connect(self._show_state)
        self._library.changed.connect(self._offer)
        document.changed.connect(self._offer)

    # ---- limbs

    def _meet(self, hello: Hello) -> None:
        self.limbs.meet(hello)
        self._wanted = {}
        self._list()
        self._show_state()

    def _choose_feel(self, feel: LimbFeel) -> None:
        self._feel = feel
        self._ask_again()

    def _ask(self, limb: str, freedom: LimbFreedom) -> None:
        """Ask the core for the freedom of a limb."""
        self._wanted[limb] = freedom
        self._send({limb: freedom})

    def _ask_again(self) -> None:
        """Ask for the same limbs with another feel or load, if limbs are released."""
        status = self._context.link.status
        if status is not None and status.mode == "RECORD":
            self._send({})

    def _send(self, limbs: dict[str, LimbFreedom]) -> None:
        self._context.link.send(BackDrive(limbs, self._feel, self.limbs.loads_kg))

    # ---- the take

    def _toggle(self) -> None:
        """Begin a take as the form says, or end the one that runs."""
        link, status = self._context.link, self._context.link.status
        take = None if status is None else status.take
        if take is not None and take.stage in UNDER_WAY:
            link.send(EndTake())
            return
        bar = self._bar()
        if bar:
            self._say(f"no take was begun: {bar}")
            return
        plan = self._plan()
        if plan is not None:
            link.send(StartTake(plan))

    def _mark(self) -> None:
        self._context.link.send(MarkTake())

    def _plan(self) -> TakePlan | None:
        """Return the next take's plan; None if the form contradicts itself, and it is said."""
        folder = self.takes.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return self._next_plan()
        except OSError as error:
            self._say(f"the folder {folder} cannot be written ({error.strerror}); save the show")
        except ValueError as error:
            self._say(str(error))
        return None

    def _next_plan(self) -> TakePlan:
        """Return the next take's plan.

        Raises:
            ValueError: the form contradicts itself.
        """
        limbs = self._recorded()
        titles = {limb.name: limb.title for limb in self._hello_limbs()}
        word = titles.get(limbs[0], limbs[0]) if len(limbs) == 1 else "take"
        return self.form.plan(next_path(self.takes.folder, word), limbs)

    def _recorded(self) -> tuple[str, ...]:
        """Return the limbs that a take is about: the released ones, else all."""
        link = self._context.link
        if link.hello is None or link.status is None:
            return ()
        names = link.hello.group_names
        freedoms = dict(zip(names, link.status.freedoms, strict=False))
        loose = tuple(name for name in names if freedoms.get(name, "driven") != "driven")
        return loose or names

    def _take_care(self) -> None:
        """While this panel is seen: prepare the handset's take, and let the recorder listen."""
        link = self._context.link
        if not link.connected:
            self._armed = None
        elif self._seen:
            link.wish_microphone(self.form.microphone)
            self._arm()

    def _arm(self) -> None:
        """Prepare the take that the handset begins."""
        link = self._context.link
        take = None if link.status is None else link.status.take
        if self._bar() or (take is not None and take.stage in (*UNDER_WAY, "saving")):
            self._armed = None  # the core forgets it when a take begins
            return
        try:
            plan = self._next_plan()
        except ValueError:
            return  # it is said when the take shall begin
        if plan != self._armed:
            self._armed = plan
            link.send(ArmTake(plan))

    def _choose_microphone(self) -> None:
        preferences = self._context.preferences
        chosen = self.form.microphone
        preferences.change(msgspec.structs.replace(preferences.value, microphone=chosen))
        self._context.link.wish_microphone(chosen)

    def _hear(self, reports: list[MicrophoneReport]) -> None:
        """Show what the recorder hears."""
        self._heard = reports[-1]
        self.form.offer_microphones(self._heard.devices)

    def _bar(self) -> str:
        """Return why no take can begin now; empty if one can."""
        link = self._context.link
        return head_bar(link.status, link.connected)

    # ---- what is seen

    def set_seen(self, seen: bool) -> None:
        """Take whether the panel is in front; behind others it neither listens nor prepares."""
        if seen != self._seen:
            self._seen = seen
            self._look_at(self.page.list.current())

    def _show_state(self) -> None:
        link = self._context.link
        status, hello = link.status, link.hello
        releasable = link.connected and status is not None and status.mode in RELEASE_MODES
        if status is not None and hello is not None:
            self.limbs.show_state(hello, status, releasable)
            self._feel = status.feel if status.mode == "RECORD" else self._feel
        for feel, button in self._feels.items():
            on = feel == self._feel
            button.setChecked(on)
            button.setText(f"✓ {FEELS[feel][0]}" if on else FEELS[feel][0])
            button.setEnabled(releasable)
        recording = releasable and status is not None and status.mode == "RECORD"
        self._end.setEnabled(recording)
        if recording:
            words = f"{theme.BUSY.mark} Limbs are released"
        elif releasable:
            words = f"{theme.IDLE.mark} Choose what each limb does"
        else:
            told = bool(head_bar(status, link.connected))  # by the bar of the take
            words = f"{theme.WARN.mark} {'Not now' if told else 'Not now: HOLD first'}"
        self._state.say(words)
        self._show_take()

    def _show_take(self, _: object = None) -> None:
        link = self._context.link
        take = None if link.status is None or not link.connected else link.status.take
        self.bar.show_take(take, self._bar())
        heard, self._heard = self._heard, None
        self.bar.level.show_report(self.form.microphone is not None, heard)
        if take is not None and take.stage in ("saved", "failed") and take.path:
            path = Path(take.path)
            if path != self._saved:
                self._saved = path
                self.takes.look()
        elif take is not None:
            self._saved = None

    def _list(self) -> None:
        titles = {limb.name: limb.title for limb in self._hello_limbs()}
        self.page.fill(titles, self._saved)
        count = len(self.takes.entries)
        self._pages.setTabText(TAKES, f"Takes ({count})" if count else "Takes")

    def _hello_limbs(self) -> tuple[Limb, ...]:
        hello = self._context.link.hello
        return () if hello is None else hello.limbs

    def _offer(self) -> None:
        if self._library.ready:
            gestures = [(entry.name, entry.title) for entry in self._library.entries()]
            takes = [entry.path for entry in self.takes.entries if entry.duration_s > 0.0]
            self.form.offer(takes, gestures, sorted(self._context.document.audio))

    def _look_at(self, entry: TakeEntry | None) -> None:
        seen = self._seen and self._pages.currentIndex() == TAKES
        self.preview_requested.emit(entry.pose if seen and entry is not None else None)

    def _say(self, words: str) -> None:
        self._context.notices.say(words, "warning")


def _scrolled(page: QWidget) -> QScrollArea:
    """Return a page that can be scrolled where it has no room."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area
