"""The runs that an evaluation consists of: seeds and plants of experiments."""

from dataclasses import dataclass

from core.run.launch import PlantOrder


@dataclass(frozen=True, slots=True)
class Sampling:
    """What an experiment is repeated with.

    Attributes:
        seeds: number of seeds, each with other noise.
        plants: number of plants for each seed; 0: the model itself.
        spread: how far the plants are from the model.
    """

    seeds: int
    plants: int = 0
    spread: float = 0.0

    def of_seed(self, seed: int) -> list[PlantOrder | None]:
        """Return the plants of a seed; None is the model itself."""
        numbers = range(self.plants)
        drawn = [PlantOrder(number=number, spread=self.spread, seed=seed) for number in numbers]
        return [*drawn] or [None]

    @property
    def told(self) -> str:
        """In words, how many runs a table sums up."""
        runs = self.seeds * max(1, self.plants)
        counted = "1 seed" if self.seeds == 1 else f"{self.seeds} seeds"
        if self.plants:
            each = " each" if self.seeds > 1 else ""
            plants = "1 plant" if self.plants == 1 else f"{self.plants} plants"
            counted += f", {plants}{each} at a spread of {self.spread:g}"
        return counted if runs == 1 else f"{counted}: median (extremes)"


@dataclass(frozen=True, slots=True)
class Job:
    """One seed and plant of one experiment: the work of one process at a time."""

    experiment: str
    seed: int
    true_state: bool = False
    on_twin: bool = False
    robot: str = ""
    plant: PlantOrder | None = None

    @property
    def title(self) -> str:
        """The job in words."""
        state = ", true state" if self.true_state else ", on the twin" if self.on_twin else ""
        return f"{self.experiment}, {self.run}{state}"

    @property
    def run(self) -> str:
        """Seed and plant in words."""
        plant = "" if self.plant is None else f", plant {self.plant.number}"
        return f"seed {self.seed}{plant}"

    @property
    def order(self) -> tuple[int, int]:
        """Place of the job among those of its experiment."""
        return self.seed, -1 if self.plant is None else self.plant.number
