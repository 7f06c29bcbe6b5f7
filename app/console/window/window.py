"""The window: the fixed parts, the docks, and the menus."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QUndoGroup,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QMenu, QVBoxLayout, QWidget

from app.console.by_hand.panel import ByHandPanel
from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.cart import CartPanel
from app.console.cues.go_bar import GoBar
from app.console.cues.keys import ShowKeys
from app.console.cues.offers import offers_of
from app.console.cues.other_show import OtherShow
from app.console.cues.panel import CuePanel
from app.console.cues.trigger_sheet import TriggerSheet
from app.console.event_log.panel import EventLogPanel
from app.console.exchange.desk import ExchangeDesk
from app.console.files.chooser import ChooserSheet
from app.console.files.desk import FileDesk
from app.console.files.publisher import Publisher
from app.console.files.run_opener import RunOpener
from app.console.gestures.panel import GesturesPanel
from app.console.help.sheets import WindowHelp
from app.console.live.strip import LiveStripPanel
from app.console.motions.panel import MotionPanel
from app.console.partner.panel import PartnerPanel
from app.console.poses.panel import PosesPanel
from app.console.preferences.store import config_folder
from app.console.record.panel import RecordPanel
from app.console.stage.view import StagePanel
from app.console.stop.panel import StopPanel
from app.console.telemetry.panel import TelemetryPanel
from app.console.timeline.panel import TimelinePanel
from app.console.timeline.rehearsal import RangeRehearsal
from app.console.toolkit import theme
from app.console.toolkit.sheet import SheetHost
from app.console.top.alarms import AlarmsPanel
from app.console.top.bar import TopBarPanel
from app.console.top.sound_row import SoundRow
from app.console.window import tab_order
from app.console.window.docks import Dock, Docks
from app.console.window.motion_ways import MotionWays
from app.console.window.pace import Pace
from core.link.hello import Hello
from shows.audio import ENDINGS
from shows.folders import LIBRARY, user_folder

LEAST = (1100, 680)
QUIT_TEXT = (
    "Without a console the robot plays to its next safe point and stands. A rehearsal ends with "
    "its console."
)
QUIT_MS = 30_000  # within which an answered question is not asked again


class Window(QMainWindow):
    """Owns the panels and connects them; no panel refers to another.

    Attributes:
        desk: the files.
        publisher: which version of the document the core plays.
        sound: mute and volume.
        caller: GO and the state of the cues.
        docks: the movable panels.
        sheets: where questions are asked; they cover the movable panels only.
    """

    def __init__(self, context: Context, show: Path | None) -> None:
        """Build everything.

        Args:
            context: the objects that panels share.
            show: what to open first; None nothing.
        """
        super().__init__()
        self.setObjectName("window")
        self.setMinimumSize(*LEAST)
        self.setAcceptDrops(True)
        self._context, self._first = context, show
        self._sounds = Path.home()  # where sound files were chosen last
        self._quitting = QTimer(self, singleShot=True, interval=QUIT_MS)
        self._pace = Pace(self)
        self.caller = Caller(context, self)
        self.cues, self.go_bar = CuePanel(context, self.caller), GoBar(context, self.caller)
        self._other = OtherShow(self.caller)
        self.sound = SoundRow(context)
        self.stop, self.stage = StopPanel(context), StagePanel(context)
        self.gestures, self.by_hand = GesturesPanel(context), ByHandPanel(context)
        self.record = RecordPanel(context, self.gestures.library)
        self.motion = MotionPanel(context, self.gestures.library)
        self.poses = PosesPanel(context)
        self.partner = PartnerPanel(context, self.gestures.library, self._ask_file)
        self.timeline = TimelinePanel(context, self.gestures.library, self.caller)
        self._top_bar, self._alarms = TopBarPanel(context), AlarmsPanel(context)
        self.docks = Docks(self._centre(), self._panels(), config_folder() / "window.ini")
        self.docks.studio_changed.connect(self.cues.setHidden)
        self.docks.seen_changed.connect(self._take_seen)
        self._ways = MotionWays(
            context,
            self.docks,
            self.gestures,
            self.record,
            self.motion,
            self.poses,
            self.timeline,
            self.stage,
        )
        self.sheets = SheetHost(self.docks)
        self.desk = FileDesk(
            context,
            self.sheets,
            user_folder("XDG_STATE_HOME", ".local/state"),
            config_folder(),
            library=LIBRARY,
            parent=self,
        )
        self.publisher = Publisher(
            context.link,
            context.document,
            context.notices,
            user_folder("XDG_CACHE_HOME", ".cache") / "console",
            self,
        )
        self._rehearsal = RangeRehearsal(context, self.caller, self.publisher, self.timeline.editor)
        self._undo = QUndoGroup(self)  # in SHOW no stack of it is active
        self._undo.addStack(context.document.undo)
        self._take_lock(context.lock.locked)
        self._keys = ShowKeys(self.caller, context, self)
        self._runs = RunOpener(context.notices, self.sheets.show_sheet, self)
        self._exchange = ExchangeDesk(
            context,
            lambda: self.gestures.library.joints,
            self._ways.exported,
            self.sheets.show_sheet,
            self,
        )
        self._help = WindowHelp(self, context, self.sheets)
        self._recent = QMenu("Open recent", self)
        self._work, self._corner = QLabel(), QWidget(self)
        self._lay_out()
        self._make_menus()
        self._connect()
        self._name()
        context.link.presses.hear_first()

    def begin(self) -> None:
        """Take its size and place, and begin to work."""
        self.resize(QGuiApplication.primaryScreen().availableSize())
        self.showMaximized()
        self._whole.activate()
        self.docks.restore()
        self.by_hand.start()
        self.desk.offer_recovery()
        if self._first is not None:
            self.desk.read(self._first)
        self.cues.table.setFocus()

    def unpaced(self) -> None:
        """Paint every change at once, for a bench that counts the time of each."""
        self.removeEventFilter(self._pace)

    def leave(self) -> None:
        """End without a question: unsaved edits stay in the journal."""
        self._end()
        QGuiApplication.quit()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Close, unless a question to the operator is not answered yet."""
        if self._in_show and not self._quitting.isActive():
            self.sheets.ask("Quit during the show?", QUIT_TEXT, {"Quit": self._quit})
            event.ignore()
            return
        if not self.desk.close():
            event.ignore()
            return
        self._end()
        super().closeEvent(event)

    @property
    def _in_show(self) -> bool:
        """A cue runs, or the console is locked for a show."""
        locked = self._context.lock.locked and self._context.link.connected
        return locked or bool(self.caller.playback.running)

    def _quit(self) -> None:
        self._quitting.start()
        self.close()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Go to the next control that is seen, or the one before."""
        above = self.sound, self._top_bar, self._alarms, self.cues, self._other, self.go_bar
        parts = *above, *self.docks.widgets, self.docks
        moved = tab_order.step(self, (*parts, self.stop), forward)
        return moved or super().focusNextPrevChild(forward)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take shows and motions."""
        if self.desk.can_drop(event.mimeData()) or self._exchange.can_drop(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Open a show that is dropped, or import a motion."""
        if self.desk.drop(event.mimeData()) or self._exchange.drop(event.mimeData()):
            event.acceptProposedAction()

    def _end(self) -> None:
        self._context.document.undo.blockSignals(True)  # a stack that is deleted becomes clean
        self.docks.keep()
        self.by_hand.close_controllers()
        self.timeline.close_panel()
        self.record.close_panel()
        self.motion.close_panel()
        self.partner.close_panel()
        self._ways.close()
        self._exchange.close()
        self.publisher.close()
        self.desk.shut_down()

    def _centre(self) -> QWidget:
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.cues, 1)
        column.addWidget(self._other)
        column.addWidget(self.go_bar)
        return centre

    def _panels(self) -> tuple[Dock, ...]:
        context = self._context
        cart = CartPanel(context, self.caller, self.gestures.library)
        cart.edit_asked.connect(self._edit_triggers)
        strip = LiveStripPanel(context)
        log = EventLogPanel(context, self._ask_path)
        telemetry = TelemetryPanel(context, self._ask_path)
        return (
            Dock("stage", "Stage", self.stage, "right", "right", "Ctrl+1", "top"),
            Dock("gestures", "Gestures", self.gestures, "left", "right", "Ctrl+2", "right"),
            Dock("by_hand", "By hand", self.by_hand, "right second", "right", "Ctrl+3", "right"),
            Dock("record", "Record", self.record, "right second", "right", "Ctrl+9", "right"),
            Dock("cart", "Cart", cart, "left", "right", "Ctrl+4", "right"),
            Dock(
                "partner", "Partner", self.partner, "right second", "right", "Ctrl+Shift+2", "right"
            ),
            Dock("timeline", "Timeline", self.timeline, "bottom", "bottom", "Ctrl+7", "bottom"),
            Dock("motion", "Motion", self.motion, "bottom", "bottom", "Ctrl+0", "bottom"),
            Dock("poses", "Poses", self.poses, "bottom", "bottom", "Ctrl+Shift+1", "bottom"),
            Dock("telemetry", "Telemetry", telemetry, "bottom", "bottom", "Ctrl+8", "bottom"),
            Dock("live", "Live", strip, "bottom", "bottom", "Ctrl+5", "bottom"),
            Dock("log", "Event log", log, "bottom second", "bottom", "Ctrl+6", "bottom"),
        )

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        left = QVBoxLayout()  # alarms push the docks, never STOP
        left.setSpacing(0)
        left.addWidget(self._alarms)
        left.addWidget(self.docks, 1)
        middle.addLayout(left, 1)
        middle.addWidget(self.stop)
        whole = QWidget()
        self._whole = column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._top_bar)
        column.addLayout(middle, 1)
        self.setCentralWidget(whole)

    def _make_menus(self) -> None:
        desk, undo = self.desk, self._undo
        file = self.menuBar().addMenu("&File")
        self._add(file, "New show", "Ctrl+N", desk.new)
        self._add(file, "Open…", "Ctrl+O", desk.choose)
        file.addMenu(self._recent)
        self._add(file, "Save", "Ctrl+S", desk.save)
        self._add(file, "Save as…", "Ctrl+Shift+S", desk.save_as)
        file.addSeparator()
        self._add(file, "Open a recorded run…", "Ctrl+Shift+O", self._runs.choose)
        file.addSeparator()
        self._add(file, "Import motion…", "Ctrl+Shift+I", self._exchange.choose)
        self._add(file, "Export motion…", "Ctrl+Shift+E", self._exchange.export)
        file.addSeparator()
        self._add(file, "Send to core", "Ctrl+Return", self.publisher.publish)
        self._add(file, "Recover…", "", desk.offer_all)
        self._add(file, "Preferences…", "Ctrl+,", self._help.show_preferences)
        file.addSeparator()
        self._add(file, "Quit", "Ctrl+Q", self.close)
        edit = self.menuBar().addMenu("&Edit")
        for action, key in (
            (undo.createUndoAction(self), "Ctrl+Z"),
            (undo.createRedoAction(self), "Ctrl+Shift+Z"),
        ):
            action.setShortcut(QKeySequence(key))
            edit.addAction(action)
        edit.addSeparator()
        self.cues.actions_.fill(edit)
        view = self.menuBar().addMenu("&View")
        for action in self.docks.bringers:
            view.addAction(action)
        view.addSeparator()
        self._add(view, "Show the standby cue", "Ctrl+B", self.cues.show_standby)
        view.addMenu(self.cues.columns)
        self._add(view, "Arrange panels anew", "", self.docks.arrange)
        self._add(view, "Arrange for recording", "Ctrl+Shift+9", self._open_studio)
        view.addSeparator()
        view.addAction(self.stage.person.action)
        self._help.fill(self.menuBar().addMenu("&Help"))
        self._work.setAccessibleName("What is being done")
        self._work.setStyleSheet(f"color: {theme.BUSY.colour}; padding: 0 {theme.GAP}px;")
        self._work.hide()
        row = QHBoxLayout(self._corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._work)
        row.addWidget(self.sound)
        self.menuBar().setCornerWidget(self._corner)

    def _add(self, menu: QMenu, text: str, key: str, act: Callable[[], object]) -> None:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _: act())
        menu.addAction(action)

    def _connect(self) -> None:
        context = self._context
        context.document.changed.connect(self._name)
        context.document.undo.cleanChanged.connect(lambda _: self._name())
        context.document.moved.connect(self._name)
        context.lock.changed.connect(self._take_lock)
        self.desk.may_close.connect(self.close)
        self.desk.failed.connect(self._tell_failure)
        self.desk.recent.changed.connect(self._fill_recent)
        self._recent.aboutToShow.connect(self.desk.recent.refresh)
        self._keys.typing_changed.connect(self.go_bar.set_typing)
        self.publisher.state_changed.connect(self._take_version)
        self.publisher.version_made.connect(self.caller.add_version)
        self._other.load_asked.connect(self.publisher.publish)
        self.desk.busy_changed.connect(self._show_work)
        context.preferences.refused.connect(lambda text: context.notices.say(text, "warning"))
        self._exchange.shown.connect(self.stage.preview)
        self._exchange.motion_asked.connect(self._ways.edit_take)
        self._exchange.motion_asked.connect(lambda _: self.record.takes.look())
        self.timeline.posed.connect(self.stage.pose)
        self.timeline.path_asked.connect(self._draw_path)
        self.timeline.sound_asked.connect(self._choose_sound)
        self.stage.path_drawn.connect(self.timeline.take_path)
        self.timeline.rehearsal_asked.connect(self._rehearsal.toggle)
        self._rehearsal.refused.connect(self.timeline.refuse)
        self._rehearsal.changed.connect(self._show_rehearsal)
        self.cues.table.chosen.connect(self._edit_chosen)
        self.by_hand.favourite_asked.connect(self.gestures.perform_favourite)
        self.gestures.library.changed.connect(self._offer_uses)
        context.document.changed.connect(self._offer_uses)
        self.by_hand.improvised.connect(self.caller.improvise)
        self.by_hand.stop_asked.connect(self.stop.press_stop)
        self.stop.stopping.connect(self.by_hand.halt)
        self.addActions(
            [
                *self.gestures.hotkeys,
                self.record.toggle,
                self.record.marker,
                self.poses.capture_pose,
                *self.partner.bar.toggles,
            ]
        )
        context.link.hello_changed.connect(self._meet)

    def _take_seen(self, name: str, seen: bool) -> None:
        if name == "partner":
            self.partner.set_seen(seen)

    def _meet(self, hello: Hello) -> None:
        """Give the stage the room of the pads that this robot has no use for."""
        if hello.gaze is None and hello.walk is None:
            self.docks.shrink("by_hand")

    def _open_studio(self) -> None:
        """Arrange the panels for recording, or anew if they are."""
        self.docks.arrange(not self.docks.studio and not self._context.lock.locked)
        if self.docks.studio:
            self.docks.bring("motion")
            self.docks.bring("record")

    def _draw_path(self) -> None:
        self.docks.bring("stage")
        self.stage.draw_path()

    def _choose_sound(self) -> None:
        first, *others = ENDINGS
        self.sheets.show_sheet(
            ChooserSheet(
                "Add a sound",
                self._sounds,
                self._take_sound,
                suffix=first,
                others=tuple(others),
            )
        )

    def _take_sound(self, path: Path) -> None:
        self._sounds = path.parent
        self.timeline.add_sound(path)

    def _show_rehearsal(self) -> None:
        self.timeline.show_rehearsal(self._rehearsal.state, self._rehearsal.entry_s)

    def _edit_chosen(self) -> None:
        """Edit the timeline of the cue that is selected in the list."""
        self.timeline.show_cues(self.cues.table.selected_numbers())

    def _offer_uses(self) -> None:
        """Let the handset's buttons improvise, once all gestures have been read."""
        document, library = self._context.document, self.gestures.library
        if library.ready:
            offered = tuple(offers_of(document, library).uses(document.show))
            self.by_hand.handset.editor.offer(offered)

    def _edit_triggers(self) -> None:
        """Edit what pads, keys and controller improvise."""
        self.sheets.show_sheet(TriggerSheet(self._context, self.gestures.library))

    def _tell_failure(self, text: str) -> None:
        """Report a failed open or save where it is visible; the log may be behind a panel.

        During a show the GO bar says it: a page would have the first Esc.
        """
        if self.caller.playback.running or self._context.lock.locked:
            self.go_bar.refuse(text)
        else:
            self.sheets.tell("This could not be done", text)

    def _take_version(self) -> None:
        publisher = self.publisher
        quiet = publisher.current or publisher.state in ("no_core", "nothing")
        self.go_bar.set_version("" if quiet else publisher.words)
        self._other.set_version(publisher.words, publisher.state in ("displaced", "refused"))

    def _show_work(self, words: str) -> None:
        self._work.setText(f"{theme.BUSY.mark} {words} …" if words else "")
        self._work.setVisible(bool(words))
        self._corner.adjustSize()

    def _take_lock(self, locked: bool) -> None:
        document = self._context.document
        document.undo.setActive(not locked)
        if locked and self.docks.studio:
            self.docks.arrange()  # a show needs its cue list
        if locked and document.dirty:
            self.go_bar.warn("The show has unsaved changes: Ctrl+S saves them.")

    def _name(self) -> None:
        self.setWindowTitle(f"{self.desk.title} – Footlight")

    def _fill_recent(self) -> None:
        self._recent.clear()
        for show in self.desk.recent.shows:
            action = self._recent.addAction(show.text)
            action.setEnabled(show.there)
            action.triggered.connect(partial(self._open, show.path))
        self._recent.addSeparator()
        self._recent.addAction("Forget them", self.desk.recent.forget)

    def _open(self, path: Path, _checked: bool = False) -> None:
        self.desk.open(path)

    def _ask_path(self, name: str, then: Callable[[Path], None]) -> None:
        place = Path(name)
        self.sheets.show_sheet(
            ChooserSheet(
                "Export to",
                Path.home(),
                then,
                name=place.stem,
                suffix=place.suffix,
            )
        )

    def _ask_file(
        self, title: str, folder: Path, suffix: str, then: Callable[[Path], None]
    ) -> None:
        self.sheets.show_sheet(ChooserSheet(title, folder, then, suffix=suffix))
