"""The gesture panel: search, preview on the ghost, playback, and edits of the show's own."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.permission import head_bar
from app.console.context.context import Context
from app.console.gestures.chips import Chips
from app.console.gestures.editor import GestureEditor
from app.console.gestures.grid import GestureView
from app.console.gestures.library import Entry, GestureLibrary
from app.console.gestures.limbs import groups_for, in_words, moved_limbs
from app.console.gestures.model import HOTKEYS, GestureModel
from app.console.gestures.portrait import Portraits
from app.console.gestures.search import (
    FAVOURITES,
    LIBRARY,
    OWN,
    found,
    tags_of,
)
from app.console.gestures.thumbnails import Thumbnail, Thumbnails
from app.console.help.shortcuts import UNLISTED
from app.console.toolkit import theme
from core.link.commands import Cancel, Freeze, Gesture, Unfreeze
from core.link.message import Groups

FEW_TAGS = 1  # so that the chips fit one row of a narrow dock


class GesturesPanel(QWidget):
    """The grid of gestures with its search, its options and its commands.

    Attributes:
        library: all gestures.
        editor: renames, duplicates and deletes.
        view: the grid.
        hotkeys: actions of the keys 1 to 9; the window may add them too.

    Signals:
        preview_requested: the motion to show on the ghost, or None for none.
        timeline_asked: an entry wants to be on the timeline, at its playhead.
        edit_asked: the motion of an entry shall be edited.
    """

    preview_requested = Signal(object)
    timeline_asked = Signal(object)
    edit_asked = Signal(object)

    def __init__(
        self,
        context: Context,
        parent: QWidget | None = None,
        thumbnail: Thumbnail | None = None,
        folders: Sequence[Path] | None = None,
    ) -> None:
        """Make the panel.

        Args:
            context: the console's shared parts.
            parent: parent widget.
            thumbnail: makes the picture of a motion, in a thread of its own; None draws the
                core's robot.
            folders: the folders of gestures; by default those of the robot.
        """
        super().__init__(parent)
        self.setObjectName("gestures_panel")
        self._context = context
        self.library = GestureLibrary(
            context.link, context.document, context.notices, folders, self
        )
        self.editor = GestureEditor(context, self.library)
        self._thumbnails = Thumbnails(thumbnail or Portraits(context.link), self)
        self._model = GestureModel(self)
        self.view = GestureView(self._model, self._thumbnails, self)
        self._search = QLineEdit()
        self._chips = Chips("Filter", "Show only gestures with: {}")
        self._more = QToolButton()
        self._count = QLabel()
        self._limbs = Chips("Limbs", "Let the gesture have this limb: {}")
        self._mirror, self._loop = QCheckBox("Mirror"), QCheckBox("Loop")
        self._bar = QLabel()
        self._buttons: dict[str, QPushButton] = {}
        self._edits: dict[str, QAction] = {}
        self.hotkeys = tuple(self._hotkey(place) for place in range(HOTKEYS))
        self._lay_out()
        self._make_actions()
        self._connect()
        self._offer_limbs()
        self.setFocusProxy(self.view)
        self._list()

    def perform_favourite(self, place: int) -> None:
        """Play the favourite at an index from 0 now."""
        favourites = self._context.preferences.value.favourites
        if not 0 <= place < len(favourites):
            self._say(f"there is no favourite {place + 1}: choose a gesture and press *")
            return
        entry = self.library.entry(favourites[place])
        if entry is None:
            self._say(
                f"favourite {place + 1}, {favourites[place]!r}, was not played, for it is neither "
                "in the library nor in this show"
            )
            return
        self.perform(entry)

    def perform(self, entry: Entry) -> None:
        """Ask the core to play a gesture now, on the chosen limbs."""
        link, mirror = self._context.link, self._mirror.isChecked()
        reason = head_bar(link.status, link.connected)
        if reason:
            self._say(f"{entry.title!r} was not played: {reason}")
            return
        motion = self.library.mirrored(entry.motion) if mirror else entry.motion
        groups = groups_for(self.library.limbs_of(motion), self._chosen())
        if groups is not None and not groups:
            self._say(f"{entry.title!r} was not played, for it moves none of the chosen limbs")
            return
        link.send(Gesture(entry.name, groups, loop=self._loop.isChecked(), mirror=mirror))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._search, 1)
        top.addWidget(self._count)
        top.addWidget(self._more)
        options = QHBoxLayout()
        options.setSpacing(theme.GAP)
        options.addWidget(self._limbs, 1)
        options.addWidget(self._mirror)
        options.addWidget(self._loop)
        row = QHBoxLayout()
        for word, tip, act in (
            ("Play", "Play the chosen gesture now (Enter, or double-click)", self._perform),
            ("Cancel", "End gestures on the chosen limbs: back to rest", self._cancel),
            ("Freeze", "Stop the chosen limbs in mid-motion, for a photo", self._freeze),
            ("Resume", "Let frozen limbs go on from where they are", self._resume),
        ):
            button = QPushButton(word)
            button.setAccessibleName(f"{word} gestures")
            button.setToolTip(tip)
            button.setMinimumHeight(theme.TOUCH)
            button.clicked.connect(act)
            row.addWidget(button, 2 if word == "Play" else 1)
            self._buttons[word] = button
        rows = QVBoxLayout(self)
        rows.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        rows.addLayout(top)
        rows.addWidget(self._chips)
        rows.addWidget(self.view, 1)
        rows.addWidget(self._bar)
        rows.addLayout(options)
        rows.addLayout(row)
        self._search.setPlaceholderText("Search gestures")
        self._search.setClearButtonEnabled(True)
        self._search.setAccessibleName("Search gestures")
        self._search.setToolTip("Words of a title or tag (Ctrl+Shift+F); Down goes to the grid")
        self._more.setText("Tags")
        self._more.setCheckable(True)
        self._more.setAccessibleName("All tags")
        self._more.setToolTip("Offer every tag, not only those used most")
        self._count.setStyleSheet(f"color: {theme.MUTED}")
        self._mirror.setToolTip("Play it with left and right exchanged")
        self._loop.setToolTip("Play it over and over until it is cancelled")
        self._mirror.setAccessibleName("Mirror the gesture")
        self._loop.setAccessibleName("Loop the gesture")
        self._bar.setWordWrap(True)
        self._bar.setAccessibleName("Why gestures cannot be played now")
        self._bar.setStyleSheet(f"color: {theme.WARN.colour}")

    def _make_actions(self) -> None:
        view = self.view
        for word, keys, act in (
            ("Add to the timeline", "Shift+Return", self.timeline_asked.emit),
            ("Edit the motion", "E", self.edit_asked.emit),
            ("Favourite", "*", self.editor.turn_favourite),
            ("Rename", "F2", self._rename),
            ("Duplicate", "Ctrl+D", self._duplicate),
            ("Delete", "Del", self.editor.delete),
        ):
            action = self._action(word, keys, partial(self._edit, act))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)
            self._edits[word] = action
        search = self._action("Search gestures", "Ctrl+Shift+F", self._go_to_search)
        self.addAction(search)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._open_menu)

    def _action(self, text: str, keys: str, act: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _=False: act())
        return action

    def _edit(self, act: Callable[[Entry], None]) -> None:
        entry = self.view.current()
        if entry is not None:
            act(entry)

    def _rename(self, entry: Entry) -> None:
        if self.editor.may_edit(entry, "renamed"):
            self.view.edit(self.view.currentIndex())

    def _retitle(self, name: str, title: str) -> None:
        self.view.choose(self.editor.rename(name, title))
        self.view.setFocus()  # the editor closed with the old list

    def _duplicate(self, entry: Entry) -> None:
        self.view.choose(self.editor.duplicate(entry))

    def _hotkey(self, place: int) -> QAction:
        action = self._action(
            f"Favourite {place + 1}", str(place + 1), lambda: self.perform_favourite(place)
        )
        action.setAutoRepeat(False)
        action.setProperty(UNLISTED, True)
        self.addAction(action)
        return action

    def _connect(self) -> None:
        context = self._context
        self._search.textChanged.connect(self._list)
        self._search.returnPressed.connect(self._go_to_grid)
        self._chips.changed.connect(self._list)
        self._more.toggled.connect(self._list)
        self._mirror.toggled.connect(lambda: self._look_at(self.view.current()))
        self.library.changed.connect(self._list)
        context.preferences.changed.connect(self._list)
        context.lock.changed.connect(self._show_state)
        context.link.hello_changed.connect(self._offer_limbs)
        context.link.shown.connect(self._show_state)
        context.link.connected_changed.connect(self._show_state)
        self.view.performed.connect(self.perform)
        self.view.looked_at.connect(self._look_at)
        self.view.selectionModel().currentChanged.connect(self._show_state)
        self._model.retitled.connect(self._retitle)
        context.link.figure_changed.connect(self._redraw)
        self._thumbnails.made.connect(lambda _: self.view.viewport().update())

    def _list(self) -> None:
        """List the gestures that the search finds, and keep the current one."""
        current = self.view.current()
        entries = self.library.entries() if self.library.ready else ()
        tags = tags_of(entries)
        shown = tags if self._more.isChecked() else tags[:FEW_TAGS]
        shown += tuple(tag for tag in self._chips.on() if tag in tags and tag not in shown)
        self._chips.set_words((FAVOURITES, OWN, LIBRARY, *shown))
        favourites = self._context.preferences.value.favourites
        listed = found(entries, self._search.text(), self._chips.on(), favourites)
        self._model.set_entries(listed, favourites)
        self._count.setText(f"{len(listed)} of {len(entries)}")
        if current is not None:
            self.view.choose(current.name)
        self._show_state()

    def _offer_limbs(self, _: object = None) -> None:
        """Offer the limbs that the robot has."""
        self._limbs.set_words(self._titles(), on=True)
        self._show_state()

    def _titles(self) -> dict[str, str]:
        """Return the name of each limb that the robot can move, by its title."""
        limbs = moved_limbs(self._context.link.hello)
        titles = [limb.title for limb in limbs]
        return {
            limb.title if titles.count(limb.title) == 1 else limb.name: limb.name for limb in limbs
        }

    def _redraw(self, _: object = None) -> None:
        """Draw every picture again, because the figure of the robot changed."""
        self._thumbnails.forget()
        self.view.viewport().update()

    def _show_state(self, _: object = None) -> None:
        link = self._context.link
        status, hello = link.status, link.hello
        reason = head_bar(status, link.connected)
        if not self.library.ready:
            reason = reason or "the library is being read"
        text = f"{theme.WARN.mark} Not now: {reason}" if reason else ""
        if self._bar.text() != text:
            self._bar.setText(text)
        self._bar.setVisible(bool(text))
        chosen = self.view.current()
        self._buttons["Play"].setEnabled(not reason and chosen is not None)
        self._buttons["Cancel"].setEnabled(link.connected)
        self._buttons["Freeze"].setEnabled(link.connected and not reason)
        frozen = link.connected and status is not None and "STOP" in status.motion_states
        self._buttons["Resume"].setEnabled(frozen)
        limbs = moved_limbs(hello)
        playing: dict[str, list[str]] = {}
        if link.connected and status is not None and hello is not None:
            for group, name in zip(hello.group_names, status.gestures, strict=False):
                if name:
                    playing.setdefault(name, []).append(group)
        self._model.set_playing({name: in_words(names, limbs) for name, names in playing.items()})

    def _chosen(self) -> Groups:
        names = self._titles()
        return tuple(names[title] for title in self._limbs.on() if title in names)

    def _perform(self) -> None:
        entry = self.view.current()
        if entry is not None:
            self.perform(entry)

    def _cancel(self) -> None:
        # Always names the limbs: a Cancel without limbs ends the cue as well.
        self._context.link.send(Cancel(self._chosen()))

    def _freeze(self) -> None:
        self._context.link.send(Freeze(self._chosen()))

    def _resume(self) -> None:
        self._context.link.send(Unfreeze(self._chosen()))

    def _look_at(self, entry: Entry | None) -> None:
        if entry is None:
            self.preview_requested.emit(None)
        elif self._mirror.isChecked():
            self.preview_requested.emit(self.library.mirrored(entry.motion))
        else:
            self.preview_requested.emit(entry.motion)

    def _go_to_search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _go_to_grid(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.view.current() is None and self._model.rowCount():
            self.view.setCurrentIndex(self._model.index(0))

    def _open_menu(self, at: QPoint) -> None:
        entry = self.view.current()
        if entry is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        play = menu.addAction("Play now\tEnter")
        play.triggered.connect(self._perform)
        play.setEnabled(self._buttons["Play"].isEnabled())
        menu.addActions(list(self._edits.values()))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _say(self, text: str) -> None:
        self._context.notices.say(text, "warning")
