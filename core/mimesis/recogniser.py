"""Recognition while a motion happens: every known motion is followed at once, and the pause too.

All models form one network: a performer pauses, begins any motion, ends it and pauses again. The
filter holds the logarithm of the probability of each state given the samples so far. A motion is
decided when it leads all others by a margin for some samples, or by a smaller one for longer, as a
nod does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.compiled import compiled
from core.mimesis.hidden_markov import LOG_2PI, HiddenMarkov, log_sum
from devices.interface import Floats

CLEAR, CLEAR_FOR = 50.0, 3  # lead of the best over the second [nats], and for how many samples
FAINT, FAINT_FOR = 20.0, 10  # a smaller lead decides later
LEAST_SAMPLES = 9  # of a motion before it is decided
BEGINS = 0.02  # probability to begin a motion in a sample of a pause
PAUSE_MEAN_OF = 15  # samples of the mean posture of a pause
SURE = 0.9  # share of the pause from which its posture is learned
PAUSE_DEVIATION, OTHER_DEVIATION = 0.1, 0.3  # the least ones
PAUSE, OTHER = 0, 1  # the models that are no motion
NOBODY = 2  # how many these are


@dataclass(frozen=True, slots=True)
class Scores:
    """What the recogniser holds of the newest sample.

    Attributes:
        shares: probability of pause, other motion and every known motion (2 + m).
        best: index of the best among the known motions; -1 if pause or another motion is better.
        lead: of the best over the second [nats].
        decided: index of the motion that has just been decided; -1: none.
    """

    shares: Floats
    best: int
    lead: float
    decided: int


class Recogniser:
    """Follows one performer.

    Args:
        models: of the motions (m), each with the same number of states, learned from
            demonstrations relative to their pause.
    """

    def __init__(self, models: Sequence[HiddenMarkov]) -> None:
        every = np.concatenate([model.means for model in models])
        count, (states, size) = len(models), models[0].means.shape
        self._means = np.empty((count, states, size))
        self._precisions = np.empty((count, states, size))
        self._constants = np.empty((count, states))
        self._stay, self._leave = np.empty((count, states)), np.empty((count, states))
        for i, model in enumerate(models):
            self._means[i] = model.means
            self._precisions[i] = 1.0 / model.variances
            self._constants[i] = -0.5 * (np.log(model.variances) + LOG_2PI).sum(axis=1)
            self._stay[i], self._leave[i] = model.log_stay, model.log_leave
        self._single = np.empty((NOBODY, 3, size))
        variance = np.full(size, PAUSE_DEVIATION**2)
        self._single[PAUSE] = np.zeros(size), 1.0 / variance, np.log(variance) + LOG_2PI
        variance = np.maximum(every.var(axis=0), OTHER_DEVIATION**2)
        self._single[OTHER] = every.mean(axis=0), 1.0 / variance, np.log(variance) + LOG_2PI
        self._states = np.empty((count, states))
        self._alone = np.empty(NOBODY)
        self._totals = np.empty(NOBODY + count)
        self.restart()

    def restart(self) -> None:
        """Forget the samples: the performer pauses, in the posture of the next sample."""
        self._posture: Floats | None = None
        self._states.fill(-np.inf)
        self._alone[PAUSE], self._alone[OTHER] = 0.0, -np.inf
        self._clear, self._faint, self._since, self._leader = 0, 0, 0, -1
        self._told = -1

    def watch(self, features: Floats) -> Scores:
        """Take the next sample (d)."""
        if self._posture is None:
            self._posture = features.copy()
        relative = features - self._posture
        _advance(
            relative,
            self._means,
            self._precisions,
            self._constants,
            self._stay,
            self._leave,
            self._single,
            self._states,
            self._alone,
            self._totals,
        )
        totals = self._totals
        if totals[PAUSE] > np.log(SURE):
            self._posture += relative / PAUSE_MEAN_OF
        best = int(totals.argmax())
        lead = float(totals[best] - np.delete(totals, best).max())
        known = best - NOBODY if best >= NOBODY else -1
        return Scores(np.exp(totals), known, lead, self._decide(known, lead))

    def _decide(self, known: int, lead: float) -> int:
        """Return the motion that is decided by this sample; -1: none. Each is told once."""
        if known < 0:
            self._since = self._clear = self._faint = 0
            self._leader = self._told = -1
            return -1
        self._since += 1
        if known != self._leader:
            self._leader, self._clear, self._faint = known, 0, 0
        self._clear = self._clear + 1 if lead >= CLEAR else 0
        self._faint = self._faint + 1 if lead >= FAINT else 0
        leads = self._clear >= CLEAR_FOR or self._faint >= FAINT_FOR
        if known == self._told or not leads or self._since < LEAST_SAMPLES:
            return -1
        self._told = known
        return known


@compiled
def _advance(
    sample: Floats,
    means: Floats,
    precisions: Floats,
    constants: Floats,
    stay: Floats,
    leave: Floats,
    single: Floats,
    states: Floats,
    alone: Floats,
    totals: Floats,
) -> None:
    """Move the filter on by one sample, and write the normalised totals of all models."""
    models, count, size = means.shape
    begin = np.log(BEGINS / models)
    pause = alone[PAUSE]
    ended = -np.inf
    for m in range(models):
        last = states[m, count - 1] + leave[m, count - 1]
        ended = max(ended, last) + np.log1p(np.exp(-abs(ended - last))) if last > -np.inf else ended
        for q in range(count - 1, -1, -1):
            came = states[m, q - 1] + leave[m, q - 1] if q > 0 else pause + begin
            here = states[m, q] + stay[m, q]
            high, low = max(here, came), min(here, came)
            value = high + np.log1p(np.exp(low - high)) if high > -np.inf else high
            off = 0.0
            for d in range(size):
                step = sample[d] - means[m, q, d]
                off += step * step * precisions[m, q, d]
            states[m, q] = value + constants[m, q] - 0.5 * off
    remains = np.log(1.0 - 2.0 * BEGINS)
    into_other, back = np.log(BEGINS), np.log(BEGINS)
    before = alone.copy()
    for row in range(NOBODY):
        off = 0.0
        for d in range(size):
            step = sample[d] - single[row, 0, d]
            off += step * step * single[row, 1, d] + single[row, 2, d]
        options = np.empty(3)
        options[0] = before[row] + remains
        options[1] = before[1 - row] + (back if row == PAUSE else into_other)
        options[2] = ended if row == PAUSE else -np.inf
        alone[row] = log_sum(options) - 0.5 * off
    for row in range(NOBODY):
        totals[row] = alone[row]
    for m in range(models):
        totals[NOBODY + m] = log_sum(states[m])
    whole = log_sum(totals)
    for row in range(NOBODY):
        alone[row] -= whole
    for m in range(models):
        for q in range(count):
            states[m, q] -= whole
    for i in range(NOBODY + models):
        totals[i] -= whole
