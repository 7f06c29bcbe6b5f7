"""The upper layer: interactions as sequences of beats, each an action and its answer.

An interaction is a discrete hidden Markov model from left to right with one state a beat, learned
from demonstrations. What a performer does is known only by its shares, so every step is weighed by
them (after Takano, Journal of the Robotics Society of Japan 28(6), 735, and Lee, Ott, Nakamura,
International Journal of Robotics Research 29(13)).
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from devices.interface import Floats

Beat: TypeAlias = tuple[int, int]
"""Index of an action and of the answer to it."""
ACTION_PRIOR, ANSWER_PRIOR = 0.2, 0.02  # added to every count (Laplace)
SKIP = 0.1  # probability that a beat is left out


class Dialogue:
    """Knows interactions, and where in them a performance is.

    Args:
        interactions: demonstrations of each, a sequence of beats.
        actions: their number.
        answers: their number.
    """

    def __init__(
        self, interactions: Sequence[Sequence[Sequence[Beat]]], actions: int, answers: int
    ) -> None:
        longest = max(len(beats) for shown in interactions for beats in shown)
        count = len(interactions)
        self._actions = np.full((count, longest, actions), ACTION_PRIOR)
        self._answers = np.full((count, longest, answers), ANSWER_PRIOR)
        self._long = np.zeros((count, longest))
        for i, shown in enumerate(interactions):
            for beats in shown:
                for q, (action, answer) in enumerate(beats):
                    self._actions[i, q, action] += 1.0
                    self._answers[i, q, answer] += 1.0
                self._long[i, : len(beats)] = 1.0
        self._actions /= self._actions.sum(axis=2, keepdims=True)
        self._answers /= self._answers.sum(axis=2, keepdims=True)
        self._held = np.zeros((count, longest))
        self.restart()

    def restart(self) -> None:
        """Begin: no beat has happened yet."""
        self._held.fill(0.0)
        self._begun = False

    def hear(self, shares: Floats) -> Floats:
        """Take what the performer does, and return the probability of each answer (b).

        Args:
            shares: probability of each action (a).
        """
        moved = np.zeros_like(self._held)
        if self._begun:
            moved[:, 1:] = (1.0 - SKIP) * self._held[:, :-1]
            moved[:, 2:] += SKIP * self._held[:, :-2]
        if not self._begun or moved.sum() <= 0.0:  # every interaction is over: another one begins
            moved[:, 0] = 1.0 - SKIP
            if moved.shape[1] > 1:
                moved[:, 1] = SKIP
        moved *= self._long * (self._actions @ shares)
        whole = moved.sum()
        self._held = moved / whole if whole > 0.0 else np.full_like(moved, 1.0 / moved.size)
        self._begun = True
        result: Floats = np.einsum("iq,iqb->b", self._held, self._answers)
        return result

    def say(self, answer: int) -> None:
        """Note the answer that was given."""
        self._held *= self._answers[:, :, answer]
        whole = self._held.sum()
        if whole > 0.0:
            self._held /= whole
