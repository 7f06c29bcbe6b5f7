"""Where the feet of a robot that stands belong, and when steps must put them back there."""

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.balance import support_of

FAR = 0.05  # of a foot from where it belongs: steps put both right while nothing else goes on [m]
TOO_FAR = 0.07  # steps do so whatever goes on [m]
PATIENCE_S = 20.0  # after a step: who was pushed may be pushed again; to creep takes minutes
LOOK_S = 0.1


class Stance:
    """Asks for steps in place once the feet have crept out of their stance.

    Feet that carry a robot push each other apart, and what dances or is jolted creeps: a fraction
    of a millimetre a second, until the robot falls after minutes. Steps in place end with the feet
    side by side, at the gait's own width.

    Args:
        step_width: between the soles, in place [m].

    Attributes:
        asks: steps are asked for until the robot steps.
    """

    def __init__(self, step_width: float) -> None:
        self._half = 0.5 * step_width
        self._since_s: float | None = None
        self._look_s = 0.0
        self.asks = False

    def watch(self, now_s: float, model: RobotModel, calm: bool) -> bool:
        """Look at the feet of a robot that stands, and tell whether it shall step from now on.

        Args:
            now_s: the tick's time [s].
            model: at the present state.
            calm: no limb moves and no show plays, so that steps disturb nothing.
        """
        if self._since_s is None:
            self._since_s = now_s
        if self.asks or now_s < max(self._look_s, self._since_s + PATIENCE_S):
            return False
        self._look_s = now_s + LOOK_S
        self.asks = astray(model, self._half) > (FAR if calm else TOO_FAR)
        return self.asks

    def rest(self) -> None:
        """Ask for nothing: the robot steps, or may not."""
        self.asks = False
        self._since_s = None


def astray(model: RobotModel, half_width: float) -> float:
    """Return how far each foot is from where it belongs beside the other, along or across [m]."""
    support = support_of(model)
    (x, y), (fx, fy) = support.half_span, support.forward
    along, across = abs(x * fx + y * fy), abs(fx * y - fy * x)
    return max(along, abs(across - half_width))
