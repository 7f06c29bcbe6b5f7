"""Joint angles for points and directions that move: least squares within the joints' limits."""

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.retarget.branch import INTERVAL_S, cheapest_way, distinct
from core.retarget.chain import Chain
from core.retarget.kernels import Problem, follow_targets, make_work, settle, write_features
from devices.interface import Floats

_SEEDS = 81  # postures from which a sample is solved anew
_FULL_GRID = 7  # joints from which on a grid of them would be too large
_LEAST_STEP_S = 1e-3
_MUCH_WORSE = 0.05  # cost of a posture beside the best
_WORSE_FOR_S = 0.1  # from which on the best one is taken
_REST_COST = 1e-6  # of the squared distance from rest, which decides between equal solutions


@dataclass(frozen=True, eq=False)
class Features:
    """Points and directions on a chain that have targets.

    Attributes:
        links: index of the joint that carries each (m).
        vectors: each in that joint's frame (m, 3): points [m], directions of length 1.
        are_points: whether each is a point (m).
        weights: of the squared distance from the target (m) [1/m²], [1].
    """

    links: npt.NDArray[np.int64]
    vectors: Floats
    are_points: npt.NDArray[np.bool_]
    weights: Floats


def track(
    chain: Chain,
    features: Features,
    targets: Floats,
    rate_hz: float,
    speed: Floats,
    damping_s: float,
    margin_rad: float,
) -> Floats:
    """Return the joints' path whose features are nearest to their targets.

    Each sample minimises Σ w |f(q) - target|² + d |q - q_before|² by Levenberg-Marquardt steps from
    the sample before, with the limits as a box (active set of the gradient). Every eighth of a
    second it is solved from a grid of postures, too; where the cheapest way through these solutions
    is better than the path, the path jumps to it.

    Args:
        chain: the joints (n).
        features: what has targets (m).
        targets: in the base (k, m, 3) [m], [1].
        rate_hz: samples by time [Hz].
        speed: largest speeds of the joints (n) [rad/s].
        damping_s: d by the rate [s].
        margin_rad: kept from the limits [rad].

    Returns:
        Positions (k, n) [rad]; jumps are the follower's to spread.
    """
    lower, upper = inside(chain, margin_rad)
    problem, work = _problem(chain, features, lower, upper), make_work(len(lower))
    targets = np.ascontiguousarray(targets)
    seeds = _seeds(chain, lower, upper)
    every = max(1, round(INTERVAL_S * rate_hz))
    keys = np.ascontiguousarray(targets[::every])
    solved, costs = np.empty((len(keys), *seeds.shape)), np.empty((len(keys), len(seeds)))
    settle(problem, work, keys, seeds, solved, costs)
    from_rest = ((solved[0] - chain.rest) ** 2).sum(axis=1)
    start = solved[0, (costs[0] + _REST_COST * from_rest).argmin()]
    damping, path = damping_s * rate_hz, np.empty((len(targets), len(lower)))
    nowhere = np.full((len(keys), len(lower)), np.nan)  # the cost of NaN is never less
    follow_targets(problem, work, targets, start, damping, nowhere, every, path)
    own = path[::every]
    own_costs = _costs(features, features_at(chain, features, own), keys)
    ways = [distinct(*sample) for sample in zip(solved, costs, strict=True)]
    solutions = np.concatenate((own[:, None], np.stack([q for q, _ in ways])), axis=1)
    way = cheapest_way(
        solutions,
        np.concatenate((own_costs[:, None], np.stack([cost for _, cost in ways])), axis=1),
        every / rate_hz,
        speed,
    )
    if (way != own).any():
        first = np.ascontiguousarray(way[0])
        follow_targets(problem, work, targets, first, damping, way, every, path)
    return path


