"""A motion primitive as a hidden Markov model: states from left to right, each a Gaussian.

Training is segmental: the takes are cut into states, the states are estimated from their parts, and
the cuts are moved to where the states fit best. Everything is in logarithms; the scaled forward
recursion underflows with so many features.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled
from devices.interface import Floats

Cuts: TypeAlias = NDArray[np.int64]
STATES = 12
PASSES = 5
LEAST_DEVIATION = 0.1
LOG_2PI = math.log(2.0 * math.pi)


class TrainingError(ValueError):
    """Takes from which no model can be learned.

    Attributes:
        samples: of the shortest take.
        needed: samples that each take needs.
    """

    def __init__(self, samples: int, needed: int) -> None:
        super().__init__(f"the shortest take has {samples} samples; {needed} are needed")
        self.samples, self.needed = samples, needed


class HiddenMarkov(msgspec.Struct, frozen=True, eq=False):
    """A model with q states and d features.

    Attributes:
        means: of the states (q, d).
        variances: of the states (q, d).
        dwell: mean number of samples in each state (q), above 1.
    """

    means: Floats
    variances: Floats
    dwell: Floats

    @property
    def log_stay(self) -> Floats:
        """Logarithm of the probability to stay in a state (q)."""
        result: Floats = np.log1p(-1.0 / self.dwell)
        return result

    @property
    def log_leave(self) -> Floats:
        """Logarithm of the probability to leave a state (q)."""
        result: Floats = -np.log(self.dwell)
        return result


def learn(takes: Sequence[Floats], states: int = STATES) -> HiddenMarkov:
    """Return the model of takes of one motion.

    Args:
        takes: features of each take (k, d).
        states: their number.

    Raises:
        TrainingError: a take has fewer samples than the model has states, or there is none.
    """
    shortest = min((len(take) for take in takes), default=0)
    if shortest < states:
        raise TrainingError(shortest, states)
    cuts = [np.linspace(0, len(take), states + 1).astype(np.int64) for take in takes]
    model = _estimate(takes, cuts, states)
    for _ in range(PASSES):
        cuts = [segment(model, take) for take in takes]
        model = _estimate(takes, cuts, states)
    return model


def _estimate(takes: Sequence[Floats], cuts: Sequence[Cuts], states: int) -> HiddenMarkov:
    size = takes[0].shape[1]
    means, variances, dwell = np.empty((states, size)), np.empty((states, size)), np.empty(states)
    for state in range(states):
        parts = [
            take[int(cut[state]) : int(cut[state + 1])]
            for take, cut in zip(takes, cuts, strict=True)
        ]
        samples = np.concatenate(parts)
        means[state] = samples.mean(axis=0)
        variances[state] = np.maximum(samples.var(axis=0), LEAST_DEVIATION**2)
        dwell[state] = max(len(samples) / len(takes), 1.01)
    return HiddenMarkov(means, variances, dwell)


def segment(model: HiddenMarkov, take: Floats) -> Cuts:
    """Return the begins of the states in a take, and its end (q + 1), by Viterbi."""
    fits = emissions(model.means, model.variances, take)
    cuts = np.zeros(len(model.dwell) + 1, dtype=np.int64)
    _viterbi(fits, model.log_stay, model.log_leave, cuts)
    return cuts


@compiled
def emissions(means: Floats, variances: Floats, take: Floats) -> Floats:
    """Return the logarithm of each state's density at each sample (k, q)."""
    count, states, size = take.shape[0], means.shape[0], means.shape[1]
    result = np.empty((count, states))
    for q in range(states):
        constant = 0.0
        for d in range(size):
            constant += math.log(variances[q, d]) + LOG_2PI
        for k in range(count):
            total = constant
            for d in range(size):
                off = take[k, d] - means[q, d]
                total += off * off / variances[q, d]
            result[k, q] = -0.5 * total
    return result


@compiled
def _viterbi(fits: Floats, stay: Floats, leave: Floats, cuts: Cuts) -> None:
    """Write the best cuts of a take whose states all occur, from left to right (q + 1)."""
    count, states = fits.shape
    best = np.full((count, states), -np.inf)
    came = np.zeros((count, states), dtype=np.int8)
    best[0, 0] = fits[0, 0]
    for k in range(1, count):
        for q in range(states):
            same = best[k - 1, q] + stay[q]
            before = best[k - 1, q - 1] + leave[q - 1] if q > 0 else -np.inf
            came[k, q] = 1 if before > same else 0
            best[k, q] = max(same, before) + fits[k, q]
    q = states - 1
    cuts[states] = count
    for k in range(count - 1, 0, -1):
        if came[k, q] == 1:
            cuts[q] = k
            q -= 1
    cuts[0] = 0


@compiled
def log_sum(values: Floats) -> float:
    """Return the logarithm of the sum of exponentials."""
    most = -np.inf
    for value in values:
        most = max(most, value)
    if most == -np.inf:
        return most
    total = 0.0
    for value in values:
        total += math.exp(value - most)
    return most + math.log(total)


def log_likelihood(model: HiddenMarkov, take: Floats) -> float:
    """Return the logarithm of a take's density under a model, from its first to its last state."""
    fits = emissions(model.means, model.variances, take)
    found = np.full(len(model.dwell), -np.inf)
    found[0] = fits[0, 0]
    stay, leave = model.log_stay, model.log_leave
    for fit in fits[1:]:
        moved = np.concatenate(([-np.inf], found[:-1] + leave[:-1]))
        found = np.logaddexp(found + stay, moved) + fit
    return float(found[-1])


def draw(model: HiddenMarkov, random: np.random.Generator) -> Floats:
    """Return a path drawn from a model (k, d)."""
    rows = []
    for mean, variance, dwell in zip(model.means, model.variances, model.dwell, strict=True):
        count = int(random.geometric(1.0 / dwell))
        rows.append(mean + np.sqrt(variance) * random.standard_normal((count, len(mean))))
    return np.concatenate(rows)
