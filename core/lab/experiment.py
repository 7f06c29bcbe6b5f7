"""An experiment: runs of the simulated robot, the figures that are measured, and their bars.

An experiment's `run` measures one seed; its bars judge each seed's figures.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from core.lab.jobs import Sampling
from core.lab.laboratory import Laboratory
from core.robot.profile import Profile
from devices.interface import Floats

Figures: TypeAlias = dict[str, float]
Verdict: TypeAlias = Literal["pass", "FAIL", ""]
LIKENESS = 0.1  # of the simulator's figure: so much may the twin's differ from it


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of one seed.

    Attributes:
        figures: numbers by name.
        curves: arrays that the figures are drawn from, by name.
        notes: why runs ended early, and other remarks; one sentence each.
    """

    figures: Figures
    curves: Mapping[str, Floats] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of the table: a figure, and the bounds within which it must be.

    Every seed must keep them, unless the row is `pooled`. Without a bound the figure is only
    reported.

    Attributes:
        figure: which of the measured figures.
        what: description in words.
        unit: of its value.
        paper: the paper's value; empty if it has none.
        at_most: upper bound.
        at_least: lower bound.
        alike: the median over the twin's seeds must be like the simulator's.
        pooled: the mean of the seeds must be within the bounds: a seed alone says little of a
            probability.
    """

    figure: str
    what: str
    unit: str = ""
    paper: str = ""
    at_most: float | None = None
    at_least: float | None = None
    alike: bool = False
    pooled: bool = False

    def holds(self, value: float) -> bool:
        """Tell whether a value keeps the bounds; one that is not a number keeps none."""
        if self.at_most is not None and not value <= self.at_most:
            return False
        return self.at_least is None or value >= self.at_least

    @property
    def judges(self) -> bool:
        """Whether there is a bound at all."""
        return self.at_most is not None or self.at_least is not None

    @property
    def text(self) -> str:
        """The required value, in words."""
        alike = f"twin ± {100.0 * LIKENESS:.0f} %" if self.alike else ""
        return "; ".join(text for text in (self._bounds, alike) if text)

    @property
    def _bounds(self) -> str:
        low, high = self.at_least, self.at_most
        if self.pooled:
            return f"mean {replace(self, pooled=False)._bounds}"
        if low is not None and high is not None:
            return shown(low) if low == high else f"{shown(low)} to {shown(high)}"
        if low is not None:
            return f"≥ {shown(low)}"
        return "" if high is None else f"≤ {shown(high)}"

    def miss(self, value: float) -> float:
        """Return how far a value is beyond its bounds; infinite if it is not a number."""
        if math.isnan(value):
            return math.inf
        over = 0.0 if self.at_most is None else value - self.at_most
        under = 0.0 if self.at_least is None else self.at_least - value
        return max(0.0, over, under)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment.

    Attributes:
        name: as the command line has it.
        title: subject of the figure.
        run: measures one seed.
        bars: the rows of its table.
        robot_bars: further rows, which depend on the robot's joints or thresholds.
        any_plant: a biped of any plant can make it, not only one that is controlled by torque.
        beside: a run on true state is compared with it.
        twin: every seed is also run on the twin, and must come out alike.
        most_seeds: largest useful number of seeds; None has no bound.
        simulates: a robot is simulated, which can be a drawn plant.
    """

    name: str
    title: str
    run: Callable[[Laboratory, int], Measured]
    bars: tuple[Bar, ...]
    any_plant: bool = False
    beside: bool = True
    twin: bool = False
    most_seeds: int | None = None
    simulates: bool = True
    robot_bars: Callable[[Profile], tuple[Bar, ...]] | None = None

    def for_robot(self, profile: Profile) -> "Experiment":
        """Return the experiment with the rows of one robot."""
        if self.robot_bars is None:
            return self
        return replace(self, bars=(*self.bars, *self.robot_bars(profile)), robot_bars=None)

    def sampling(self, asked: Sampling) -> Sampling:
        """Return the seeds and plants with which it is made, of those that are asked for."""
        seeds = asked.seeds if self.most_seeds is None else min(asked.seeds, self.most_seeds)
        return replace(asked, seeds=seeds, plants=asked.plants if self.simulates else 0)


@dataclass(frozen=True, slots=True)
class Row:
    """A bar and its result.

    Attributes:
        bar: the requirement.
        values: of each seed, on estimated state.
        true_values: of each seed that was also run on true state.
        twin_values: of each seed on the twin; None if the experiment is not made there.
    """

    bar: Bar
    values: tuple[float, ...]
    true_values: tuple[float, ...] = ()
    twin_values: tuple[float, ...] | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the bounds are kept, and the twin is alike where it must be."""
        if not (self.bar.judges or self.bar.alike):
            return ""
        return "pass" if self.worst_miss == 0.0 else "FAIL"

    @property
    def worst_miss(self) -> float:
        """How far it is beyond the bounds, or the twin beyond likeness, in the figure's unit."""
        columns = [self.values] if self.twin_values is None else [self.values, self.twin_values]
        misses = [math.inf for column in columns if not column]
        if self.bar.pooled:
            misses += [self.bar.miss(statistics.fmean(column)) for column in columns if column]
        elif self.bar.judges:
            misses += [self.bar.miss(value) for column in columns for value in column]
        if self.bar.alike:
            misses.append(self._unlike)
        return max(misses)

    @property
    def worst_run(self) -> int | None:
        """Which of the runs on estimated state misses the bounds by most; None if none does."""
        alone = self.bar.judges and not self.bar.pooled
        misses = [self.bar.miss(value) for value in self.values] if alone else []
        worst = max(misses, default=0.0)
        return misses.index(worst) if worst > 0.0 else None

    @property
    def difference(self) -> float:
        """How much larger the twin's median is than the simulator's, in the figure's unit."""
        if not (self.values and self.twin_values):
            return math.nan
        return statistics.median(self.twin_values) - statistics.median(self.values)

    @property
    def _unlike(self) -> float:
        """How far the twin's median is from where it would be like the simulator's."""
        if not math.isfinite(self.difference):
            return math.inf
        most = LIKENESS * abs(statistics.median(self.values))
        return max(0.0, abs(self.difference) - most)


def judge(
    experiment: Experiment,
    measured: Sequence[Measured],
    true_measured: Sequence[Measured] = (),
    on_twin: Sequence[Measured] = (),
) -> list[Row]:
    """Return an experiment's rows; a figure that a seed does not have counts as not a number."""

    def values(found: Sequence[Measured], bar: Bar) -> tuple[float, ...]:
        return tuple(one.figures.get(bar.figure, math.nan) for one in found)

    return [
        Row(
            bar,
            values(measured, bar),
            values(true_measured, bar),
            values(on_twin, bar) if experiment.twin else None,
        )
        for bar in experiment.bars
    ]


def shown(value: float) -> str:
    """Return a number with three figures, or its text if it is not a number."""
    if math.isnan(value):
        return "none"
    if math.isinf(value):
        return "never" if value > 0.0 else "-never"
    text = f"{value:.3g}"
    return text if "e" not in text or abs(value) < 1e-3 else f"{value:.0f}"


def summed_up(values: Sequence[float]) -> str:
    """Return the median and the extremes of the seeds' values."""
    if not values:
        return ""
    ordered = sorted(values, key=lambda value: (math.isnan(value), value))
    low, middle, high = (shown(ordered[i]) for i in (0, (len(ordered) - 1) // 2, -1))
    return middle if low == high else f"{middle} ({low} to {high})"
