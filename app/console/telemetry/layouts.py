"""Layouts of plots: those that an operator has saved, on disk."""

from pathlib import Path
from typing import Annotated

import msgspec

from shows.errors import ShowError
from shows.files import read_capped, write_atomically

MAX_BYTES = 2**18
MAX_PLOTS = 24
Span = Annotated[float, msgspec.Meta(ge=1.0, le=3600.0)]
Key = Annotated[str, msgspec.Meta(max_length=200)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plots are shown.

    Attributes:
        keys: of the plots, in order.
        span_s: the shown time [s].
    """

    keys: Annotated[tuple[Key, ...], msgspec.Meta(max_length=MAX_PLOTS)]
    span_s: Span = 30.0


class LayoutStore:
    """Owns the saved layouts.

    Args:
        path: their file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.saved: dict[str, Layout] = {}

    def load(self) -> str:
        """Read the file; return why it cannot be read, in one sentence, or nothing."""
        if not self._path.exists():
            return ""
        try:
            data = read_capped(self._path, MAX_BYTES, self._path.name)
            self.saved = msgspec.json.decode(data, type=dict[Name, Layout])
        except (ShowError, msgspec.MsgspecError, ValueError) as error:
            return f"the saved layouts of telemetry are not read: {error}; they are saved anew"
        return ""

    def save(self, name: str, layout: Layout) -> None:
        """Save a layout.

        Raises:
            ShowError: the disk refused.
        """
        self._write({**self.saved, name: layout})

    def delete(self, name: str) -> None:
        """Delete a layout.

        Raises:
            ShowError: the disk refused.
        """
        self._write({key: value for key, value in self.saved.items() if key != name})

    def _write(self, layouts: dict[str, Layout]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path, msgspec.json.format(msgspec.json.encode(layouts), indent=1))
        self.saved = layouts
