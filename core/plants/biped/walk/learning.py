"""All that a gait learns of its robot and of the ground, step by step."""

import math

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.adaptation import GroundSlope, Punctuality, Unrest
from core.plants.biped.walk.lean import make_lean
from core.plants.biped.walk.trim import HeightTrim, SpeedTrim, StaggerTrim, WidthTrim
from core.records import Record
from core.robot.profile import Profile
from devices.interface import Floats


class GaitLearning:
    """Owns the slow corrections of a gait.

    Args:
        profile: of the robot.
        model: has the joints of the legs.
        memory: `walk_memory`, whose corrections and slope it writes.

    Attributes:
        speed: correction of the speed.
        height: correction of the height of standing.
        punctuality: duration of steps.
        unrest: usual size of the force that a step seems to feel.
        lean: of the torso.
    """

    def __init__(self, profile: Profile, model: RobotModel, memory: Record) -> None:
        biped, arrays = profile.as_biped, memory[0]
        settings = biped.adaptation
        self._profile, self._model, self._settings = profile, model, settings
        self._step_width = biped.gait.step_width
        self._offset: Floats = arrays["offset"]
        self._slope_out: Floats = arrays["slope"]
        forward, turn = biped.gait.trim_forward, 0.5 * biped.gait.max_yaw_rate
        self.speed = SpeedTrim(forward, settings.largest_trim, turn, arrays["correction"])
        self._width = WidthTrim(settings.largest_widening, arrays["widening"])
        self._stagger = StaggerTrim(settings.largest_stagger, arrays["stagger"])
        self.forget()

    def forget(self) -> None:
        """Forget load and ground, which people may have changed; the robot is the same."""
        self.lean = make_lean(self._profile, self._model)
        self.height = HeightTrim(self._settings.height_rate, self._profile.tick_s)
        self.punctuality = Punctuality(self._settings)
        self.unrest = Unrest()
        self._slope = GroundSlope(self._settings, self._slope_out)
        self._offset[:] = 0.0

    def reset(self) -> None:
        """Discard the present steps, and keep what was learned."""
        self.speed.reset()
        self._stagger.reset()
        self.lean.reset()

    def watch(self, velocity: Floats, tau: Floats) -> None:
        """Learn from a tick of stepping.

        Args:
            velocity: commanded forward, to the left, and yaw rate (3) [m/s, m/s, rad/s].
            tau: joint torques (n) [N·m].
        """
        self.speed.watch(*velocity.tolist())
        self.lean.watch(tau)

    def touch_down(
        self,
        now_s: float,
        landed: int,
        yaw: float,
        share: float,
        turning: float,
        recovers: bool,
        moving: bool,
    ) -> None:
        """Learn from a step that ends.

        Args:
            now_s: the tick's time [s].
            landed: index of the foot.
            yaw: of the heading [rad].
            share: of its nominal duration that the step took.
            turning: commanded yaw rate [rad/s].
            recovers: it was a step of a robot that catches itself, whose place tells nothing.
            moving: it was a step of a walk; the last ones of a walk may be narrow.
        """
        soles = self._model.soles
        x, y, z = (soles[landed] - soles[1 - landed]).tolist()
        self.punctuality.learn(share)
        self._slope.learn(x, y, z)
        self.speed.touch_down(now_s, self._model.com, yaw)
        self.lean.touch_down()
        if recovers:
            self._stagger.reset()
            return
        cos, sin = math.cos(yaw), math.sin(yaw)
        if moving:
            self._width.touch_down(self._step_width, abs(cos * y - sin * x))
        self._stagger.touch_down(landed, cos * x + sin * y, turning)
