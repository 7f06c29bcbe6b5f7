"""A part of the bench: one measurement on this machine, compared with bars."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from core.errors import CoreError
from core.lab.experiment import Bar, Figures
from core.lab.laboratory import Laboratory
from core.run.realtime import freeze_garbage

STEPS = 10  # in which a part tells its progress
QUANTILES = ("median", "p99", "p99_9", "max")
QUANTILE_HEADINGS = ("median [µs]", "p99", "p99.9", "max")

Times: TypeAlias = Sequence[float] | npt.NDArray[Any]


class BenchError(CoreError):
    """A benchmark cannot be made as requested."""


@dataclass(frozen=True, slots=True)
class Order:
    """The settings of a bench.

    Attributes:
        seconds: of each timed run [s].
        minutes: of simulated time over which unsolved QPs are counted [min].
        hours: of simulated time over which memory is watched [h].
        seed: of the simulated noise.
        log: where the scribe shall write while memory is watched; None starts no scribe.
    """

    seconds: float = 60.0
    minutes: float = 10.0
    hours: float = 1.0
    seed: int = 0
    log: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of measurements, cells as text."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a part.

    Attributes:
        figures: values for the bars, by name.
        report: entries of the JSON, by key.
        listings: tables for the reader.
        notes: remarks that the reader needs to judge, one sentence each.
    """

    figures: Figures
    report: Mapping[str, Any]
    listings: tuple[Listing, ...] = ()
    notes: tuple[str, ...] = ()


Tell: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the bench.

    Attributes:
        name: as the command line has it.
        title: subject of the part.
        run: measures, and reports its progress in `STEPS` steps.
        bars: the rows of its verdict.
    """

    name: str
    title: str
    run: Callable[[Laboratory, Order, Tell], Found]
    bars: tuple[Bar, ...]


@dataclass(slots=True)
class Pacer:
    """Reports progress in equal steps of a length, each once.

    Attributes:
        tell: receives the progress.
        length: of the whole, in any unit.
        unit: of the length.
        steps: number of reports.
        done: how often it has told.
    """

    tell: Tell
    length: float
    unit: str
    steps: int = STEPS
    done: int = field(default=0, init=False)

    def reach(self, place: float) -> None:
        """Report that the work has reached a position of its length."""
        while self.done < self.steps and place >= self.length * (self.done + 1) / self.steps:
            self.done += 1
            at = self.length * self.done / self.steps
            self.tell(f"{at:.4g} of {self.length:.4g} {self.unit}")

    def finish(self) -> None:
        """Report the steps that an early end left out."""
        self.reach(self.length)


def quantiles(times: Times) -> dict[str, float]:
    """Return median, p99, p99_9 and max; not a number where nothing was measured."""
    if not len(times):
        return dict.fromkeys(QUANTILES, float("nan"))
    values = np.percentile(np.asarray(times, dtype=np.float64), (50.0, 99.0, 99.9, 100.0))
    return dict(zip(QUANTILES, values.tolist(), strict=True))


def quantile_cells(found: Mapping[str, float], digits: int = 1) -> tuple[str, ...]:
    """Return quantiles as cells of a listing, below QUANTILE_HEADINGS."""
    return tuple(f"{found[key]:.{digits}f}" for key in QUANTILES)


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage for a while, as the loop's process never does."""
    collecting = gc.isenabled()
    freeze_garbage()
    try:
        yield
    finally:
        gc.unfreeze()
        if collecting:
            gc.enable()


@contextmanager
def patched(places: Sequence[tuple[object, str, object]]) -> Iterator[None]:
    """Put something else in the place of attributes for a while: of classes or of modules."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    try:
        for owner, name, other in places:
            setattr(owner, name, other)
        yield
    finally:
        for owner, name, original in reversed(before):
            setattr(owner, name, original)
