"""The actions on the selected cues with their keys, for menu, list and toolbar."""

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.console.context.context import Context
from app.console.cues import edits
from app.console.cues.edits import EditError
from app.console.toolkit import clipboard
from shows.document import Cue, Show

NEW_GROUP = "New group"

Done = tuple[str, Show, Sequence[str]]
"""What an edit is called, the document after it, and the cues to select."""


class CueActions(QObject):
    """Edits the cues that are selected; every action can be undone, and none works in SHOW.

    Attributes:
        edits: the actions, by name, in the order of the menu; None is a line between them.

    Signals:
        select: numbers of the cues to select after an edit.
        rename: number of a cue that was just made and wants a name.
    """

    select = Signal(object)
    rename = Signal(str)

    def __init__(
        self, context: Context, selected: Callable[[], list[str]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context, self._selected, self._widget = context, selected, parent
        self.edits: dict[str, QAction] = {}
        self._make("add", "Add a cue", "Ins", self._add, "Add a cue below the selected one")
        self._make("duplicate", "Duplicate", "Ctrl+D", self._duplicate, "Duplicate the cues")
        self._make("delete", "Delete", "Del", self._delete, "Delete the selected cues")
        self._make("cut", "Cut", "Ctrl+X", self._cut, "Cut the selected cues")
        self._make("copy", "Copy", "Ctrl+C", self.copy, "Copy the selected cues")
        self._make("paste", "Paste", "Ctrl+V", self._paste, "Paste below the selected cue")
        self._make("up", "Move up", "Alt+Up", lambda: self._shift(-1), "Move the cues up")
        self._make("down", "Move down", "Alt+Down", lambda: self._shift(1), "Move the cues down")
        self._make("arm", "Arm or disarm", "Ctrl+T", self._arm, "Arm or disarm the cues")
        self._make("group", "Group", "Ctrl+Shift+G", self._group, "Put the cues under one header")
        self._make(
            "ungroup", "Ungroup", "Ctrl+Shift+U", self._ungroup, "Take the cues out of their group"
        )
        self._make(
            "renumber", "Renumber", "Ctrl+R", self._renumber,
            "Number the selected cues in steps of 1, from the first one's number",
        )  # fmt: skip
        context.lock.changed.connect(self._take_lock)
        self._take_lock(context.lock.locked)

    def fill(self, menu: QMenu) -> None:
        """Put the actions into a menu."""
        for name, action in self.edits.items():
            if name in ("cut", "up", "arm", "group"):
                menu.addSeparator()
            menu.addAction(action)

    def move_to(self, numbers: Sequence[str], place: int) -> None:
        """Move cues that were dragged before a place of the show."""
        self._do(lambda show: (f"move {_who(numbers)}", edits.move(show, numbers, place), numbers))

    def copy(self) -> None:
        """Put the selected cues on the clipboard."""
        cues = self._cues()
        if cues:
            text = "\n".join(f"{cue.number}\t{cue.name}" for cue in cues)
            clipboard.put(clipboard.CUES, edits.to_text(cues), text)

    # Inside

    def _make(self, name: str, text: str, key: str, run: Callable[[], None], tip: str) -> None:
        action = QAction(text, self._widget)
        action.setShortcut(key)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(f"{tip}  [{key}]")
        action.triggered.connect(lambda _: run())
        self._widget.addAction(action)
        self.edits[name] = action

    def _take_lock(self, locked: bool) -> None:
        for name, action in self.edits.items():
            action.setEnabled(name == "copy" or not locked)

    def _do(self, edit: Callable[[Show], Done]) -> bool:
        """Do one edit, or say why not."""
        document = self._context.document
        if self._context.lock.locked:
            return False
        try:
            text, after, numbers = edit(document.show)
        except EditError as error:
            self._context.notices.say(str(error), "warning")
            return False
        document.edit(text, after)
        self.select.emit(list(numbers))
        return True

    def _cues(self) -> list[Cue]:
        chosen = set(self._selected())
        return [cue for cue in self._context.document.show.cues if cue.number in chosen]

    def _below(self) -> int:
        """Return the place below the selection, or the end of the list."""
        chosen, cues = set(self._selected()), self._context.document.show.cues
        places = [i for i, cue in enumerate(cues) if cue.number in chosen]
        return places[-1] + 1 if places else len(cues)

    def _insert(self, text: str, place: int, cues: Sequence[Cue]) -> list[str]:
        made: list[str] = []

        def insert(show: Show) -> Done:
            after, numbers = edits.insert(show, place, cues)
            made.extend(numbers)
            return f"{text} {_who(numbers)}", after, numbers

        return made if self._do(insert) else []

    def _add(self) -> None:
        place = self._below()
        cues = self._context.document.show.cues
        taken = [cue.number for cue in cues]
        number = edits.free_number(taken[place - 1] if place else "0", taken)
        group = cues[place - 1].group if place else ""
        for made in self._insert("add", place, [Cue(number=number, name="New cue", group=group)]):
            self.rename.emit(made)

    def _duplicate(self) -> None:
        cues = self._cues()
        if cues:
            self._insert("duplicate as", self._below(), cues)

    def _delete(self) -> None:
        self._remove("delete")

    def _cut(self) -> None:
        self.copy()
        self._remove("cut")

    def _remove(self, word: str) -> None:
        numbers = self._selected()
        if not numbers:
            return
        gone = set(numbers)
        cues = self._context.document.show.cues
        orphans = [c.number for c in cues if c.next in gone and c.number not in gone]
        if self._do(lambda show: (f"{word} {_who(numbers)}", edits.remove(show, numbers), ())):
            if orphans:
                text = f"{_who(orphans).capitalize()} named a deleted cue as the next"
                self._context.notices.say(f"{text}; now the one below follows.", "warning")

    def _paste(self) -> None:
        try:
            cues = edits.from_text(clipboard.taken(clipboard.CUES))
        except EditError as error:
            self._context.notices.say(str(error), "warning")
            return
        self._insert("paste", self._below(), cues)

    def _shift(self, step: int) -> None:
        numbers = self._selected()
        if numbers:
            self._do(
                lambda show: (f"move {_who(numbers)}", edits.shift(show, numbers, step), numbers)
            )

    def _arm(self) -> None:
        cues = self._cues()
        armed = not all(cue.armed for cue in cues)
        self._set("armed", armed, "arm" if armed else "disarm")

    def _group(self) -> None:
        cues = self._cues()
        group = next((cue.group for cue in cues if cue.group), NEW_GROUP)
        self._set("group", group, "group")

    def _ungroup(self) -> None:
        self._set("group", "", "ungroup")

    def _set(self, field: str, value: object, word: str) -> None:
        numbers = self._selected()
        if numbers:
            self._do(
                lambda show: (
                    f"{word} {_who(numbers)}", edits.change(show, numbers, field, value), numbers,
                )
            )  # fmt: skip

    def _renumber(self) -> None:
        numbers = self._selected()
        if not numbers:
            return
        whole = numbers[0].split(".")[0]
        first = int(whole) if whole.isdecimal() else 1

        def renumber(show: Show) -> Done:
            after = edits.renumber(show, numbers, first)
            fresh = [str(first + i) for i in range(len(numbers))]
            return f"renumber {_who(numbers)}", after, fresh

        self._do(renumber)


def _who(numbers: Collection[str]) -> str:
    if len(numbers) == 1:
        return f"cue {next(iter(numbers))}"
    return f"{len(numbers)} cues"
