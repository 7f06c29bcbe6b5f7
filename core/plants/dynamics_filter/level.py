"""The height of the CoM between flights, which changes slowly."""

from dataclasses import dataclass

from core.plants.dynamics_filter.score import Height


@dataclass(frozen=True, slots=True)
class Level:
    """A height, or a smooth way from one to another.

    Attributes:
        begin_s: begin of the way [s].
        duration_s: of the way [s].
        start_m: height at its begin [m].
        end_m: height at its end [m].
    """

    begin_s: float
    duration_s: float
    start_m: float
    end_m: float

    def at(self, now_s: float) -> Height:
        """Return the height at a time, with its derivatives: minimum jerk."""
        share = (now_s - self.begin_s) / self.duration_s
        if share >= 1.0:
            return self.end_m, 0.0, 0.0
        p, way = max(0.0, share), self.end_m - self.start_m
        q, rate = 1.0 - p, 1.0 / self.duration_s
        return (
            self.start_m + way * p * p * p * (10.0 + p * (6.0 * p - 15.0)),
            way * rate * 30.0 * p * p * q * q,
            way * rate * rate * 60.0 * p * q * (1.0 - 2.0 * p),
        )

    def toward(self, end_m: float, now_s: float, duration_s: float) -> "Level":
        """Return the way from the height at a time to another height."""
        return Level(now_s, duration_s, self.at(now_s)[0], end_m)
