"""The experiments of the paper of DRACO 3, and beyond it.

Bang, Gonzalez, Ahn, Paine and Sentis, "Control and Evaluation of a Humanoid Robot with Rolling
Contact Knees".
"""

from core.lab.experiments.draco import beyond, faults, proximal, push, rolling, swing

EXPERIMENTS = (
    rolling.EXPERIMENT,
    push.EXPERIMENT,
    *swing.EXPERIMENTS,
    faults.EXPERIMENT,
    proximal.EXPERIMENT,
    beyond.EXPERIMENT,
)
