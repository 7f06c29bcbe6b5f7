"""Models of motions: learned cuts, likelihoods, distances, and what cannot be learned."""

import itertools
import math

import numpy as np
import pytest

from core.mimesis.hidden_markov import (
    HiddenMarkov,
    TrainingError,
    draw,
    learn,
    log_likelihood,
    segment,
)
from core.mimesis.space import divergences, likeness, place_of, places, stress
from devices.interface import Floats

RANDOM = np.random.default_rng(5)


def takes_of(corners: Floats, count: int) -> list[Floats]:
    """Return noisy takes that stay at each corner for six to ten samples."""
    result = []
    for _ in range(count):
        rows = [np.tile(corner, (int(RANDOM.integers(6, 11)), 1)) for corner in corners]
        take = np.concatenate(rows)
        result.append(take + 0.05 * RANDOM.standard_normal(take.shape))
    return result


def test_states_settle_on_the_parts_of_a_motion() -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 1.0]])
    takes = takes_of(corners, 4)
    model = learn(takes, states=4)
    assert np.abs(model.means - corners).max() < 0.1
    assert 6.0 < model.dwell.min() and model.dwell.max() < 10.0
    cuts = segment(model, takes[0])
    for state, (first, last) in enumerate(itertools.pairwise(cuts.tolist())):
        assert np.abs(takes[0][first:last].mean(axis=0) - corners[state]).max() < 0.1
    other = learn(takes_of(corners[::-1], 4), states=4)
    assert log_likelihood(model, takes[0]) > log_likelihood(other, takes[0]) + 50.0


def test_a_likelihood_is_the_sum_over_all_ways_through_the_states() -> None:
    model = HiddenMarkov(np.array([[0.0], [1.0]]), np.ones((2, 1)), np.array([2.0, 4.0]))
    take = np.array([[0.1], [0.5], [0.9], [1.2]])
    whole = 0.0
    for leaves in (1, 2, 3):
        ways = [0] * leaves + [1] * (4 - leaves)
        fit = math.prod(
            math.exp(-0.5 * (float(take[k, 0]) - q) ** 2) / math.sqrt(2.0 * math.pi)
            for k, q in enumerate(ways)
        )
        whole += fit * 0.5 ** (leaves - 1) * 0.5 * 0.75 ** (3 - leaves)
    assert log_likelihood(model, take) == pytest.approx(math.log(whole), abs=1e-12)


def test_takes_that_are_too_short_are_refused() -> None:
    with pytest.raises(TrainingError) as error:
        learn([np.zeros((30, 2)), np.zeros((5, 2))])
    assert (error.value.samples, error.value.needed) == (5, 12)
    with pytest.raises(TrainingError):
        learn([])


def test_motions_that_look_alike_are_near_in_the_space() -> None:
    corners = RANDOM.standard_normal((4, 3))
    kinds = [corners, corners + 0.05, corners[::-1], -corners, corners * 2.0]
    models = [learn(takes_of(kind, 3), states=4) for kind in kinds]
    near = likeness(models)
    assert np.allclose(near, near.T)
    assert near[0, 1] == near[0, 1:].min()
    exact = divergences(models, 1)
    assert exact[0, 1] == exact[0, 1:].min()
    points = places(near)
    assert stress(near, points) < stress(near, places(near, 1))
    assert np.allclose(place_of(np.array([0.0, 1.0, 0.0, 0.0, 0.0]), points), points[1])
    assert len(draw(models[0], RANDOM)) >= 4
