"""Recognition while a motion happens, and the answers of a dialogue."""

import numpy as np

from core.mimesis.dialogue import Dialogue
from core.mimesis.features import SIZE, demonstration
from core.mimesis.hidden_markov import learn
from core.mimesis.recogniser import NOBODY, PAUSE, Recogniser
from devices.interface import Floats

RANDOM = np.random.default_rng(3)


def performed(way: Floats, pace: float = 1.0, posture: float = 0.0) -> Floats:
    """Return a performer who stands, goes along a way through the features and back, and stands."""
    count = round(45 * pace)
    there = np.sin(np.linspace(0.0, np.pi, count))[:, None] * way
    turned = np.linspace(0.0, 1.0, count)[:, None] * np.roll(way, 3) * there
    still = np.zeros((30, SIZE))
    rows = np.concatenate((still, there + turned, still)) + posture
    return rows + 0.02 * RANDOM.standard_normal(rows.shape)


WAYS = [np.eye(SIZE)[i] + np.eye(SIZE)[i + 6] for i in range(4)]
MODELS = [learn([demonstration(performed(way, p)) for p in (0.8, 1.0, 1.1, 1.2)]) for way in WAYS]


def decided(recogniser: Recogniser, features: Floats) -> list[tuple[int, int]]:
    """Return each decision with its sample."""
    found = ((k, recogniser.watch(sample).decided) for k, sample in enumerate(features))
    return [(k, one) for k, one in found if one >= 0]


def test_each_motion_is_decided_once_while_it_happens_in_any_posture() -> None:
    recogniser = Recogniser(MODELS)
    for index, way in enumerate(WAYS):
        for pace, posture in ((0.9, 0.0), (1.3, 0.2)):
            recogniser.restart()
            ((sample, found),) = decided(recogniser, performed(way, pace, posture))
            assert found == index
            assert 30 < sample < 30 + 0.7 * 45 * pace


def test_two_motions_in_a_row_are_two_decisions() -> None:
    recogniser = Recogniser(MODELS)
    rows = np.concatenate((performed(WAYS[2]), performed(WAYS[0])))
    assert [found for _, found in decided(recogniser, rows)] == [2, 0]


def test_a_pause_and_an_unknown_motion_decide_nothing() -> None:
    recogniser = Recogniser(MODELS)
    assert decided(recogniser, performed(np.zeros(SIZE))) == []
    scores = recogniser.watch(performed(np.zeros(SIZE))[0])
    assert scores.shares.argmax() == PAUSE
    assert scores.shares.shape == (NOBODY + 4,)
    recogniser.restart()
    unknown = performed(-0.8 * (np.eye(SIZE)[5] + np.eye(SIZE)[14] + np.eye(SIZE)[16]))
    assert decided(recogniser, unknown) == []


def test_a_dialogue_answers_by_what_went_before() -> None:
    first, second = [(0, 0), (2, 1), (3, 2)], [(1, 3), (2, 4), (3, 5)]
    dialogue = Dialogue([[first] * 4, [second] * 4], actions=4, answers=6)
    for beats in (first, second):
        dialogue.restart()
        for action, answer in beats:
            shares = np.full(4, 0.02)
            shares[action] = 0.94
            assert int(dialogue.hear(shares).argmax()) == answer
            dialogue.say(answer)
    # After the last beat another interaction begins.
    assert int(dialogue.hear(np.array([1.0, 0.0, 0.0, 0.0])).argmax()) == 0
    # A beat that was left out is skipped.
    dialogue.restart()
    dialogue.hear(np.array([0.0, 1.0, 0.0, 0.0]))
    dialogue.say(3)
    assert int(dialogue.hear(np.array([0.0, 0.0, 0.0, 1.0])).argmax()) == 5
