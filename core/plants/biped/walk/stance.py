"""The stance of the feet, and when steps must restore it."""

from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Gait
from core.plants.biped.walk.balance import support_of

STANCE_SHARE = 0.3  # of the width, by which a stance may differ where steps end
NARROW_SHARE = 0.33  # of the width, by which a calm robot may stand narrower
PATIENCE_S = 20.0  # after a step: a push may repeat, and creeping takes minutes
QUIET_S = 2.0  # after the last step or push, until a narrow stance is corrected
PERIOD_S = 0.1  # of the check


class Stance:
    """Asks for steps in place once the feet have left their stance.

    Feet that carry a robot push each other apart, and while the robot dances or is jolted they
    creep: a fraction of a millimetre a second, until the robot falls after minutes. A push that
    takes the weight from a foot can drag it inward by centimetres, and a robot that stands narrow
    falls at the next one. Steps in place end with the feet side by side, at the gait's own width.

    Args:
        gait: has the width of the stance and the creep that is corrected.
        quiet_s: after the last step or push, until a narrow stance is corrected [s].

    Attributes:
        asks: steps are requested until the robot steps.
    """

    def __init__(self, gait: Gait, quiet_s: float = QUIET_S) -> None:
        self._gait = gait
        self._needed_s = quiet_s
        self._half = 0.5 * gait.step_width
        self._since_s: float | None = None
        self._quiet_s = 0.0
        self._check_s = 0.0
        self.asks = False

    def watch(self, now_s: float, model: RobotModel, calm: bool, pushed: bool) -> bool:
        """Check the feet of a standing robot; return whether it shall begin to step.

        Args:
            now_s: the tick's time [s].
            model: at the present state.
            calm: no limb moves and no show plays, so that steps disturb nothing.
            pushed: somebody pushes the robot.
        """
        if self._since_s is None:
            self._since_s = self._quiet_s = now_s
        if pushed:
            self._quiet_s = now_s
        if self.asks or now_s < self._check_s:
            return False
        self._check_s = now_s + PERIOD_S
        along, wider = creep_of(model, self._half)
        narrowest = min(self._gait.creep, NARROW_SHARE * self._half) if calm else self._gait.creep
        narrow = -wider > narrowest and now_s >= self._quiet_s + self._needed_s
        apart = max(along, abs(wider)) > self.largest(calm)
        self.asks = narrow or (apart and now_s >= self._since_s + PATIENCE_S)
        return self.asks

    def largest(self, calm: bool) -> float:
        """Return the largest creep that is left as it is [m]."""
        return self._gait.creep if calm else self._gait.largest_creep

    def rest(self) -> None:
        """Ask for nothing: the robot steps, or may not."""
        self.asks = False
        self._since_s = None


def creep_of(model: RobotModel, half_width: float) -> tuple[float, float]:
    """Return the offset of a foot along the feet, unsigned, and how much wider it stands [m]."""
    support = support_of(model)
    (x, y), (fx, fy) = support.half_span, support.forward
    return abs(x * fx + y * fy), abs(fx * y - fy * x) - half_width