class Tracker:
    """Follows targets one after the other, as they come.

    Args:
        chain: the joints (n).
        features: what has targets (m).
        damping_s: weight of a step's square by the rate [s].
        margin_rad: kept from the limits [rad].

    Attributes:
        q: the newest positions (n) [rad].
    """

    def __init__(
        self, chain: Chain, features: Features, damping_s: float, margin_rad: float
    ) -> None:
        self._chain, self._features, self._damping_s = chain, features, damping_s
        lower, upper = inside(chain, margin_rad)
        self._problem, self._work = _problem(chain, features, lower, upper), make_work(len(lower))
        self._seeds = _seeds(chain, lower, upper)
        self._solved = np.empty((1, *self._seeds.shape))
        self._costs = np.empty((1, len(self._seeds)))
        self._nowhere = np.full((1, len(lower)), np.nan)
        self._path = np.empty((1, len(lower)))
        self.restart()

    def restart(self) -> None:
        """Begin at rest."""
        self.q: Floats = self._chain.rest.copy()
        self._worse_s = _WORSE_FOR_S

    def follow(self, targets: Floats, duration_s: float) -> Floats:
        """Return the positions whose features are nearest to targets (n) [rad].

        Targets that are badly reached are solved from a grid of postures, too. A posture that is
        much better for a tenth of a second is taken; its jump is the follower's to spread.

        Args:
            targets: in the base (m, 3) [m], [1].
            duration_s: since the targets before [s].
        """
        sample = np.ascontiguousarray(targets[None])
        damping = self._damping_s / max(duration_s, _LEAST_STEP_S)
        problem, work = self._problem, self._work
        follow_targets(problem, work, sample, self.q, damping, self._nowhere, 1, self._path)
        self.q = self._path[0].copy()
        reached = features_at(self._chain, self._features, self.q[None])
        cost = float(_costs(self._features, reached, sample)[0])
        better = self._search(sample, cost) if cost > _MUCH_WORSE else None
        self._worse_s = 0.0 if better is None else self._worse_s + duration_s
        if better is not None and self._worse_s >= _WORSE_FOR_S:
            self.q, self._worse_s = better, 0.0
        return self.q

    def _search(self, sample: Floats, cost: float) -> Floats | None:
        """Return a posture elsewhere that fits much better than one of a cost, or None."""
        settle(self._problem, self._work, sample, self._seeds, self._solved, self._costs)
        from_here = ((self._solved[0] - self.q) ** 2).sum(axis=1)
        best = int((self._costs[0] + _REST_COST * from_here).argmin())
        if cost - self._costs[0, best] <= _MUCH_WORSE:
            return None
        found: Floats = self._solved[0, best].copy()
        return found


def features_at(chain: Chain, features: Features, path: Floats) -> Floats:
    """Return the features in the base (k, m, 3) along positions of the joints (k, n) [rad]."""
    problem = _problem(chain, features, chain.lower, chain.upper)
    result = np.empty((len(path), len(features.links), 3))
    write_features(problem, make_work(path.shape[1]), np.ascontiguousarray(path), result)
    return result


def inside(chain: Chain, margin_rad: float) -> tuple[Floats, Floats]:
    """Return the limits of a chain's joints less a margin (n) [rad]."""
    kept = np.minimum(margin_rad, 0.25 * (chain.upper - chain.lower))
    return chain.lower + kept, chain.upper - kept


def _problem(chain: Chain, features: Features, lower: Floats, upper: Floats) -> Problem:
    """Return chain and features as the kernels take them."""
    return Problem(
        np.ascontiguousarray(chain.rotations),
        np.ascontiguousarray(chain.offsets),
        np.ascontiguousarray(chain.axes),
        lower,
        upper,
        features.links,
        np.ascontiguousarray(features.vectors),
        features.are_points,
        features.weights,
    )


def _seeds(chain: Chain, lower: Floats, upper: Floats) -> Floats:
    """Return postures over the joints' ranges (s, n), rest first."""
    count = len(chain.joints)
    steps = max(2, int(_SEEDS ** (1.0 / count) + 1e-9)) if count < _FULL_GRID else 1
    shares = (np.arange(steps) + 0.5) / steps
    grid = np.array(list(itertools.product(shares, repeat=count)))
    return np.vstack((np.clip(chain.rest, lower, upper), lower + grid * (upper - lower)))


def _costs(features: Features, reached: Floats, targets: Floats) -> Floats:
    """Return the cost of features (k, m, 3) at targets (k, m, 3) (k)."""
    costs: Floats = (features.weights * ((reached - targets) ** 2).sum(axis=2)).sum(axis=1)
    return costs
