"""The posture of the body over standing feet, as a show asks for it."""

from devices.interface import Floats

FOLLOW = 8.0  # double pole of the motion toward the wanted posture [1/s]
UPRIGHT, STILL = 1e-4, 1e-3  # below which the body counts as upright [m, rad], and still
BENT = 0.02  # from which no step begins [m, rad]


class BodyPosture:
    """Follows the wanted posture without jumps in velocity.

    Attributes:
        active: the body is not upright, or shall not be.
        values: lowering of the centre of mass [m], and roll, pitch and yaw [rad].
    """

    def __init__(self, tick_s: float) -> None:
        self._tick_s = tick_s
        self.active = False
        self.values = [0.0] * 4
        self._rates = [0.0] * 4

    @property
    def bent(self) -> bool:
        """Whether the body is too far from upright for a step to begin."""
        return self.active and max(map(abs, self.values)) > BENT

    def reset(self) -> None:
        """Be upright at once, as before standing up."""
        self.active = False
        self.values[:] = self._rates[:] = [0.0] * 4

    def follow(self, wanted: Floats | None) -> None:
        """Advance by one tick toward a posture (4), or toward upright."""
        if wanted is None and not self.active:
            return
        self.active = True
        values, rates, dt = self.values, self._rates, self._tick_s
        targets = [0.0] * 4 if wanted is None else wanted.tolist()
        moves = False
        for i, target in enumerate(targets):
            rates[i] += dt * FOLLOW * (FOLLOW * (target - values[i]) - 2.0 * rates[i])
            values[i] += dt * rates[i]
            moves = moves or abs(values[i]) > UPRIGHT or abs(rates[i]) > STILL
        if wanted is None and not moves:
            self.reset()
