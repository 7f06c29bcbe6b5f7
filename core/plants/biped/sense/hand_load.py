"""What the hands carry, told by the torques of the arms."""

import math

import numpy as np

from core.compiled import compiled
from core.link.catalogue.safety import HAND_EMPTY, HAND_LOADED
from core.link.statement import Statement
from core.plants.biped.model import SIDES, RobotModel
from core.robot.profile import Profile
from devices.interface import Floats

LEARNING_RATE = 0.04  # of a mass, by the square of the torque it asks [1/s by N²·m²/kg²]
EVERY = 10  # ticks between two looks
NOTICED_KG = 0.25  # from here on a mass counts
FORGOTTEN_KG = 0.15  # below it no longer does
LARGEST_KG = 2.0
FOLLOWING = 0.5  # how fast the model's mass changes [kg/s]


@compiled
def write_excess(
    tau: Floats, torque: Floats, per_kg: Floats, left_kg: float, right_kg: float, excess: Floats
) -> None:
    """Write measured torques minus what the joints need without the hands' masses (2, k) [N·m].

    Args:
        tau: measured joint torques (k or more) [N·m].
        torque: what the joints need, with the masses (k) [N·m].
        per_kg: torques that a kilogram asks in the left and in the right hand (2, k) [N·m/kg].
        left_kg: mass in the left hand [kg].
        right_kg: in the right one [kg].
        excess: where to; each row leaves out its own hand's mass.
    """
    for i in range(torque.size):
        difference = tau[i] - torque[i]
        excess[0, i] = difference + per_kg[0, i] * left_kg
        excess[1, i] = difference + per_kg[1, i] * right_kg


@compiled
def write_surprise(
    per_kg: Floats, excess: Floats, friction: Floats, kg: float, surprise: Floats
) -> None:
    """Write what neither a mass nor dry friction explains of the excess torques (k) [N·m]."""
    for i in range(excess.size):
        left = excess[i] - per_kg[i] * kg
        surprise[i] = left - min(max(left, -friction[i]), friction[i])


class HandLoad:
    """The mass in one hand.

    It asks of every joint of the arm its weight times the lever that it has there. The estimate
    follows by least mean squares, so that it learns the faster the more the arm feels, and a
    hanging arm does not forget what a raised one has told. Dry friction may explain a difference
    as well, so that differences within it teach nothing; small masses do not count, and a robot
    that carries nothing moves as if nobody asked.

    Attributes:
        found: the mass that the torques tell [kg].
        kg: the mass to reckon with, which follows slowly [kg].
        carries: whether there is one to reckon with.
    """

    def __init__(self) -> None:
        self.found = 0.0
        self.kg = 0.0
        self.carries = False

    def learn(self, per_kg: Floats, excess: Floats, friction: Floats, dt: float) -> None:
        """Learn from one look.

        Args:
            per_kg: torque that a kilogram asks of each joint (k) [N·m/kg].
            excess: measured torque minus what the joint needs without a mass (k) [N·m].
            friction: dry friction of each joint (k) [N·m].
            dt: since the last look [s].
        """
        surprise = np.empty_like(excess)
        write_surprise(per_kg, excess, friction, self.found, surprise)
        found = self.found + LEARNING_RATE * dt * float(per_kg @ surprise)
        if math.isfinite(found):
            self.found = min(LARGEST_KG, max(0.0, found))
        self.carries = self.found > (FORGOTTEN_KG if self.carries else NOTICED_KG)
        step = FOLLOWING * dt
        wish = self.found if self.carries else 0.0
        self.kg += min(step, max(-step, wish - self.kg))


class HandLoads:
    """Owns what is known of both hands, and has the model carry it.

    Args:
        profile: of the robot.
        model: gets the masses.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        self._model = model
        self._upper = model.first_leg_joint
        self._friction = profile.actuator_column("friction_coulomb")[: self._upper]
        self._dt = EVERY * profile.tick_s
        self._tick = 0
        self._excess: Floats = np.zeros((2, self._upper))
        self.hands = (HandLoad(), HandLoad())

    def forget(self) -> None:
        """Know nothing of the hands: people may have changed what they carry."""
        self.hands = (HandLoad(), HandLoad())
        self._model.carry(0.0, 0.0)

    def watch(self, tau: Floats, ddq: Floats) -> tuple[Statement, ...]:
        """Compare a tick's measured torques with what the arms' motion needs at that state.

        The reference's accelerations are used: those that feedback asks for would hide the load.

        Args:
            tau: measured joint torques (n) [N·m].
            ddq: accelerations asked of the joints above the legs first [rad/s²].

        Returns:
            Which hand carries a load now, or no longer does.
        """
        self._tick += 1
        if self._tick % EVERY:
            return ()
        told: list[Statement] = []
        torque, asked = self._model.arm_torque(ddq[: self._upper])
        before = [hand.kg for hand in self.hands]
        write_excess(tau, torque, asked, before[0], before[1], self._excess)
        for side, hand, per_kg, excess in zip(SIDES, self.hands, asked, self._excess, strict=True):
            carried = hand.carries
            hand.learn(per_kg, excess, self._friction, self._dt)
            if hand.carries != carried:
                said = HAND_LOADED if hand.carries else HAND_EMPTY
                told.append(said(limb=f"{side}_hand"))
        left, right = (hand.kg for hand in self.hands)
        if [left, right] != before:
            self._model.carry(left, right)
        return tuple(told)
