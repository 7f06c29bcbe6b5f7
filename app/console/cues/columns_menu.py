"""The menu in which the operator chooses the columns of the cue list; the choice is kept."""

import msgspec
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.console.cues.cells import COLUMNS, Key
from app.console.cues.columns import BARE
from app.console.cues.table import CueTable
from app.console.preferences.store import PreferencesStore


class ColumnsMenu(QMenu):
    """A tick for every column, and one for as many as there is room for."""

    def __init__(
        self, table: CueTable, preferences: PreferencesStore, parent: QWidget | None = None
    ) -> None:
        super().__init__("Columns of the cue list", parent)
        self._table, self._preferences = table, preferences
        self._fitting = self.addAction("As there is room")
        self._fitting.setCheckable(True)
        self._fitting.triggered.connect(lambda _: self._choose(()))
        self.addSeparator()
        self._ticks: dict[Key, QAction] = {}
        for column in COLUMNS:
            if column.key not in BARE:
                tick = self.addAction(column.title)
                tick.setCheckable(True)
                tick.triggered.connect(lambda on, key=column.key: self._turn(key, on))
                self._ticks[column.key] = tick
        self.aboutToShow.connect(self._tick)
        preferences.changed.connect(self._take)
        self._take()

    def _tick(self) -> None:
        shown = self._table.columns()
        for key, tick in self._ticks.items():
            tick.setChecked(key in shown)
        self._fitting.setChecked(not self._preferences.value.cue_columns)

    def _turn(self, key: Key, on: bool) -> None:
        shown = set(self._table.columns())
        shown = shown | {key} if on else shown - {key}
        self._choose(tuple(column.key for column in COLUMNS if column.key in shown))

    def _choose(self, keys: tuple[str, ...]) -> None:
        value = self._preferences.value
        self._preferences.change(msgspec.structs.replace(value, cue_columns=keys))
        self._tick()

    def _take(self) -> None:
        self._table.choose_columns(self._preferences.value.cue_columns)
