"""The loads at the grips, estimated from the torques of the arms."""

import math
from collections.abc import Mapping

import numpy as np

from core.compiled import compiled
from core.link.catalogue.safety import HAND_EMPTY, HAND_LOADED
from core.link.statement import Statement
from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Loads
from core.records import Indices
from core.robot.profile import Profile
from devices.interface import Floats

PERIOD_S = 0.01  # of the estimate


@compiled
def write_excess(
    tau: Floats, upper: Indices, torque: Floats, per_kg: Floats, kg: Floats, excess: Floats
) -> None:
    """Write measured torques minus those that the joints need without a load (g, m) [N·m].

    Args:
        tau: measured joint torques (n) [N·m].
        upper: indices of the joints above the legs (m).
        torque: needed by these joints, with the loads (m) [N·m].
        per_kg: needed for a kilogram at each grip (g, m) [N·m/kg].
        kg: mass at each grip (g) [kg].
        excess: output; each row leaves out the mass of its own grip only.
    """
    for i in range(torque.size):
        difference = tau[upper[i]] - torque[i]
        for grip in range(kg.size):
            excess[grip, i] = difference + per_kg[grip, i] * kg[grip]


@compiled
def write_surprise(
    per_kg: Floats, excess: Floats, friction: Floats, kg: float, surprise: Floats
) -> None:
    """Write the part of the excess torques that neither mass nor friction explains (m) [N·m]."""
    for i in range(excess.size):
        rest = excess[i] - per_kg[i] * kg
        surprise[i] = rest - min(max(rest, -friction[i]), friction[i])


class HandLoad:
    """The mass at one grip.

    A mass asks of every joint of the arm its weight times the lever at that joint. The estimate
    follows by least mean squares: it learns the faster the more torque the arm feels, and a
    hanging arm does not forget the load of a raised one. Differences within the dry friction of
    a joint are ignored, and so are small masses.

    Attributes:
        found: the mass that explains the torques [kg].
        kg: the mass that the model carries, which follows slowly [kg].
        carries: the mass is large enough to count.
    """

    def __init__(self, settings: Loads) -> None:
        self._settings = settings
        self.found = 0.0
        self.kg = 0.0
        self.carries = False

    def learn(self, per_kg: Floats, excess: Floats, friction: Floats, dt: float) -> None:
        """Learn from the torques of one tick.

        Args:
            per_kg: torque of each joint for a kilogram (m) [N·m/kg].
            excess: measured torque minus the torque without a mass (m) [N·m].
            friction: dry friction of each joint (m) [N·m].
            dt: time since the last call [s].
        """
        surprise = np.empty_like(excess)
        write_surprise(per_kg, excess, friction, self.found, surprise)
        settings = self._settings
        found = self.found + settings.learning_rate * dt * float(per_kg @ surprise)
        if math.isfinite(found):
            self.found = min(settings.largest_kg, max(0.0, found))
        least_kg = settings.forgotten_kg if self.carries else settings.noticed_kg
        self.carries = self.found > least_kg
        step = settings.kg_per_s * dt
        target = self.found if self.carries else 0.0
        self.kg += min(step, max(-step, target - self.kg))


class HandLoads:
    """Owns the estimated load of every grip and adds it to the model.

    Args:
        profile: of the robot.
        model: gets the masses.

    Attributes:
        hands: the load of each grip, in the profile's order.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        self._model = model
        self._settings = profile.as_biped.loads
        self._limbs = tuple(grip.limb for grip in profile.grips)
        self._friction = profile.actuator_column("friction_coulomb")[model.upper_joints]
        self._every = max(1, round(PERIOD_S / profile.tick_s))
        self._dt = self._every * profile.tick_s
        self._tick = 0
        self._told: Mapping[str, float] | None = None
        self._excess: Floats = np.zeros((len(self._limbs), model.upper_joints.size))
        self.hands = tuple(HandLoad(self._settings) for _ in self._limbs)

    def forget(self) -> None:
        """Forget the loads: people may have changed them."""
        self.hands = tuple(HandLoad(self._settings) for _ in self._limbs)
        self._model.carry((0.0,) * len(self.hands))

    def tell(self, loads_kg: Mapping[str, float] | None) -> None:
        """Set the loads of limbs, because a person holds them; None estimates them again [kg]."""
        self._told = None if loads_kg is None else dict(loads_kg)
        if loads_kg is None:
            self.forget()
        else:
            self._model.carry(tuple(loads_kg.get(limb, 0.0) for limb in self._limbs))

    @property
    def loads_kg(self) -> dict[str, float]:
        """The masses at the grips of limbs that the model carries [kg]."""
        if self._told is not None:
            return dict(self._told)
        loads = zip(self._limbs, self.hands, strict=True)
        return {limb: hand.kg for limb, hand in loads if hand.kg > 0.0}

    def watch(self, tau: Floats, ddq: Floats) -> tuple[Statement, ...]:
        """Compare a tick's measured torques with those that the motion needs at that state.

        The reference's accelerations are used: those of the feedback would hide the load.

        Args:
            tau: measured joint torques (n) [N·m].
            ddq: desired accelerations of the joints above the legs first [rad/s²].

        Returns:
            A statement for each limb that has begun or ended to carry a load.
        """
        self._tick += 1
        if self._tick % self._every or not self.hands or self._told is not None:
            return ()
        statements: list[Statement] = []
        upper = self._model.upper_joints
        torque, asked = self._model.upper_torque(ddq[: upper.size])
        before = tuple(hand.kg for hand in self.hands)
        write_excess(tau, upper, torque, asked, np.array(before), self._excess)
        for limb, hand, per_kg, excess in zip(
            self._limbs, self.hands, asked, self._excess, strict=True
        ):
            carried = hand.carries
            hand.learn(per_kg, excess, self._friction, self._dt)
            if hand.carries != carried:
                sentence = HAND_LOADED if hand.carries else HAND_EMPTY
                statements.append(sentence(limb=limb))
        loads = tuple(hand.kg for hand in self.hands)
        if loads != before:
            self._model.carry(loads)
        return tuple(statements)
