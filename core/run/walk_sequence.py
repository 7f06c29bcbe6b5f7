"""Walks, runs and jumps in sequence, as the commands that an operator would give."""

import math
from collections.abc import Sequence

from core.link.commands import Command, StartJump, Walk
from core.run.launch import WalkOrder

REPEAT_S = 0.1  # period of the velocity command, as of a held stick


class WalkSequence:
    """Owns the place in a sequence of orders.

    Args:
        orders: the orders, one after the other.
        zeros: zero velocities are sent too, so that a walk before them ends at once.

    Attributes:
        orders: the orders.
        length_s: duration of all orders [s].
    """

    def __init__(self, orders: Sequence[WalkOrder], zeros: bool = False) -> None:
        self.orders, self._zeros = tuple(orders), zeros
        self.length_s = sum((order.dur for order in orders), 0.0)
        self._next_s = -math.inf
        self._jumped = -1

    def update(self, now_s: float, since_s: float) -> list[Command]:
        """Return the commands of a time.

        Args:
            now_s: present time [s].
            since_s: time since the first order [s].
        """
        if since_s < 0.0:
            return []
        rest_s = since_s
        for number, order in enumerate(self.orders):
            if rest_s < order.dur:
                return self._command(now_s, number, order)
            rest_s -= order.dur
        return []

    def _command(self, now_s: float, number: int, order: WalkOrder) -> list[Command]:
        if order.gait == "jump":
            if number == self._jumped:
                return []
            self._jumped, self._next_s = number, -math.inf
            return [
                Walk(),
                StartJump(order.count, order.flight, order.dx, order.dy, order.turn, order.period),
            ]
        if now_s < self._next_s:
            return []
        self._next_s = now_s + REPEAT_S
        moves = order.vx or order.vy or order.yaw or order.step or order.gait == "run"
        if not (moves or self._zeros):
            return []
        return [
            Walk(
                order.vx,
                order.vy,
                order.yaw,
                order.step,
                order.gait,
                order.step_s,
                order.flight,
                order.height,
            )
        ]
