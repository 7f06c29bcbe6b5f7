"""The loads at the grips of limbs as a person enters them; a floating limb gets them gradually."""

from collections.abc import Mapping

KG_PER_S = 0.5  # a wrong load must not jerk a floating limb


class ToldLoads:
    """Leads the loads that the robot reckons with toward those that were entered.

    Attributes:
        loads_kg: that the robot reckons with, by limb [kg].
    """

    def __init__(self, tick_s: float) -> None:
        self.loads_kg: dict[str, float] = {}
        self._told: dict[str, float] = {}
        self._step_kg = KG_PER_S * tick_s

    @property
    def moves(self) -> bool:
        """They are not those that were entered yet."""
        return self.loads_kg != self._told

    def begin(self, loads_kg: Mapping[str, float]) -> None:
        """Begin with the loads with which the robot reckons, by limb [kg]."""
        self.loads_kg = {limb: kg for limb, kg in loads_kg.items() if kg > 0.0}
        self._told = dict(self.loads_kg)

    def tell(self, loads_kg: Mapping[str, float], gently: bool) -> None:
        """Enter loads of limbs; the limbs that are not named keep theirs.

        Args:
            loads_kg: by limb [kg].
            gently: the loads change gradually, because limbs float; else at once, because a limb
                that begins to float without its load would drop.
        """
        self._told = {limb: kg for limb, kg in {**self._told, **loads_kg}.items() if kg > 0.0}
        if not gently:
            self.loads_kg = dict(self._told)

    def follow(self) -> None:
        """Move the loads by a tick."""
        step, loads = self._step_kg, self.loads_kg
        for limb in {*loads, *self._told}:
            load, told = loads.get(limb, 0.0), self._told.get(limb, 0.0)
            loads[limb] = load + min(step, max(-step, told - load))
            if loads[limb] <= 0.0:
                del loads[limb]
