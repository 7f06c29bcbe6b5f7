"""The order of a gait that a request becomes; the robot and preflight give the planner the same."""

import numpy as np
from msgspec.structs import replace

from core.plants.biped.walk.kernels import follow_command
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.interface import Stepping
from core.plants.runner.settings import Runner
from devices.interface import Floats
from shows.gaits import Jump


class GaitChoice:
    """Owns the newest order, and the velocity that follows the commanded one.

    Args:
        runner: settings of the robot.
        tick_s: time from one choice to the next [s].

    Attributes:
        order: the newest order; an equal one stays the same object.
        jump: the jumps of the newest request; None without.
    """

    def __init__(self, runner: Runner, tick_s: float) -> None:
        pace, self._strides = runner.pace, runner.strides
        largest = [pace.max_speed_forward, pace.max_speed_sideways, pace.max_yaw_rate]
        rates = np.array([pace.acceleration, pace.acceleration, pace.yaw_acceleration])
        self._limits: Floats = np.array([largest, rates * tick_s])
        self._velocity: Floats = np.zeros(3)
        self.order = GaitOrder()
        self.jump: Jump | None = None

    @property
    def yaw_rate(self) -> float:
        """The rate at which walking and running turn [rad/s]."""
        return float(self._velocity[2])

    def reset(self) -> None:
        """Begin at zero velocity."""
        self._velocity[:] = 0.0

    def choose(
        self,
        velocity: Floats,
        steps: bool,
        stepping: Stepping,
        jump: Jump | None,
        may_step: bool = True,
        settles: bool = False,
        turn: float = 0.0,
        foot: int = -1,
    ) -> GaitOrder:
        """Return the order of a request; a new jump comes before a velocity.

        Args:
            velocity: forward [m/s], to the left [m/s] and yaw rate [rad/s] (3).
            steps: the robot steps also at zero velocity.
            stepping: how it steps.
            jump: jumps; None ends the present ones.
            may_step: the robot may leave its place.
            settles: the robot lowers itself, to go limp.
            turn: of each step, beside that by the yaw rate [rad].
            foot: index of the foot that is lifted first; -1: as the velocity asks.
        """
        moves = follow_command(velocity, self._limits, self._velocity)
        if jump is not self.jump:
            self.jump = jump
            if jump is not None and may_step:
                way = (jump.dx, jump.dy, jump.turn)
                self.order = GaitOrder(Gait.JUMP, way, jump.count, jump.period_s, jump.flight_s)
        if jump is not None and may_step and self.order.gait is Gait.JUMP:
            return self.order
        heights, height = self._strides.heights, stepping.height
        if height:  # a higher CoM leaves the legs straight, and a lower one bends them too far
            height = min(max(height, heights.crouch), heights.stand)
        order = GaitOrder(height=heights.crouch if settles else height)
        if may_step and (moves or steps):
            order = self._stride(stepping, height, turn)
            order = replace(order, foot=foot) if foot >= 0 else order
        if order != self.order:
            self.order = order
        return self.order

    def _stride(self, stepping: Stepping, height: float, more: float) -> GaitOrder:
        """Return the order to walk or run at the present velocity and a height [m]."""
        times, gait = self._strides.times, Gait.WALK
        step_s = stepping.step_s or times.walk_double_s + times.walk_single_s
        if stepping.gait == "run":
            gait = Gait.RUN
            flight_s = stepping.flight_s or times.run_flight_s
            step_s = stepping.step_s or times.run_stance_s + flight_s
        forward, left, turn = (self._velocity * step_s).tolist()
        way = (forward, left, turn + more)
        return GaitOrder(gait, way, 0, stepping.step_s, stepping.flight_s, height)
