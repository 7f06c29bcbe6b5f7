"""What proximal actuation does to the centroidal inertia (paper, figure 6)."""

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.inertia.study import compare, reduction
from core.lab.laboratory import Laboratory


def run_seed(lab: Laboratory, seed: int) -> Measured:
    """Compare the robot with its variant whose motors sit at their joints."""
    here, collocated = compare(lab.profile)[:2]
    figures: Figures = {
        "poses": float(here.reached),
        "unreachable": float(len(here.poses.unreachable)),
        "range": 1e4 * here.range,
        "collocated_range": 1e4 * collocated.range,
        "reduction": 100.0 * reduction(here, collocated),
        "distance_max": 100.0 * (1.0 - here.distance_max / collocated.distance_max),
        "distance_mean": 100.0 * (1.0 - here.distance_mean / collocated.distance_mean),
    }
    for axis, mine, other in zip("xyz", here.by_axis, collocated.by_axis, strict=True):
        figures[f"{axis}"] = 100.0 * float(mine)
        figures[f"collocated_{axis}"] = 100.0 * float(other)
    return Measured(figures)


EXPERIMENT = Experiment(
    "draco/inertia",
    "centroidal inertia isotropy over 3000 poses of a swing, with the authors' bookkeeping",
    run_seed,
    (
        Bar("poses", "poses reached", "", "3000", at_least=3000.0),
        Bar("unreachable", "unreachable poses", at_most=0.0),
        Bar("range", "range of the CII, proximal", "1e-4", "2.1"),
        Bar("collocated_range", "range of the CII, collocated", "1e-4", "3.3"),
        Bar("reduction", "reduction by proximal actuation", "%", "36", at_least=34.0, at_most=37.0),
        *(
            bar
            for axis in "xyz"
            for bar in (
                Bar(axis, f"moment about {axis} changes by at most, proximal", "%"),
                Bar(f"collocated_{axis}", f"moment about {axis}, collocated", "%"),
            )
        ),
        Bar("distance_max", "reduction of the largest log-Euclidean distance", "%"),
        Bar("distance_mean", "reduction of the mean distance", "%"),
    ),
    beside=False,
    most_seeds=1,
    simulates=False,
)
