"""The file of a run as the window reads it; the command that opens the window provides it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from core.link.figure import Figure
from core.link.hello import Hello
from core.link.report import Report
from core.link.scene import Scene
from core.link.status import Status

Rows: TypeAlias = npt.NDArray[np.void]
Facts: TypeAlias = tuple[tuple[str, str], ...]  # names and values, as text


class Place(Protocol):
    """Where a part of the file is."""

    @property
    def start_s(self) -> float:
        """Time of its first message [s]."""

    @property
    def end_s(self) -> float:
        """Time of its last message [s]."""


class Noted(Protocol):
    """An event."""

    @property
    def time_s(self) -> float:
        """Its time on the core's clock [s]."""

    @property
    def actor(self) -> str:
        """The name of who caused it."""

    @property
    def text(self) -> str:
        """Its sentence."""

    @property
    def severity(self) -> int:
        """2 information, 3 warning, 4 error."""


class Told(Protocol):
    """A message of the partner's process."""

    @property
    def time_s(self) -> float:
        """Its stamp on the core's clock [s]."""

    @property
    def content(self) -> bytes:
        """Its JSON."""


class Passage(Protocol):
    """The contents of a part of the file."""

    @property
    def rows(self) -> Rows | None:
        """Ticks as a structured array; None without any."""

    @property
    def events(self) -> Sequence[Noted]:
        """Events in order."""

    @property
    def statuses(self) -> Sequence[bytes]:
        """Statuses as JSON."""

    @property
    def report(self) -> bytes:
        """The run's report as JSON; empty if it is elsewhere."""

    @property
    def humans(self) -> Sequence[Told]:
        """Postures of the person who leads the robot."""

    @property
    def partners(self) -> Sequence[Told]:
        """Reports of the partner's process."""


@dataclass(frozen=True, slots=True)
class Part:
    """What of a part of the file is needed again and again.

    Attributes:
        rows: ticks as a structured array; None without any.
        statuses: as JSON.
        humans: postures of the person who leads the robot.
        partners: reports of the partner's process.
    """

    rows: Rows | None
    statuses: Sequence[bytes]
    humans: Sequence[Told]
    partners: Sequence[Told]


class Source(Protocol):
    """The file of a run; one thread at a time."""

    @property
    def path(self) -> Path:
        """Path of the file."""

    @property
    def hello(self) -> Hello:
        """Description of the robot."""

    @property
    def arrays(self) -> Sequence[str]:
        """Names of the arrays of a tick."""

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Structured type of a tick."""

    @property
    def places(self) -> Sequence[Place]:
        """Parts of the file, in order."""

    @property
    def ended(self) -> bool:
        """Whether the file has its end."""

    def passage(self, index: int) -> Passage:
        """Read a part; a damaged one raises `Library.errors`."""

    def close(self) -> None:
        """Close the file."""


class Completeness(Protocol):
    """Counts the missing parts of a run."""

    def take(self, passage: Any) -> None:
        """Count a part."""

    def lose(self) -> None:
        """Count a part that cannot be read."""

    def problem(self, end_s: float) -> str:
        """Return one sentence about missing parts, or an empty string."""


class Tally(Protocol):
    """Adds up the summary of a run."""

    def add(self, rows: Rows) -> None:
        """Add ticks."""

    def summary(self, report: Report | None, status: Status | None) -> Any:
        """Return the summary; its `rows()` are `Facts`."""


@dataclass(frozen=True, slots=True)
class Library:
    """The functions that read runs.

    Attributes:
        open: opens a file.
        tally: begins a summary.
        completeness: begins to count missing parts of an opened file.
        scene: returns the picture of a tick.
        figure: returns the robot's shape.
        person: writes the motion of the person in a run as a BVH file.
        errors: what these functions raise.
    """

    open: Callable[[Path], Source]
    tally: Callable[[Hello], Tally]
    completeness: Callable[[Any], Completeness]
    scene: Callable[[Any, Hello], Scene]
    figure: Callable[[Hello], Figure]
    person: Callable[[Path, Path], object]
    errors: type[Exception]
