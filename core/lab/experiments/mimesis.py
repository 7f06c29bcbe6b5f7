"""Recognition of motions while they happen, the space of symbols, and dialogues.

No performer is at hand: people whose arms are the robot's do the library's gestures, each time with
another pace, size and posture.
"""

import math
from dataclasses import replace

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.person import in_a_manner, person_of
from core.mimesis.dialogue import Beat, Dialogue
from core.mimesis.features import RATE_HZ, VISIBLE, demonstration, features_of
from core.mimesis.hidden_markov import learn
from core.mimesis.recogniser import Recogniser
from core.mimesis.space import DIMENSIONS, divergences, likeness, places, stress
from core.retarget.limbs import RetargetLimbs, find_limbs
from core.retarget.settings import RetargetSettings
from devices.interface import Floats
from shows.folders import gesture_folders
from shows.gestures import load_gestures
from shows.motion import Motion

ENROLLED, TRIED = 4, 6  # takes of each motion
MANNER, UNSEEN = (0.20, 0.12, 4.0), (0.40, 0.25, 8.0)  # pace, size, posture [deg]
PAUSE_S = 1.0
TREMBLING = 0.02  # growth of a joint's wandering in a second [rad]
RATES = (0.93, 0.70)  # of a recogniser, for the dialogues
INTERACTIONS, ACTIONS, ANSWERS, BEATS, SHOWN, HELD = 8, 10, 21, 4, 5, 200


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    random = np.random.default_rng(seed)
    limbs = find_limbs(lab.profile, RetargetSettings())
    motions = _motions(limbs)
    models = []
    for motion in motions:
        shown = [_performance(motion, limbs, random, MANNER) for _ in range(ENROLLED)]
        models.append(learn([demonstration(features) for features in shown]))
    recogniser = Recogniser(models)
    figures: Figures = {}
    for name, manner in (("enrolled", MANNER), ("unseen", UNSEEN)):
        right, late = [], []
        for index, motion in enumerate(motions):
            for _ in range(TRIED):
                found, late_s = _first_decision(
                    recogniser, _performance(motion, limbs, random, manner)
                )
                right.append(found == index)
                late.append(late_s)
        figures[f"{name}_rate"] = float(np.mean(right))
        figures[f"{name}_decision_s"] = float(np.median(late))
        figures[f"{name}_decision_p90_s"] = float(np.percentile(late, 90))
    near = likeness(models)
    exact = divergences(models, seed)
    for dimensions in (1, 3, DIMENSIONS):
        figures[f"stress_{dimensions}"] = stress(near, places(near, dimensions))
    figures["rank_correlation"] = _rank_correlation(near, exact)
    for rate in RATES:
        share, later = _answers(random, rate)
        figures[f"answers_{rate}"], figures[f"table_{rate}"] = share, later
    return Measured(figures)


def _motions(limbs: RetargetLimbs) -> list[Motion]:
    """Return the library's gestures that the robot's arms and head have."""
    own = {name for arm in limbs.arms for name in arm.chain.joints}
    found = load_gestures(limbs.joints, gesture_folders(limbs.robot)).motions.values()
    return [motion for motion in found if own & set(motion.joint_names)]


def _performance(
    motion: Motion,
    limbs: RetargetLimbs,
    random: np.random.Generator,
    manner: tuple[float, float, float],
) -> Floats:
    """Return the features of a person who stands, moves and stands, and trembles a little."""
    performed = in_a_manner(motion, limbs, random, *manner)
    still = round(PAUSE_S * performed.rate_hz)
    path = np.pad(performed.positions, ((still, still), (0, 0)), mode="edge")
    deviation = TREMBLING / math.sqrt(performed.rate_hz)
    path += np.cumsum(random.normal(0.0, deviation, path.shape), axis=0)
    return features_of(person_of(replace(performed, positions=path), limbs))


def _first_decision(recogniser: Recogniser, features: Floats) -> tuple[int, float]:
    """Return what is decided first, and how long after it moves visibly; -1 and infinity."""
    recogniser.restart()
    pause = features[: round(PAUSE_S * RATE_HZ)].mean(axis=0)
    begins = int((np.abs(features - pause).max(axis=1) > VISIBLE).argmax())
    for count, sample in enumerate(features, start=1):
        decided = recogniser.watch(sample).decided
        if decided >= 0:
            return decided, (count - begins) / RATE_HZ
    return -1, math.inf


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Return Spearman's correlation of the distances of all pairs."""
    above = np.triu_indices(len(one), 1)
    ranks = [np.argsort(np.argsort(distances[above])) for distances in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _answers(random: np.random.Generator, rate: float) -> tuple[float, float]:
    """Return the share of right answers after the first beat: of the dialogue, of a table.

    Most answers depend on what happened before: several interactions share their actions.

    Args:
        random: draws interactions and performances.
        rate: at which an action is recognised.
    """
    script: list[list[Beat]] = [
        [(int(random.integers(4)), int(random.integers(ANSWERS))) for _ in range(BEATS)]
        for _ in range(INTERACTIONS)
    ]
    for index, beats in enumerate(script):  # the first beat tells the interactions apart
        beats[0] = (index, beats[0][1])
    dialogue = Dialogue([[beats] * SHOWN for beats in script], ACTIONS, ANSWERS)
    table = np.zeros((ACTIONS, ANSWERS))
    for beats in script:
        for action, answer in beats:
            table[action, answer] += 1.0
    right, by_table = [], []
    for _ in range(HELD):
        beats = script[int(random.integers(INTERACTIONS))]
        dialogue.restart()
        for beat, (action, answer) in enumerate(beats):
            seen = action if random.random() < rate else int(random.integers(ACTIONS))
            shares = np.full(ACTIONS, (1.0 - rate) / ACTIONS)
            shares[seen] += rate
            said = int(dialogue.hear(shares).argmax())
            if beat > 0:
                right.append(said == answer)
                by_table.append(int(table[seen].argmax()) == answer)
            dialogue.say(said)
    return float(np.mean(right)), float(np.mean(by_table))


EXPERIMENT = Experiment(
    "mimesis",
    "motions recognised while they happen, their space, and the answers to them",
    run,
    (
        Bar("enrolled_rate", "right, 4 takes of each enrolled", at_least=0.97),
        Bar("enrolled_decision_s", "decided after it moves visibly, median", "s", at_most=0.6),
        Bar("enrolled_decision_p90_s", "90 % decided within", "s"),
        Bar("unseen_rate", "right, in a manner that was not enrolled", at_least=0.80),
        Bar("unseen_decision_s", "decided after it moves visibly, median", "s", at_most=0.6),
        Bar("unseen_decision_p90_s", "90 % decided within", "s"),
        Bar("stress_1", "stress of the space in 1 dimension"),
        Bar("stress_3", "stress of the space as drawn"),
        Bar(f"stress_{DIMENSIONS}", f"stress of the space in {DIMENSIONS} dimensions"),
        Bar("rank_correlation", "its distances beside the divergence, by rank", at_least=0.8),
        *(
            bar
            for rate in RATES
            for bar in (
                Bar(
                    f"answers_{rate}",
                    f"right answer after the first beat, recognised at {rate}",
                    at_least=0.90 if rate == RATES[0] else None,
                ),
                Bar(f"table_{rate}", "the same from a table of pairs"),
            )
        ),
    ),
    beside=False,
    simulates=False,
)
