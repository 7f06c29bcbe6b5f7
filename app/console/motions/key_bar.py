"""The row of the key editor: snapping, keys, tangents; a menu has everything."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QToolButton, QWidget

from app.console.motions.keys import KeyEditor
from app.console.motions.snapping import SNAPS
from app.console.toolkit.folding_bar import FoldingBar
from shows.process.curves import Tangent

SNAP_WORDS = {"grid": "Snap: 0.1 s, 1°", "samples": "Snap: samples", "none": "No snap"}
RULES: tuple[tuple[Tangent, str, str], ...] = (
    ("smooth", "Smooth", "Smooth tangents: no overshoot, and none at the turning points"),
    ("flat", "Flat", "Flat tangents: the velocity is zero at the key"),
    ("linear", "Linear", "Straight lines to the neighbours: corners, at which the velocity steps"),
    ("free", "Free", "Tangents that stay as they are when keys move"),
)
FOLDED = ("Free", "Join", "Linear", "Copy", "Paste", "Delete", "Flat")


class KeyBar(FoldingBar):
    """Controls of the key editor; it is shown while a step with keys is chosen.

    Attributes:
        buttons: by their words.
        menu: everything, with its keys.
    """

    def __init__(self, keys: KeyEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.row.setContentsMargins(0, 0, 0, 0)
        self.buttons: dict[str, QToolButton] = {}
        self.menu = QMenu(self)
        self._snap = QComboBox()
        self._lay_out()
        keys.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        keys = self._keys
        for name, tip, keys_of_it, act in (
            ("+ Key", "Insert a key at the playhead; the shape stays", "Ins", keys.insert),
            ("Delete", "Delete the chosen keys", "Del", keys.delete),
            ("Copy", "Copy the chosen keys", "Ctrl+C", keys.copy),
            ("Paste", "Paste the copied keys at the playhead", "Ctrl+V", keys.paste),
        ):
            self._add(name, tip, act, keys_of_it)
        self._only_menu("Cut", keys.cut, "Ctrl+X")
        self._only_menu("Paste to the other side", lambda: keys.paste(True), "Ctrl+Shift+V")
        self._only_menu("Choose all", keys.choose_all, "Ctrl+A")
        self.menu.addSeparator()
        for tangent, name, tip in RULES:
            self._add(name, tip, partial(keys.set_tangent, tangent))
        self._add("Join", "Make broken tangents one line again", keys.join)
        self._snap.addItems([SNAP_WORDS[snap] for snap in SNAPS])
        self._snap.setAccessibleName("Where dragged keys snap to")
        self._snap.setToolTip("Dragged keys snap there, and to markers and the playhead")
        self._snap.currentIndexChanged.connect(self._choose_snap)
        more = QToolButton()
        more.setText("Keys")
        more.setAccessibleName("Everything that can be done with keys")
        more.setToolTip("Everything that can be done with keys")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(self.menu)
        self.row.insertWidget(0, more)
        self.row.addWidget(self._snap)
        self.row.addStretch(1)
        self.fold([self.buttons[name] for name in FOLDED])

    def _add(self, name: str, tip: str, act: Callable[[], None], keys: str = "") -> None:
        """Add a button, and the same to the menu."""
        button = QToolButton()
        button.setText(name)
        button.setToolTip(f"{tip} ({keys})" if keys else tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda _=False: act())
        self.buttons[name] = button
        self.row.addWidget(button)
        self._only_menu(tip, act, keys)

    def _only_menu(self, text: str, act: Callable[[], None], keys: str = "") -> None:
        action = QAction(f"{text}\t{keys}" if keys else text, self.menu)
        action.triggered.connect(lambda _=False: act())
        self.menu.addAction(action)

    def _choose_snap(self, index: int) -> None:
        self._keys.snap = SNAPS[index]

    def _show(self) -> None:
        chosen = bool(self._keys.chosen)
        for name, button in self.buttons.items():
            button.setEnabled(chosen or name in ("+ Key", "Paste"))
