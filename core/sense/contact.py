"""Which foot stands: the contact switches, debounced and held against chatter."""

import numpy as np

from core.robot.profile import Estimator
from devices.interface import Sample

SETTLED_S = 0.012  # a foot counts as planted for the filter only after this time


class ContactEstimator:
    """Owns the contact state of both feet.

    Attributes:
        loaded: a switch of the foot is closed (2).
        planted: heel and toe have both stood long enough not to slip or roll (2).
    """

    def __init__(self, settings: Estimator) -> None:
        self._settings = settings
        self.loaded = np.zeros(2, dtype=np.bool_)
        self.planted = np.zeros(2, dtype=np.bool_)
        self._since_s = [0.0, 0.0]

    def update(self, sample: Sample) -> None:
        """Read the switches of one sample."""
        heel_l, toe_l, heel_r, toe_r = sample.contacts.tolist()
        for side, heel, toe in ((0, heel_l, toe_l), (1, heel_r, toe_r)):
            loaded = heel or toe
            if loaded and not self.loaded[side]:
                self._since_s[side] = sample.stamp_s
            self.loaded[side] = loaded
            self.planted[side] = loaded and sample.stamp_s - self._since_s[side] >= SETTLED_S
