"""Pulls at the links of a simulated robot by hands: springs of bounded force."""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from devices.errors import DeviceError
from devices.interface import Floats

STIFFNESS = 400.0  # of a hand [N/m]
DAMPING = 25.0  # of a hand, against the point that it holds [N·s/m]
MOST_N = 20.0  # a person guides a robot's limb no harder


@dataclass(slots=True)
class Pull:
    """A hand that holds a point of a link.

    Attributes:
        body: number of the link.
        point: the point in the link's frame (3) [m].
        target: position to which the hand pulls the point (3) [m].
        steps: remaining steps of the physics.
    """

    body: int
    point: Floats
    target: Floats
    steps: int


class Pulls:
    """Owns the hands that pull, one for each name.

    Args:
        model: MuJoCo's model of robot and room.
        data: its state.
        wrenches: forces and torques on each body, to which the pulls are added (bodies, 6).
        step_s: step of the physics [s].

    Attributes:
        force: sum of all pulls in the last step (3) [N].
    """

    def __init__(self, model: Any, data: Any, wrenches: Floats, step_s: float) -> None:
        self._model, self._data, self._wrenches = model, data, wrenches
        self._step_s = step_s
        self._hands: dict[str, Pull] = {}
        self._velocity: Floats = np.zeros(6)
        self.force: Floats = np.zeros(3)

    @property
    def active(self) -> bool:
        """Some hand pulls."""
        return bool(self._hands)

    def begin(self, link: str, point: Floats, target: Floats, duration_s: float, hand: str) -> None:
        """Pull a point of a link toward a position for a time from now on.

        Raises:
            DeviceError: there is no such link, or a number is not finite.
        """
        body = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_BODY, link)
        if body <= 0:
            raise DeviceError("simulator", f"cannot pull at {link!r}: the robot has no such link")
        point, target = np.array(point, dtype=np.float64), np.array(target, dtype=np.float64)
        sizes = point.shape == (3,) and target.shape == (3,)
        if not sizes or not np.isfinite((*point, *target, duration_s)).all() or duration_s > 1e6:
            raise DeviceError("simulator", "a pull needs two finite positions and a finite time")
        self._hands[hand] = Pull(body, point, target, max(0, round(duration_s / self._step_s)))

    def end(self) -> None:
        """Let every hand go."""
        self._hands.clear()

    def add_forces(self) -> None:
        """Add the pulls of one step to the wrenches; `force` is their sum [N]."""
        data = self._data
        self.force.fill(0.0)
        for name, pull in list(self._hands.items()):
            if pull.steps <= 0:
                del self._hands[name]
                continue
            pull.steps -= 1
            arm = data.xmat[pull.body].reshape(3, 3) @ pull.point
            place = data.xpos[pull.body] + arm
            kind = mujoco.mjtObj.mjOBJ_BODY
            mujoco.mj_objectVelocity(self._model, data, kind, pull.body, self._velocity, 0)
            spin, speed = self._velocity[:3], self._velocity[3:]
            moving = speed + np.cross(spin, place - data.xpos[pull.body])
            force = STIFFNESS * (pull.target - place) - DAMPING * moving
            size = float(np.linalg.norm(force))
            if size > MOST_N:
                force *= MOST_N / size
            self._wrenches[pull.body, :3] += force
            self._wrenches[pull.body, 3:] += np.cross(place - data.xipos[pull.body], force)
            self.force += force
